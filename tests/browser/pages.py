# SPDX-License-Identifier: GPL-2.0
"""The pages of flame and page in a browser: what is on the screen, against what funcs, flame --folded and report say of the same recording."""
import base64
import csv
import io
import json
import os
import re
import subprocess
import sys

from browser import Browser

folder, data = sys.argv[1:3]
ran = 0


def check(name, got, want=True):
    global ran
    ran += 1
    print(("ok" if got == want else "not ok") + " %d - browser: %s" % (ran, name), flush=True)
    if got != want:
        print("#   wanted %r\n#   got    %r" % (want, got), flush=True)


def ringside(*words):
    return subprocess.run(("ringside",) + words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=folder, check=True).stdout


def page(command, recording, *words):
    name = os.path.join(folder, "%s-%s.html" % (command, os.path.basename(recording)))
    ringside(command, "-o", name, *words, recording)
    return name


def time_text(ns):
    for size, unit in ((1e9, "s"), (1e6, "ms"), (1e3, "us")):
        if ns >= size:
            return "%.3f %s" % (ns / size, unit)
    return "%d ns" % ns


def percent(share):
    return ("%.2f %%" if share < 0.1 else "%.1f %%") % (share * 100)


def functions(recording):
    """As the pages write them: the cells of each function."""
    columns = ["function", "calls", "cut", "total", "self", "off", "irq", "p50", "p90", "p99", "max"]
    rows = {}
    for row in csv.DictReader(io.StringIO(ringside("funcs", "--csv", "--columns", ",".join(columns), recording).decode())):
        rows[row["function"]] = [row["function"]] + [
            "\u2013" if not row[c] else "{:,}".format(int(row[c])) if c in ("calls", "cut") else time_text(int(row[c])) for c in columns[1:]]
    return rows


def stacks(recording):
    for line in ringside("flame", "--folded", recording).decode().splitlines():
        path, weight = line.rsplit(" ", 1)
        yield path.split(";"), int(weight)


def hex_colour(text):
    return tuple(int(text[i:i + 2], 16) for i in (1, 3, 5))


def colour(browser, name):
    return hex_colour(browser.eval("getComputedStyle(document.documentElement).getPropertyValue('--%s').trim()" % name))


def details(browser):
    return {row[0]: row[1] for row in browser.rows("item-table")}


def search(browser, words):
    browser.key("/")
    browser.type(words)


def flame_graph(browser, recording):
    known, all_stacks = functions(recording), list(stacks(recording))
    total = sum(weight for _, weight in all_stacks)
    browser.open(page("flame", recording))
    check("a flame graph loads without a word on the console, and fetches nothing", browser.complaints(), [])
    check("all of it is what flame --folded adds up to", browser.text("flame-share").split(",")[0], time_text(total))

    weights = {}
    for path, weight in all_stacks:
        weights[path[0]] = weights.get(path[0], 0) + weight
    heaviest = max(weights, key=weights.get)
    browser.key("ArrowDown")
    check("the arrow goes to the heaviest root", browser.text("flame-name"), heaviest)
    everywhere = dict((row[0], row[2]) for row in browser.rows("flame-table"))
    want = dict(zip(["function", "calls", "cut", "total", "self", "off", "irq", "p50", "p90", "p99", "max"], known[heaviest]))
    check("its figures are those of funcs", everywhere, {name: want[name] for name in everywhere})

    x, y, width, _ = browser.place("flame")
    browser.click(x + 5, y + 18 * 2 + 9)
    second = browser.text("flame-name")
    check("a click zooms into what is there", browser.text("flame-share").endswith(", 100.0 %% of %s" % second))
    check("it is as wide as the canvas then, in its colour", browser.pixel("flame", int(width) - 20, 18 * 2 + 4), colour(browser, "room2"))
    browser.key("Escape")
    browser.key("Home")
    check("Home shows all again", browser.text("flame-name"), "all")

    word = "lookup"
    matching = sum(weight for path, weight in all_stacks if any(word in name for name in path))
    search(browser, word)
    check("a search tells the share of what matches", browser.text("flame-found").split(", ")[1],
          "%s of what is shown: %s" % (percent(matching / total), time_text(matching)))
    browser.key("Enter")
    browser.key("Escape")
    check("Escape forgets it", browser.text("flame-found"), "")

    browser.key("i")
    browser.key("ArrowDown")
    innermost = {}
    for path, weight in all_stacks:
        innermost[path[-1]] = innermost.get(path[-1], 0) + weight
    best = max(innermost, key=innermost.get)
    check("upside down the first is the function that took most itself",
          (browser.text("flame-name"), browser.text("flame-share").split(",")[0]), (best, time_text(innermost[best])))
    browser.key("i")
    browser.key("t")
    browser.key("ArrowDown")
    check("a task stands above its calls when they are told apart", bool(re.fullmatch(r"ls-\d+", browser.text("flame-name"))))
    check("no complaint in all of that", browser.complaints(), [])


