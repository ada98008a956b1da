# export --to ctf, as babeltrace2 prints it: the same events, fields and times as report and jsonl have them, on every CPU; losses as discarded events.
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 0; }
command -v babeltrace2 >/dev/null || { echo "SKIP: no babeltrace2"; exit 0; }
cd "$DATA"
cat >"$HOME/load.py" <<'PYTHON'
import json, os, re, shutil, subprocess, sys
from collections import Counter
run = lambda *args: subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True)
token = re.compile(rb'\s*(?:"((?:[^"\\]|\\.)*)"|(0x[0-9A-F]+|-?\d+)|([A-Za-z_]\w*)|(.))', re.S)

def parse(tokens):
    """{ name = value, ... } and [ [0] = value, ... ]"""
    kind, value = next(tokens)
    if kind != "mark":
        return value
    if value == "{":
        made = {}
        while True:
            kind, name = next(tokens)
            if (kind, name) == ("mark", "}"):
                return made
            if kind == "mark":
                continue
            assert next(tokens) == ("mark", "="), name
            made[name] = parse(tokens)
    made = []
    assert value == "[", value
    while True:
        kind, value = next(tokens)
        if (kind, value) == ("mark", "]"):
            return made
        if (kind, value) == ("mark", "["):
            assert next(tokens)[1] == len(made) and next(tokens)[1] == "]" and next(tokens)[1] == "="
            made.append(parse(tokens))

def tokens(text):
    for string, number, name, mark in token.findall(text):
        if number:
            yield "value", int(number, 0)
        elif name:
            yield "name", name.decode()
        elif mark:
            yield "mark", mark.decode()
        else:
            yield "value", re.sub(rb'\\(.)', lambda m: {b"n": b"\n", b"t": b"\t"}.get(m[1], m[1]), string).decode("utf-8")

def load(*args):
    folder = os.environ["HOME"] + "/x.ctf"
    run("ringside", "export", "-o", folder, *args)
    done = run("babeltrace2", "--clock-seconds", "--no-delta", folder)
    events = []
    for line in done.stdout.splitlines():
        head = re.match(rb"\[(\d+)\.(\d{9})\] (\S+): ", line)
        assert head, line
        parts = tokens(line[head.end():])
        cpu = parse(parts)
        next(parts)
        task = parse(parts)
        next(parts)
        events.append((int(head[1]) * 10**9 + int(head[2]), head[3].decode(), cpu, task, parse(parts)))
    return events, done.stderr.decode()

def same(key, value, fields):
    """A value of jsonl, and what stands for it here."""
    if key + "_name" in fields and isinstance(value, str) and isinstance(fields[key], int):
        return fields[key + "_name"] == value			# a function
    if isinstance(value, str) and re.fullmatch("0x[0-9a-f]+", value) and isinstance(fields[key], int):
        return fields[key] == int(value, 16)			# an address
    if isinstance(value, list):
        return fields[key] == value and fields[key + "_length"] == len(value)
    return fields[key] == (int(value) if isinstance(value, bool) else "" if value is None and isinstance(fields[key], str) else value)

def compare(name, *args):
    objects = [json.loads(line) for line in run("ringside", "export", "--to", "jsonl", *args, name).stdout.decode().splitlines()]
    wanted = sorted((o for o in objects if o["event"] != "lost_events"), key=lambda o: (o["ts"], o["cpu"], o.get("buffer", "")))
    events, said = load(*args, name)
    got = sorted(events, key=lambda e: (e[0], e[2]["cpu_id"], e[2].get("buffer", "")))
    assert len(wanted) == len(got), (len(wanted), len(got))
    fields = 0
    for o, (ts, event, cpu, task, mine) in zip(wanted, got):
        assert (ts, event, cpu["cpu_id"], cpu.get("buffer", "")) == (o["ts"], o["event"], o["cpu"], o.get("buffer", "")), (o, ts, event, cpu)
        assert (task["pid"], task["comm"], task["flags"], task["preempt"]) == (o["pid"], o["comm"] or "<...>", o["flags"], o["preempt"]), (o, task)
        for key, value in o["fields"].items():
            assert same(key, value, mine), (key, value, mine)
            fields += 1
    lost = Counter(o["cpu"] for o in objects if o["event"] == "lost_events")
    want = sum(o["fields"]["count"] or 1 for o in objects if o["event"] == "lost_events")
    told = [int(n) for n in re.findall(r"discarded (\d+) event", said)]
    assert (len(told), sum(told)) == (sum(lost.values()), want), (told, want, lost)
    print(os.path.basename(name), *args, len(got), "events,", fields, "fields,", len(told), "gaps,", sum(told), "lost: no difference")
    return got
PYTHON

