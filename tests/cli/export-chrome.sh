# export --to chrome, against report and funcs: calls, what ran, events, names that mean something elsewhere.
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 0; }
cd "$DATA"
cat >"$HOME/load.py" <<'PYTHON'
import json, subprocess
run = lambda *args: subprocess.run(("ringside",) + args, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
def load(*args):
    trace = json.loads(run("export", "--to", "chrome", *args).decode("utf-8"))
    return trace["traceEvents"]
def events(phase, trace):
    return [e for e in trace if e["ph"] in phase]
PYTHON

echo "== calls as funcs counts them: each function's calls, shortest, longest"
PYTHONPATH=$HOME python3 - <<'PYTHON'
from load import *
for name in "openat2.dat", "syscalls-v6.dat", "events.dat", "marker.dat":
    calls, open_calls = {}, {}
    for e in load(name):
        thread = e["pid"], e["tid"]
        if e["ph"] == "X" and e.get("cat") != "sched":
            end = e
        elif e["ph"] == "B" and e.get("cat") not in ("irq", "softirq"):
            open_calls.setdefault(thread, []).append(e)
            continue
        elif e["ph"] == "E" and open_calls.get(thread):
            end = dict(e, name=open_calls[thread].pop()["name"])
        else:
            continue
        if "cut" not in end["args"]:
            calls.setdefault(end["name"], []).append(end["args"]["total"])
    rows = [row for row in json.loads(run("funcs", "--json", name))["rows"] if row["calls"]]
    want = {row["function"]: (row["calls"], row["min"], row["max"]) for row in rows}
    got = {function: (len(t), min(t), max(t)) for function, t in calls.items()}
    assert want == got, (set(want.items()) ^ set(got.items()))
    print(name, "the same:", len(got), "names,", sum(len(t) for t in calls.values()), "calls")
PYTHON

echo "== a call's slice lies inside its caller's"
PYTHONPATH=$HOME python3 - <<'PYTHON'
from load import *
slices = sorted((round(e["ts"] * 1000), -round(e["dur"] * 1000)) for e in events("X", load("openat2.dat")))
stack, deepest = [], 0
for begin, minus in slices:
    end = begin - minus
    while stack and stack[-1] <= begin and not (stack[-1] == begin and end == begin):
        stack.pop()
    assert not stack or end <= stack[-1], (begin, end, stack)
    stack.append(end)
    deepest = max(deepest, len(stack))
print(len(slices), "slices,", deepest, "levels")
PYTHON
ringside report -R openat2.dat | awk 'match($0, /depth=[0-9]+/) { d = substr($0, RSTART + 6, RLENGTH - 6) + 1; if (d > most) most = d } END { print most " levels in the records" }'

echo "== what ran: from one sched_switch to the next on the CPU, as awk adds it up"
PYTHONPATH=$HOME python3 - <<'PYTHON'
from load import *
ran = {}
for e in events("X", load("events.dat")):
    if e.get("cat") == "sched":
        key = e["tid"] // 2, e["args"]["prev_pid"]
        ran[key] = ran.get(key, 0) + round(e["dur"] * 1000)
print(sum(ran.values()), len(ran))
PYTHON
ringside report -t --only-event sched_switch -R events.dat | sed -n 's/.* \[\(...\)\] ..... *\([0-9]*\)\.\([0-9]*\): .*prev_pid=\([0-9]*\) .*next_pid=\([0-9]*\) .*/\1 \2\3 \4 \5/p' | awk '
	$1 in since && $3 && pid[$1] == $3 { ran[$1 " " $3] += $2 - since[$1] } { since[$1] = $2; pid[$1] = $4 }
	END { for (key in ran) { sum += ran[key]; n++ } printf "%d %d\n", sum, n }'

echo "== all other events are there once, with their fields; interrupts"
PYTHONPATH=$HOME python3 - <<'PYTHON'
from load import *
from collections import Counter
for name in "events.dat", "instances.dat", "function-stacks.dat", "kprobes.dat":
    trace = load(name)
    lines = [json.loads(line) for line in run("export", "--to", "jsonl", name).decode().splitlines()]
    want = Counter(line["event"] for line in lines)
    got = Counter(e["name"] for e in events("i", trace))
    for event in "sys_enter", "sys_exit":
        del want[event], got[event]
    for event in "irq_handler_entry", "irq_handler_exit", "softirq_entry", "softirq_exit":
        kind, phase = event.split("_")[0], "B" if "entry" in event else "E"
        if phase == "B":
            got[event] += sum(e.get("cat") == kind for e in events("B", trace))
        else:
            del want[event], got[event]
    assert want == got, (want - got, got - want)
    fields = {(round(e["ts"] * 1000), e["name"]): e["args"] for e in events("i", trace)}
    for line in lines:
        there = fields.get((line["ts"], line["event"]))
        assert there is None or there == line["fields"] or sum(1 for l in lines if (l["ts"], l["event"]) == (line["ts"], line["event"])) > 1
    cpus = {e["pid"]: 0 for e in events("BE", trace)}
    print(name, sum(got.values()), "events,", len(events("B", trace)) - len(events("E", trace)), "begun more than ended")
PYTHON

echo "== as many interrupts as there are can be open: each that is begun is ended, by its exit or by a loss"
for event in irq_handler softirq; do
	{
		for ((i = 0; i < 600; i++)); do
			echo "0 $((1000 + i)) 5 ${event}_entry"
		done
		for ((i = 0; i < 88; i++)); do
			echo "0 $((2000 + i)) 5 ${event}_exit"
		done
		echo "0 lost 3"
		echo "0 3000 5 ${event}_exit"
	} | plan events.dat "$HOME/open.dat"
	PYTHONPATH=$HOME python3 - "$HOME/open.dat" <<'PYTHON'
import sys
from load import *
trace = load(sys.argv[1])
ends = events("E", trace)
print(len(events("B", trace)), "begun,", sum("cut" not in e["args"] for e in ends), "ended,", sum("cut" in e["args"] for e in ends), "lost,",
      [e["name"] for e in events("i", trace)])
PYTHON
done

echo "== counters, names"
PYTHONPATH=$HOME python3 - "$HOME" <<'PYTHON'
import sys
from load import *
run("convert", "-i", "marker.dat", "--file-version", "6", "-o", sys.argv[1] + "/plain.dat")
data = open(sys.argv[1] + "/plain.dat", "rb").read()
open(sys.argv[1] + "/counter.dat", "wb").write(data.replace(b"B|193|phase2", b"C|193|\"<|-42"))
print([(e["name"], e["args"], e["pid"]) for e in events("C", load(sys.argv[1] + "/counter.dat"))])
run("convert", "-i", "function-stacks.dat", "--file-version", "6", "-o", sys.argv[1] + "/plain.dat")
data = open(sys.argv[1] + "/plain.dat", "rb").read()
data = data.replace(b"trace-cmd\0", b"\"\n,\xff</'\x01\xc3\0").replace(b" trace-cmd\n", b" </script>\n")
open(sys.argv[1] + "/hostile.dat", "wb").write(data)
trace = load(sys.argv[1] + "/hostile.dat")
print(sorted({e["name"] for e in events("X", trace) if '"' in e["name"]}))
print(sorted({e["args"]["name"] for e in events("M", load("instances.dat")) if "CPUs" in e["args"]["name"]}))
PYTHON

echo "== files"
ringside export -o "$HOME/x.json" marker.dat && head -c 23 "$HOME/x.json"; echo
ringside export --to chrome marker.dat >/dev/full; echo $?