def timeline(browser, recording):
    browser.open(page("page", recording))
    check("a page loads without a word on the console, and fetches nothing", browser.complaints(), [])
    whole = browser.text("timeline-view")
    check("it shows all of it", whole.startswith("0 ns to "))
    browser.key("w")
    near = browser.text("timeline-view")
    browser.key("d")
    moved = browser.text("timeline-view")
    check("w zooms and d moves", len({whole, near, moved}), 3)
    browser.key("Home")
    check("Home shows all again", browser.text("timeline-view"), whole)
    x, y, width, _ = browser.place("timeline")
    for _ in range(12):
        browser.wheel(x + width / 2, y + 100, -800)
    check("the wheel zooms down to one ns", browser.text("timeline-view").endswith("(1 ns)"))
    browser.key("Home")

    search(browser, "do_filp_open")
    calls = ringside("report", "-R", recording).decode()
    address = next(re.search(r"func=(\w+)", line).group(1) for line in ringside("report", "-R", recording).decode().splitlines()
                   if "funcgraph_entry" in line and symbol(recording, line) == "do_filp_open")
    took = [int(m.group(2), 16) - int(m.group(1), 16) for m in
            re.finditer(r"funcgraph_exit:.*func=%s .*calltime=(\w+) rettime=(\w+)" % address, calls)]
    check("a search tells how many calls there are", browser.text("timeline-found"), "%d calls found" % len(took))
    browser.key("Enter")
    check("the first one lasts as long as the kernel says", (browser.text("item-name"), details(browser)["length"]),
          ("do_filp_open", time_text(took[0])))
    browser.eval("document.getElementById('timeline-box').focus()")
    browser.key("m")
    browser.key("M", shift=True)
    check("its length is measured", browser.text("timeline-measure").split(" from ")[0], "measured: " + time_text(took[0]))
    browser.key("Escape")
    check("Escape forgets the measure", browser.text("timeline-measure"), "")
    browser.key("ArrowUp")
    check("the arrow goes up to the caller", browser.text("item-name"), "do_sys_openat2")
    browser.key("ArrowDown")
    for _ in range(20):
        if browser.text("item-name") != "do_filp_open":
            browser.key("ArrowRight")
    check("and down to the callees, and along them", details(browser)["length"], time_text(took[0]))
    browser.key("Enter")
    row = browser.eval("made.timeline.drawing.rows[made.timeline.drawing.selected.row].y - made.timeline.box.scrollTop + 24")
    check("Enter zooms to it: it fills the row in its colour", browser.pixel("timeline", int(width) - 60, int(row) + 12), colour(browser, "mark"))
    browser.click(x + 300, y + row + 8)
    check("a click selects what is there", browser.text("item-name"), "do_filp_open")

    browser.key("3")
    browser.wait("document.getElementById('functions-body').rows.length")
    check("the table of functions is that of funcs", sorted(browser.rows("functions-body")), sorted(functions(recording).values()))
    browser.key("2")
    browser.wait("document.getElementById('flame-share').textContent")
    check("the flame graph is there, too", browser.text("flame-share").split(",")[0], time_text(sum(weight for _, weight in stacks(recording))))
    check("no complaint in all of that", browser.complaints(), [])


def slow_of(function, recording):
    return json.loads(ringside("slow", function.replace("[", "[[]"), "--json", recording))["rows"]


