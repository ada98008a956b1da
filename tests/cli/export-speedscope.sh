# export --to speedscope: of the form that its schema asks for, marks balanced and in order, and times of calls as funcs has them.
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 0; }
cd "$DATA"
cat >"$HOME/load.py" <<'PYTHON'
import json, subprocess, sys
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

def funcs(name):
    return {row["function"]: row for row in json.loads(run("funcs", "--json", name))["rows"] if row["calls"]}
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
    print("  not complete:", {function: len(of) for function, of in found.items() if function not in want})
PYTHON

echo "== planned calls: migrations, interrupts, losses; recursion counts each call here"
machine --seed 3 --calls 5000 --switches --migrate --irqs both "$DATA/events.dat" "$HOME/irqs.dat" >"$HOME/irqs.answers"
machine --seed 1 --switches --migrate --irqs graph --cpus 4 --tasks 20 --two --lose 300 "$DATA/events.dat" "$HOME/lose.dat" >/dev/null
machine --seed 8 --functions 500 --cpus 16 --tasks 64 --switches --tsc "$DATA/events.dat" "$HOME/tsc.dat" >/dev/null
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
