# SPDX-License-Identifier: GPL-2.0
"""A headless Chromium, told what to do through a pipe (its DevTools protocol), without a library or a network."""
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

# A page that is not there by then is missing, on the slowest machine.
PATIENCE = 90

KEYS = {"Enter": 13, "Escape": 27, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}


class Browser:
    def __init__(self):
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        self.folder = tempfile.mkdtemp()
        to_read, self.out = os.pipe()
        self.into, to_write = os.pipe()

        def pipes():
            # The ends that it uses are 3 and 4; none of the four may be in the way.
            ends = [os.dup(to_read), os.dup(to_write)]
            while min(ends) <= 4:
                ends = [os.dup(end) for end in ends]
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
             "--remote-debugging-pipe", "--user-data-dir=" + self.folder, "about:blank"],
            preexec_fn=pipes, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.left = b""
        self.number = 0
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def message(self):
        while b"\0" not in self.left:
            if not select.select([self.into], [], [], PATIENCE)[0]:
                raise TimeoutError("the browser says nothing")
            more = os.read(self.into, 1 << 20)
            if not more:
                raise EOFError("the browser has ended")
            self.left += more
        text, self.left = self.left.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if hasattr(self, "session"):
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(method + ": " + answer["error"]["message"])
                return answer["result"]
            self.events.append(answer)

    def eval(self, text):
        answer = self.call("Runtime.evaluate", expression=text, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(text + ": " + json.dumps(answer["exceptionDetails"])[:500])
        return answer["result"].get("value")

    def open(self, path, width=1280, height=800, scheme="light"):
        self.events = []
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url="file://" + path)
        self.wait("document.body && (document.body.dataset.ready || !document.getElementById('failure').hidden)")
        self.drawn()

    def wait(self, condition):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                if self.eval("Boolean(" + condition + ")"):
                    return
            except RuntimeError:
                pass
            time.sleep(0.02)
        raise TimeoutError(condition)

    def drawn(self):
        """What was asked for has been drawn."""
        self.eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def complaints(self):
        """What the console said, and requests other than for the page itself."""
        said = []
        for event in self.events:
            method, params = event.get("method"), event.get("params", {})
            if method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
                said.append(method + " " + json.dumps(params)[:200])
            if method == "Network.requestWillBeSent" and params["type"] != "Document" and not params["request"]["url"].startswith("blob:"):
                said.append("request " + params["request"]["url"][:200])
        return said

    def key(self, key, shift=False):
        text = key if len(key) == 1 else "\r" if key == "Enter" else ""
        code = KEYS.get(key, ord(key.upper()) if len(key) == 1 and key.isalnum() else 0)
        common = {"key": key, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)
        self.drawn()

    def type(self, text):
        self.call("Input.insertText", text=text)
        self.drawn()

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)
        self.drawn()

    def wheel(self, x, y, by):
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=by)
        self.drawn()

    def text(self, name):
        return self.eval("document.getElementById('%s').textContent" % name)

    def texts(self, selector):
        return self.eval("Array.from(document.querySelectorAll('%s'), node => node.textContent)" % selector)

    def place(self, name):
        return self.eval("(r => [r.x, r.y, r.width, r.height])(document.getElementById('%s').getBoundingClientRect())" % name)

    def pixel(self, name, x, y):
        return tuple(self.eval("Array.from(document.getElementById('%s').getContext('2d').getImageData(%d, %d, 1, 1).data)" % (name, x, y))[:3])

    def rows(self, name):
        """The cells of a table."""
        return self.eval("Array.from(document.getElementById('%s').rows, row => Array.from(row.cells, cell => cell.textContent))" % name)