def slow(browser, recording):
    """The slowest calls are those of slow, in its words."""
    browser.open(page("page", recording))
    browser.key("4")
    browser.wait("document.querySelector('#slow-box tbody tr')")
    told = browser.eval("made.slow.functions")
    slowest = max(json.loads(ringside("funcs", "--json", recording))["rows"], key=lambda row: row["max"] or 0)
    check("the function with the slowest call comes first", (told[0]["function"], told[0]["slow"][0]["total"]), (slowest["function"], slowest["max"]))
    columns = ["call", "tid", "cpu", "total", "typical", "excess", "cause", "culprit", "where"]
    differ = []
    for one in told:
        rows = slow_of(one["function"], recording)
        differ += [] if len(rows) == len(one["slow"]) else [one["function"]]
        differ += [(row, call) for row, call in zip(rows, one["slow"]) if [row.get(c) for c in columns] + [str(row["ts"])] != [call[c] for c in columns] + [call["ts"]]]
    check("the figures of %d slow calls are those of slow --json" % sum(len(one["slow"]) for one in told), differ, [])
    said = ringside("slow", told[0]["function"], recording).decode()
    shown = told[0]["summary"] + told[0]["calls"] + "".join("\n" + call["text"] for call in told[0]["slow"]) + "\n" + (told[0]["needs"] or "")
    for line, plain in (("\u251c\u2500", "|-"), ("\u2514\u2500", "`-"), ("\u2502", "|")):
        shown = shown.replace(line, plain)
    check("the words as well", shown, said)
    rows = browser.eval("Array.from(document.querySelector('#slow-box tbody').rows, row => Array.from(row.cells, cell => cell.textContent))")
    check("a row for each", [row[:3] for row in rows], [[str(row["call"]), time_text(row["total"]), time_text(row["typical"])] for row in slow_of(told[0]["function"], recording)])
    browser.key("ArrowDown")
    browser.key("ArrowDown")
    second = told[0]["slow"][1]
    check("an arrow goes to the second one, and its cause stands beside", (browser.text("slow-name"), browser.text("slow-text")), tuple(second["text"].split("\n", 1)))
    browser.key("Enter")
    browser.drawn()
    check("Enter goes to it in the timeline", (browser.text("item-name"), details(browser)["start"], details(browser)["length"]),
          (told[0]["function"], time_text(second["at"]), time_text(second["total"])))
    check("which shows why it was slow", browser.text("item-why"), second["text"])
    start, end = browser.eval("[made.timeline.drawing.from, made.timeline.drawing.to]")
    check("and is zoomed to it", (start <= second["at"], end >= second["at"] + second["total"], end - start <= second["total"] * 1.2), (True, True, True))
    browser.key("4")
    search(browser, told[-1]["function"])
    check("of those that are searched for only these are left", (told[-1]["function"] in browser.texts("#slow-box h3"), told[0]["function"] in browser.texts("#slow-box h3")),
          (True, False))
    check("no complaint in all of that", browser.complaints(), [])


def symbol(recording, line):
    """The function that the raw line of an entry names, by report's own text of the same time."""
    if not hasattr(symbol, "texts"):
        symbol.texts = {}
        for text in ringside("report", "-t", recording).decode().splitlines():
            match = re.search(r"(\d+\.\d+): funcgraph_entry: .*\| +([\w.]+)\(", text)
            if match:
                symbol.texts[match.group(1)] = match.group(2)
        symbol.times = iter([re.search(r"(\d+\.\d+):", text).group(1) for text in ringside("report", "-R", "-t", recording).decode().splitlines()
                             if "funcgraph_entry" in text])
    return symbol.texts.get(next(symbol.times, None))


def scheduling(browser, recording):
    browser.open(page("page", recording), 2560, 1300, "dark")
    check("at 2560 and dark it has the width and the colours", (browser.place("timeline")[2] > 1900, browser.pixel("timeline", 1500, 1000)),
          (True, colour(browser, "ground")))
    browser.key("ArrowDown")
    check("the first thing that a CPU ran is told", browser.text("item-name").endswith(" runs"))
    search(browser, "sched_process_exec")
    browser.key("Enter")
    first = next(line for line in ringside("report", recording).decode().splitlines() if " sched_process_exec: " in line)
    check("an event has its fields", details(browser)["fields"], first.split(" sched_process_exec: ")[1].strip())
    check("no complaint in all of that", browser.complaints(), [])


PLAN = """task 100 worker
task 200 <b>other
0 1000 100 sched_switch prev_pid=100 prev_state=1 next_pid=200
0 1000 100 kernel_stack size=3 caller=@__schedule,@schedule,@do_nanosleep
0 1000 100 user_stack tgid=100 caller=0x401000
0 1500 200 sched_waking pid=100
0 1700 200 sched_switch prev_pid=200 prev_state=0 next_pid=100
0 1700 200 kernel_stack size=2 caller=@__schedule,@schedule
0 2700 100 sched_switch prev_pid=100 prev_state=1 next_pid=200
0 3000 200 sched_switch prev_pid=200 prev_state=0 next_pid=0
"""


