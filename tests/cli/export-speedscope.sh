# export --to speedscope: of the form that its schema asks for, marks balanced and in order, and the times that speedscope shows are those of funcs.
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 0; }
cd "$DATA"
cat >"$HOME/load.py" <<'PYTHON'
import json, re, subprocess, sys
from collections import Counter
run = lambda *args: subprocess.run(("ringside",) + args, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.decode("utf-8")

def load(*args):
    """What speedscope.app/file-format-schema.json asks for."""
    document = json.loads(run("export", "--to", "speedscope", *args))
    assert document["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    frames = document["shared"]["frames"]
    number = lambda value: type(value) is int and 0 <= value < 2**53
    assert set(document) <= {"$schema", "shared", "profiles", "name", "exporter", "activeProfileIndex"}
    assert all(type(frame["name"]) is str and set(frame) <= {"name", "file", "line", "col"} for frame in frames)
    for profile in document["profiles"]:
        assert type(profile["name"]) is str and profile["unit"] in ("nanoseconds", "none") and number(profile["startValue"]) and number(profile["endValue"])
        if profile["type"] == "evented":
            assert all(set(event) == {"type", "frame", "at"} and event["frame"] < len(frames) and number(event["at"]) for event in profile["events"])
        else:
            assert profile["type"] == "sampled" and len(profile["samples"]) == len(profile["weights"]) == profile["endValue"]
            assert all(frame < len(frames) for sample in profile["samples"] for frame in sample)
    return document, [frame["name"] for frame in frames]

def calls(document, names):
    """name: [(duration, is inside of another of that name)], and the deepest stack."""
    found, deepest = {}, 0
    for profile in document["profiles"]:
        if profile["type"] != "evented":
            continue
        stack, last = [], profile["startValue"]
        for event in profile["events"]:
            assert event["at"] >= last, "time goes back"
            last = event["at"]
            if event["type"] == "O":
                stack.append((event["frame"], last))
                deepest = max(deepest, len(stack))
            else:
                frame, begin = stack.pop()
                assert event["type"] == "C" and event["frame"] == frame, "another frame ends"
                found.setdefault(names[frame], []).append((last - begin, any(other == frame for other, _ in stack)))
        assert not stack and last <= profile["endValue"], "a frame without its end"
    return found, deepest

def funcs(name, *args):
    return {row["function"]: row for row in json.loads(run("funcs", "--json", name, *args))["rows"] if row["calls"]}

IRQ, OFF = "[interrupts]", "[off the CPU]"
is_cut = re.compile(r" \((no entry|no exit|lost)[^()]*\)$").search

def shown(profile, names):
    """What speedscope shows of a profile: Total is the time in which a frame is open at least once, Self is that in which it is the innermost one.
    What a call that is not complete does inside of a complete one is given to that one."""
    total, own, stack, last = Counter(), Counter(), [], profile["startValue"]
    for event in profile["events"]:
        time, last = event["at"] - last, event["at"]
        for name in set(stack):
            total[name] += time
        if stack:
            complete = [name for name in stack if not is_cut(name)]
            own[complete[-1] if complete else stack[-1]] += time
        if event["type"] == "O":
            stack.append(names[event["frame"]])
        else:
            stack.pop()
    return total, own

def differences(document, names, name, owner=lambda profile: None):
    """Each function whose times speedscope shows are not those of funcs, together or for each owner; and how many were compared."""
    total, own, times, n, wrong = {}, {}, {}, 0, []
    for profile in document["profiles"]:
        if profile["type"] == "evented":
            more = shown(profile, names)
            total.setdefault(owner(profile["name"]), Counter()).update(more[0])
            own.setdefault(owner(profile["name"]), Counter()).update(more[1])
    for row in json.loads(run("funcs", "--json", *(("--by", "task") if owner("x") else ()), name))["rows"]:
        of, function = row.get("task"), row["function"]
        for column in "irq", "off":
            times[of, column] = times.get((of, column), 0) + (row[column] or 0)
        if row["calls"]:
            n += 1
            got, want = (total.get(of, {}).get(function, 0), own.get(of, {}).get(function, 0)), (row["total"], row["self"])
            wrong += [(of, function, "funcs", want, "speedscope", got)] if got != want else []
    return wrong, n, times, own
PYTHON

echo "== calls: how many of each function, how long all of them, the shortest and the longest took"
PYTHONPATH=$HOME python3 - <<'PYTHON'
from load import *
for name in "openat2.dat", "syscalls-v6.dat", "events.dat", "marker.dat":
    document, names = load(name)
    found, deepest = calls(document, names)
    want = {function: (row["calls"], row["total"], row["min"], row["max"]) for function, row in funcs(name).items()}
    got = {function: (len(of), sum(ns for ns, inside in of if not inside), min(of)[0], max(of)[0]) for function, of in found.items() if function in want}
    assert want == got, set(want.items()) ^ set(got.items())
    print(name, "the same:", len(got), "names,", sum(len(found[function]) for function in got), "calls,", deepest, "levels;",
          sorted(profile["name"] for profile in document["profiles"])[:3], document["profiles"][document["activeProfileIndex"]]["name"])
    print("  others:", {function: len(of) for function, of in sorted(found.items()) if function not in want})
PYTHON

echo "== what speedscope shows of each function, Total and Self, is its total and self of funcs, for all tasks together and for each"
machine --seed 3 --calls 5000 --switches --migrate --irqs both "$DATA/events.dat" "$HOME/irqs.dat" >"$HOME/irqs.answers"
machine --seed 1 --switches --migrate --irqs graph --cpus 4 --tasks 20 --two --lose 300 "$DATA/events.dat" "$HOME/lose.dat" >/dev/null
machine --seed 2 --switches --migrate --irqs both --cpus 4 --tasks 20 --tsc --lose 200 "$DATA/events.dat" "$HOME/both.dat" >/dev/null
machine --seed 8 --functions 500 --cpus 16 --tasks 64 --switches --tsc "$DATA/events.dat" "$HOME/tsc.dat" >/dev/null
PYTHONPATH=$HOME python3 - "$HOME" <<'PYTHON'
from load import *
def owner(profile):
    return re.sub(r" \(.*|, asynchronous$", "", profile)
for name in "openat2.dat", "syscalls-v6.dat", "events.dat", "marker.dat", *(sys.argv[1] + "/" + name + ".dat" for name in ("irqs", "lose", "both", "tsc")):
    document, names = load(name)
    wrong, n, times, own = differences(document, names, name)
    assert len(names) == len(set(names)), "two frames of one name"
    print(name.split("/")[-1], wrong[:3], n, "functions,", end=" ")
    wrong, n, times, own = differences(document, names, name, owner)
    print(wrong[:3], n, "functions of", len(own), "tasks and CPUs")
    if not any(map(is_cut, names)):
        print("  pauses:", [(of, column) for of, column in times if times[of, column] != own.get(of, {}).get(IRQ if column == "irq" else OFF, 0)])
PYTHON

echo "== a plan: interrupts in and beside what is measured, recursion in calls, in interrupts and in what is cut, a callee longer than its caller"
cat >"$HOME/plan" <<'PLAN'
task 100 alpha
task 200 beta
# kfree runs 50 ns, and the interrupt came before that
0 1000 100 funcgraph_entry func=@vfs_read depth=0
0 1100 100 funcgraph_entry func=@kfree depth=1
0 1200 100 funcgraph_entry func=@vfs_open depth=2 common_flags=8
0 1300 100 funcgraph_entry func=@kfree depth=3 common_flags=8
0 1500 100 funcgraph_exit func=@kfree depth=3 calltime=1300 rettime=1500 common_flags=8
0 1900 100 funcgraph_exit func=@vfs_open depth=2 calltime=1200 rettime=1900 common_flags=8
0 2000 100 funcgraph_exit func=@kfree depth=1 calltime=1940 rettime=1990
# it runs 500 ns, of which an interrupt in a soft interrupt takes 100 and that one 300, and calls itself
0 3000 100 funcgraph_entry func=@kfree depth=1
0 3010 100 funcgraph_entry func=@kfree depth=2
0 3050 100 funcgraph_exit func=@kfree depth=2 calltime=3020 rettime=3045
0 3100 100 funcgraph_entry func=@kfree depth=2 common_flags=16
0 3150 100 funcgraph_entry func=@vfs_read depth=3 common_flags=8
0 3250 100 funcgraph_exit func=@vfs_read depth=3 calltime=3150 rettime=3250 common_flags=8
0 3500 100 funcgraph_exit func=@kfree depth=2 calltime=3100 rettime=3500 common_flags=16
0 3600 100 funcgraph_exit func=@kfree depth=1 calltime=3050 rettime=3550
# dput's clock was slow: its callee took longer, and its caller did not
0 4000 100 funcgraph_entry func=@dput depth=1
0 4100 100 funcgraph_entry func=@mutex_unlock depth=2
0 4400 100 funcgraph_exit func=@mutex_unlock depth=2 calltime=4100 rettime=4400
0 4500 100 funcgraph_exit func=@dput depth=1 calltime=4200 rettime=4400
0 6000 100 funcgraph_exit func=@vfs_read depth=0 calltime=1000 rettime=5990
# the outer kfree is cut by a loss, so that the inner one is an outermost call; the same where an exit never comes
0 7000 200 funcgraph_entry func=@kfree depth=0
0 7100 200 funcgraph_entry func=@kfree depth=1
0 7300 200 funcgraph_exit func=@kfree depth=1 calltime=7100 rettime=7300
0 lost 3
0 9000 200 funcgraph_exit func=@kfree depth=0 calltime=7000 rettime=8990
0 10000 200 funcgraph_entry func=@vfs_open depth=0
0 10100 200 funcgraph_entry func=@dput depth=1
0 10200 200 funcgraph_entry func=@mutex_unlock depth=2
0 10300 200 funcgraph_exit func=@mutex_unlock depth=2 calltime=10200 rettime=10300
0 10900 200 funcgraph_exit func=@vfs_open depth=0 calltime=10000 rettime=10890
PLAN
plan openat2.dat "$HOME/plan.dat" <"$HOME/plan"
PYTHONPATH=$HOME python3 - "$HOME/plan.dat" <<'PYTHON'
from load import *
document, names = load(sys.argv[1])
wrong, n, times, own = differences(document, names, sys.argv[1])
print(wrong, n, "functions; profiles:", sorted(profile["name"] for profile in document["profiles"]))
for profile in document["profiles"]:
    total, self = shown(profile, names)
    print(profile["name"], {name: (total[name], self[name]) for name in sorted(total)})
PYTHON

echo "== planned calls: migrations, interrupts, losses; recursion counts each call here"
PYTHONPATH=$HOME python3 - "$HOME" <<'PYTHON'
from load import *
for name in "irqs", "lose", "tsc":
    name = sys.argv[1] + "/" + name + ".dat"
    found, deepest = calls(*load(name))
    want = {function: (row["calls"], row["min"], row["max"]) for function, row in funcs(name).items()}
    got = {function: (len(of), min(of)[0], max(of)[0]) for function, of in found.items() if function in want}
    assert want == got, set(want.items()) ^ set(got.items())
    print("the same:", len(got), "names,", sum(row[0] for row in got.values()), "calls")
PYTHON

echo "== selections"
PYTHONPATH=$HOME python3 - <<'PYTHON'
from load import *
found, _ = calls(*load("--func", "vfs_open", "openat2.dat"))
print(len(found["vfs_open"]), funcs("openat2.dat")["vfs_open"]["calls"], "do_sys_openat2" in found)
document, _ = load("--pid", "171", "syscalls-v6.dat")
print([profile["name"] for profile in document["profiles"]])
PYTHON

echo "== stacks: a sample for each event that has one, the event innermost"
PYTHONPATH=$HOME python3 - <<'PYTHON'
from load import *
document, names = load("function-stacks.dat")
lines = [json.loads(line) for line in run("export", "--to", "jsonl", "function-stacks.dat").splitlines()]
want, before = Counter(), {}
for line in lines:
    if line["event"] == "kernel_stack":
        event = before[line["cpu"]]
        want[tuple(reversed(line["fields"]["caller"])) + (event["fields"]["ip"] if event["event"] == "function" else event["event"],)] += 1
    else:
        before[line["cpu"]] = line
got = Counter(tuple(names[frame] for frame in sample) for profile in document["profiles"] if profile["type"] == "sampled" for sample in profile["samples"])
print(want == got, sum(got.values()), len(got))
PYTHON

echo "== names that mean something in JSON"
ringside convert -i openat2.dat --file-version 6 -o "$HOME/plain.dat"
python3 - "$HOME" <<'PYTHON'
import sys
data = open(sys.argv[1] + "/plain.dat", "rb").read()
open(sys.argv[1] + "/hostile.dat", "wb").write(data.replace(b" do_sys_openat2\n", b" \"\\</\xff\x01,\xe2\x82abcde\n"))
PYTHON
PYTHONPATH=$HOME python3 - "$HOME" <<'PYTHON'
from load import *
print([name for name in load(sys.argv[1] + "/hostile.dat")[1] if '"' in name])
PYTHON

echo "== files"
ringside export -o "$HOME/a.speedscope.json" marker.dat && ringside export --to speedscope marker.dat | cmp - "$HOME/a.speedscope.json" && echo the same
ringside export --to speedscope openat2.dat >/dev/full; echo $?
ringside export --to speedscope kprobes.dat | tail -1
TMPDIR=$HOME/nowhere ringside export --to speedscope openat2.dat 2>&1 >/dev/null | sed "s|$HOME|HOME|"
echo "status ${PIPESTATUS[0]}"
