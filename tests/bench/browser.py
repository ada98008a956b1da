# SPDX-License-Identifier: GPL-2.0
"""browser.py RINGSIDE RECORDING...: prints, as rows of a table, how long it takes to make and to load the pages of flame and page, and how long frames take during zooming."""
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "browser"))
from browser import Browser

# Runs in the page: turns the wheel a step in each frame, so that the page zooms in and out again. Returns the times between the beginnings of the frames.
ZOOM = """new Promise(done => {
    const canvas = document.getElementById('%s'), box = canvas.getBoundingClientRect(), times = [];
    let n = 0;
    const next = now => {
        times.push(now);
        if (++n > 120)
            return done(times.slice(1).map((time, i) => time - times[i]));
        canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: n %% 60 < 30 ? -200 : 200, clientX: box.x + box.width * 0.4, clientY: box.y + 100, bubbles: true,
            cancelable: true }));
        requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
})"""


def row(ringside, command, recording, folder):
    html = os.path.join(folder, command + ".html")
    begun = time.monotonic()
    subprocess.run([ringside, command, "-o", html, recording], check=True, stderr=subprocess.DEVNULL)
    made = time.monotonic() - begun
    browser = Browser()
    try:
        begun = time.monotonic()
        browser.open(html)
        ready = time.monotonic() - begun
        frames = sorted(browser.eval(ZOOM % {"page": "timeline", "flame": "flame"}[command]))
        complaints = browser.complaints()
    finally:
        browser.close()
    print("| %s of %s | %.1f | %.1f | %.2f | %.1f | %.1f | %s |" % (
        command, os.path.basename(recording), made, os.path.getsize(html) / 1e6, ready, frames[len(frames) // 2], frames[-1], "; ".join(complaints) or "none"))


def main():
    print("| | made in s | MB | loads in s | frame, median ms | slowest ms | complaints |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for recording in sys.argv[2:]:
            for command in ("flame", "page"):
                row(sys.argv[1], command, recording, folder)


main()