def off_cpu(browser):
    """Worker is blocked for 500 ns and queued for 200, other is preempted for 1000."""
    recording = os.path.join(folder, "off.dat")
    subprocess.run(["plan", os.path.join(data, "events.dat"), recording], input=PLAN.encode(), check=True)
    browser.open(page("flame", recording, "--off-cpu"))
    check("off the CPU: all is the sum of the plan", browser.text("flame-share").split(",")[0], "1.700 us")
    browser.key("ArrowDown")
    check("the longest state comes first, and is told in words", (browser.text("flame-name"), browser.text("flame-room"), browser.text("flame-share").split(",")[0]),
          ("preempted", "switched out while runnable", "1.000 us"))
    x, y, width, _ = browser.place("flame")
    check("in its colour", browser.pixel("flame", int(width * 0.3), 18 + 9), colour(browser, "preempted"))
    search(browser, "do_nanosleep")
    check("the stacks are there, below both states", browser.text("flame-found"), "2 frames match, 41.2 % of what is shown: 700 ns")
    browser.key("Enter")
    browser.key("Escape")
    browser.key("t")
    browser.key("ArrowDown")
    browser.key("ArrowDown")
    check("tasks stand below the state, as text", (browser.text("flame-name"), browser.eval("document.querySelectorAll('b').length")), ("<b>other-200", 0))
    check("the legend tells the states and the program", {"blocked", "preempted", "queued", "program"} <= set(browser.texts("#flame-legend span")))
    check("no complaint in all of that", browser.complaints(), [])


def rounds(name, read, last):
    """200 rounds of do_filp_open with vfs_read of so many ns inside, then of the function last."""
    at = {}
    for line in ringside("dump", "--kallsyms", os.path.join(data, "openat2.dat")).decode().splitlines():
        if len(line.split()) > 2:
            at.setdefault(line.split()[2], "0x" + line.split()[0])
    lines, t = [], 1000000000
    for i in range(200):
        wobble = i * 7919 % 101
        for function, depth, begin, took in (("do_filp_open", 0, t, read + 20 * wobble + 500), ("vfs_read", 1, t + 100, read + 20 * wobble), (last, 0, t + read + 9000, 2500)):
            lines.append((begin, "0 %d 100 funcgraph_entry func=%s depth=%d" % (begin, at[function], depth)))
            lines.append((begin + took, "0 %d 100 funcgraph_exit func=%s depth=%d calltime=%d rettime=%d" % (begin + took, at[function], depth, begin, begin + took)))
        t += read + 20000
    recording = os.path.join(folder, name)
    subprocess.run(["plan", os.path.join(data, "openat2.dat"), recording], input="\n".join(line for _, line in sorted(lines)).encode() + b"\n", check=True)
    return recording


def changed(browser):
    """vfs_read takes longer, getname is gone, fput is new."""
    old, new = rounds("<b>old.dat", 20000, "getname"), rounds("new.dat", 28000, "fput")
    rows = list(csv.DictReader(io.StringIO(ringside("diff", "--graph", "--csv", old, new).decode())))
    said = {row["path"]: row["verdict"] + ": " + row["evidence"].replace("->", "\u2192").replace("(x", "(\u00d7") for row in rows}
    browser.open(page("flame", new, "--diff", old))
    listed = browser.eval("Array.from(document.querySelectorAll('#flame-changes li'), li => li.title.split(' \\u203a ').concat(li.children[0].textContent).join('|'))")
    check("what is not the same is listed, in the order of diff", listed,
          ["|".join([";".join(row["path"].split(";")[:-1]), row["verdict"]]) for row in rows if row["verdict"] != "same"])
    browser.eval("document.querySelector('#flame-changes button').focus()")
    browser.key("Enter")
    check("a key on the first selects its frame, which says what diff says", (browser.text("flame-name"), browser.text("flame-change")),
          ("vfs_read", said["do_filp_open;vfs_read"]))
    x, y, width, _ = browser.place("flame")
    red = browser.pixel("flame", int(width * 0.7), 18 * 2 + 9)
    check("it is red", red[0] > red[1] + 60)
    check("its name is text", ("since " + old in browser.text("flame-changes"), browser.eval("document.querySelectorAll('b').length")), (True, 0))
    check("no complaint in all of that", browser.complaints(), [])