echo "== events, fields, times, tasks, CPUs"
PYTHONPATH=$HOME python3 - <<'PYTHON'
from load import *
for name in "events", "function-stacks", "instances", "kprobes", "marker", "openat2", "syscalls-v6":
    compare(name + ".dat")
compare("openat2.dat", "--func", "vfs_open")
compare("events.dat", "--cpu", "1", "--since", "40%", "-F", "sched_switch:prev_pid==0")
PYTHON

echo "== report's lines: their times and names, in their order"
PYTHONPATH=$HOME python3 - <<'PYTHON'
from load import *
for name in "events.dat", "kprobes.dat":
    lines = [re.match(r".*-(\d+)\s+\[(\d+)\] .....\S* +(\d+)\.(\d{9}): (\S+):", line) for line in run("ringside", "report", "-R", "-t", name).stdout.decode().splitlines()]
    want = [(int(m[3]) * 10**9 + int(m[4]), int(m[2]), int(m[1]), m[5]) for m in lines if m]
    got = [(ts, cpu["cpu_id"], task["pid"], event) for ts, event, cpu, task, _ in load(name)[0]]
    print(name, len(got), want == got or sorted(want) == sorted(got))
PYTHON

echo "== losses; two buffers"
machine --seed 5 --switches --irqs graph --lose 300 "$DATA/events.dat" "$HOME/lose.dat" >/dev/null
machine --seed 1 --switches --migrate --irqs graph --cpus 4 --tasks 20 --two --lose 300 "$DATA/events.dat" "$HOME/two.dat" >/dev/null
PYTHONPATH=$HOME python3 - "$HOME" <<'PYTHON'
from load import *
compare(sys.argv[1] + "/lose.dat")
compare(sys.argv[1] + "/two.dat")
PYTHON
ringside report "$HOME/lose.dat" | awk '/EVENTS DROPPED/ { sub(/.*\[/, ""); n++; sum += $1 } END { print n " gaps, " sum " lost in report" }'

echo "== a task whose name is not known, after one whose name is"
{ echo task 5 five; for n in {1..40}; do echo "0 $((1000 * n)) $((n == 40 ? 6 : 5)) sched_waking pid=1"; done; } | plan events.dat "$HOME/nameless.dat"
ringside export -o "$HOME/nameless.ctf" "$HOME/nameless.dat" && babeltrace2 "$HOME/nameless.ctf" | grep -o 'pid = [0-9]*, comm = "[^"]*", flags' | uniq -c

echo "== names that mean something in TSDL"
ringside convert -i function-stacks.dat --file-version 6 -o "$HOME/plain.dat"
python3 - "$HOME" <<'PYTHON'
import sys
data = open(sys.argv[1] + "/plain.dat", "rb").read()
data = data.replace(b"trace-cmd\0", b"\"';}\xff/**b\0").replace(b"name: sched_switch\n", b"name: \"\\;}/*\xff\x01abcd\n").replace(b" prev_comm[16]", b" ts\"'();--[16]")
open(sys.argv[1] + "/hostile.dat", "wb").write(data)
PYTHON
ringside export -o "$HOME/hostile.ctf" "$HOME/hostile.dat"
babeltrace2 "$HOME/hostile.ctf" | sed -n 's/^[^ ]* [^ ]* //; /abcd/ { p; q }'

echo "== times from 2^63 on, which is 9223372036854775808: those below are read, of the others a warning tells"
plan events.dat "$HOME/huge.dat" <"${0%/cli/*}/data/late.plan"
ringside export -o "$HOME/huge.ctf" "$HOME/huge.dat"
ringside export -o "$HOME/below.ctf" --until 9223372036.854775000 "$HOME/huge.dat" && babeltrace2 --clock-seconds "$HOME/below.ctf" | sed 's/\].*/]/'

echo "== the folder is there when it is complete; what else is there stays"
(ulimit -f 100; trap '' XFSZ; ringside export -o "$HOME/full.ctf" events.dat) 2>&1 | sed "s|$HOME|HOME|"; echo "${PIPESTATUS[0]}"
mkdir "$HOME/mine" "$HOME/empty"; touch "$HOME/mine/file" "$HOME/plain"
for name in full.ctf/ mine plain .; do ringside export --to ctf -o "$HOME/$name" no.dat 2>&1 | sed "s|$HOME|HOME|"; done
for name in empty x.ctf new/; do ringside export --to ctf -o "$HOME/$name" marker.dat && babeltrace2 "$HOME/$name" | wc -l; done
ringside export --to ctf marker.dat; echo $?
for pid in 999999999 $$; do mkdir "$HOME/.empty.$pid"; touch "$HOME/.empty.$pid/cpu0"; done
ringside export --to ctf -o "$HOME/empty" marker.dat
cd "$HOME" && find . -name '*empty*' -o -name '*full*' | sed "s/$$/PID/" | LC_ALL=C sort