def waking(browser):
    """Of the plan: other wakes worker at 500 ns after the first record, and worker runs at 700."""
    browser.open(page("page", os.path.join(folder, "off.dat")))
    browser.key("ArrowDown")
    for _ in range(20):
        if (browser.text("item-name"), details(browser).get("start")) != ("worker-100 runs", "700 ns"):
            browser.key("ArrowRight")
    told = details(browser)
    check("who woke a task is told, as text, and when", (told.get("woken by"), told.get("woken at")), ("<b>other-200", "500 ns"))
    x, y, width, _ = browser.place("timeline")
    rows = browser.eval("(d => [d.waking.by, d.waking.track].map(track => d.rows[d.taskRow(track)].y))(made.timeline.drawing)")
    at = browser.eval("made.timeline.drawing.xOf(500)")
    check("an arrow comes from its row", browser.pixel("timeline", int(at), 24 + int(sum(rows) / 2) + 8), colour(browser, "select"))
    browser.key("b")
    check("b goes there", browser.text("item-name"), "<b>other-200 runs")
    check("no complaint in all of that", browser.complaints(), [])


FREQUENCIES = """event power cpu_frequency 1900 state:4 cpu_id:4
0 1000 0 sched_switch prev_pid=0 prev_state=0 next_pid=100
0 1100 100 cpu_frequency state=1200000 cpu_id=1
0 1200 100 cpu_frequency state=2400000 cpu_id=0
0 1500 100 sched_switch prev_pid=100 prev_state=1 next_pid=200
0 2000 200 sched_switch prev_pid=200 prev_state=1 next_pid=0
1 2100 0 sched_switch prev_pid=0 prev_state=0 next_pid=200
1 2200 200 sched_switch prev_pid=200 prev_state=1 next_pid=0
"""


def frequencies(browser):
    recording = os.path.join(folder, "frequencies.dat")
    subprocess.run(["plan", os.path.join(data, "events.dat"), recording], input=FREQUENCIES.encode(), check=True)
    browser.open(page("page", recording))
    told = {}
    for _ in range(2):
        browser.key("ArrowDown")
        for _ in range(2):
            told[details(browser).get("CPU"), details(browser).get("start")] = details(browser).get("frequency at its start")
            browser.key("ArrowRight")
    check("the frequency of a CPU is told once it is known", told.get(("0", "0 ns"), "none"), None)
    check("and from there on", (told.get(("0", "500 ns")), told.get(("1", "1.100 us"))), ("2.400 GHz", "1.200 GHz"))
    browser.key("2")
    browser.wait("document.getElementById('flame-folded').textContent")
    check("a flame graph of nothing says so", browser.text("flame-folded").startswith("There are no complete calls in this recording"))
    browser.key("3")
    browser.wait("document.getElementById('functions-found').textContent")
    check("a table of nothing, too", browser.text("functions-found").startswith("There are no calls in this recording"))
    check("no complaint in all of that", browser.complaints(), [])


# Nobody tells when tasks were off the CPU, and no function calls schedule(): that time is part of self, and nothing has a weight of it.
SILENT = """task 7 reader
0 1000 7 funcgraph_entry func=@vfs_read depth=0
0 1100 7 funcgraph_entry func=@vfs_open depth=1
0 1400 7 funcgraph_exit func=@vfs_open depth=1 calltime=1100 rettime=1400
0 1500 7 funcgraph_exit func=@vfs_read depth=0 calltime=1000 rettime=1500
"""


def silent(browser):
    recording = os.path.join(folder, "silent.dat")
    subprocess.run(["plan", os.path.join(data, "openat2.dat"), recording], input=SILENT.encode(), check=True)
    browser.open(page("flame", recording))
    weigh = "(by => { const field = document.getElementById('flame-weight'); field.value = by; field.dispatchEvent(new Event('change')); })('%s')"
    shares = []
    for by in "time", "off", "cpu", "time":
        browser.eval(weigh % by)
        shares.append(browser.text("flame-share").split(",")[0])
    check("where off is not known, all of the time is on the CPU", shares, ["500 ns", "0 ns", "500 ns", "500 ns"])
    browser.eval("document.getElementById('flame-box').focus()")
    browser.key("ArrowDown")
    check("and a function's off is a dash", [row[1:] for row in browser.rows("flame-table") if row[0] == "off"], [["\u2013", "\u2013"]])
    browser.eval("(field => { field.checked = true; field.dispatchEvent(new Event('change')); })(document.getElementById('flame-callers'))")
    browser.key("ArrowDown")
    check("upside down as well", [row[1:] for row in browser.rows("flame-table") if row[0] == "off"], [["\u2013", "\u2013"]])
    check("without a complaint", browser.complaints(), [])


def hostile(browser):
    """Names that would be markup, or end a script."""
    script, half = b"</script><b>'\"", b"<scri&;\x80\xc3xy>"
    plain = os.path.join(folder, "plain.dat")
    ringside("convert", "--file-version", "6", "-i", os.path.join(data, "openat2.dat"), "-o", plain)
    with open(plain, "rb") as file:
        bytes_ = file.read().replace(b"do_sys_openat2", script).replace(b"do_filp_open", half)
    recording = os.path.join(folder, "<img src=x onerror=alert(1)>.dat")
    with open(recording, "wb") as file:
        file.write(bytes_)
    for command in ("flame", "page"):
        name = os.path.join(folder, command + "-hostile.html")
        ringside(command, "-o", name, recording)
        browser.open(name)
        search(browser, "</script")
        browser.key("Enter")
        if command == "flame":
            browser.key("ArrowDown")
        check("%s: names are text" % command, (browser.text("item-name" if command == "page" else "flame-name"), "<img" in browser.text("title"),
                                             browser.eval("document.querySelectorAll('b, img').length"), browser.complaints()),
              (script.decode(), True, 0, []))


def is_time(text, ns):
    """Is it how speedscope writes a time, with two decimals?"""
    size = {"s": 1e9, "ms": 1e6, "\u00b5s": 1e3, "ns": 1}[text.lstrip("0123456789.")]
    return abs(float(text.rstrip("nm\u00b5s")) - ns / size) < 0.0051


def speedscope(browser, recording, task):
    """Speedscope itself opens what export writes, where its package is installed."""
    global ran
    program = os.path.join(os.environ.get("RINGSIDE_NODE_MODULES", ""), "speedscope/dist/release/index.html")
    if not os.path.exists(program):
        ran += 1
        print("ok %d - browser: speedscope # SKIP no package speedscope of npm" % ran, flush=True)
        return
    script = os.path.join(folder, "load.js")
    with open(script, "w") as file:
        file.write("speedscope.loadFileFromBase64('x', '%s')" % base64.b64encode(ringside("export", "--to", "speedscope", recording)).decode())
    browser.call("Page.navigate", url="file://%s#localProfilePath=%s" % (program, script))
    browser.wait("document.body.innerText.includes('Left Heavy')")
    browser.key("3")
    browser.wait("document.body.innerText.includes('Symbol Name')")
    shown = [cell.strip() for cell in browser.eval("document.body.innerText").split("Symbol Name\n")[1].split("\n")]
    shown = [cell for cell in shown if cell]
    rows = {shown[i + 2]: [cell.split(" ")[0] for cell in shown[i:i + 2]] for i in range(0, len(shown) - 2, 3)}
    columns = "task,function,total,self,irq,off"
    times = [row for row in csv.DictReader(io.StringIO(ringside("funcs", "--by", "task", "--csv", "--columns", columns, recording).decode()))
             if row["task"] == task]
    want = {row["function"]: [int(row["total"]), int(row["self"])] for row in times}
    for frame, column in ("[interrupts]", "irq"), ("[off the CPU]", "off"):
        want[frame] = [sum(int(row[column]) for row in times)] * 2
    wrong = [(name, rows[name]) for name in rows if not all(is_time(*pair) for pair in zip(rows[name], want[name]))]
    check("speedscope shows the totals that funcs gives, and the times of functions themselves", (len(rows) > 10, wrong), (True, []))


browser = Browser()
try:
    flame_graph(browser, os.path.join(data, "openat2.dat"))
    timeline(browser, os.path.join(data, "openat2.dat"))
    slow(browser, os.path.join(data, "openat2.dat"))
    scheduling(browser, os.path.join(data, "events.dat"))
    off_cpu(browser)
    waking(browser)
    frequencies(browser)
    silent(browser)
    changed(browser)
    hostile(browser)
    speedscope(browser, os.path.join(data, "openat2.dat"), "ls-156")
finally:
    browser.close()
print("1..%d" % ran)
