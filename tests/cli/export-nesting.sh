# export --to perfetto and --to chrome: the slices of a track nest, and begin and end when the recording says, whatever calls it has. The recordings are made
# by chance, with sections, system calls, functions of the kernel and of programs, so that calls begin and end in the middle of others.
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 0; }
cat >load.py <<'PYTHON'
import collections, json, os, subprocess, zlib
from varint import varint
run = lambda *args: subprocess.run(("ringside",) + args, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout

def fields(data):
    """The fields of a protocol buffer's message: their numbers, and their values as numbers or bytes."""
    at, found = 0, collections.defaultdict(list)
    while at < len(data):
        tag, at = varint(data, at)
        value, at = varint(data, at)
        if tag & 7 == 2:
            value, at = data[at:at + value], at + value
        found[tag >> 3].append(value)
    return found

def packets(data):
    for packet in fields(data)[1]:
        packet = fields(packet)
        if 50 in packet:
            yield from packets(zlib.decompress(packet[50][0]))
        else:
            yield packet

def perfetto(*args):
    """The slices of each track, as Perfetto's trace processor finds them, and for each track the name of the track and the thread it belongs to."""
    names, tracks, events = collections.defaultdict(dict), {}, []
    for packet in packets(run("export", "--to", "perfetto", *args)):
        sequence = packet[10][0] if 10 in packet else 0
        for data in packet[12]:
            for kind in 2, 3:
                for entry in map(fields, fields(data)[kind]):
                    names[sequence, kind][entry[1][0]] = entry[2][0].decode()
        for track in map(fields, packet[60]):
            thread = fields(track[4][0])[2][0] if 4 in track else None
            tracks[track[1][0]] = (thread, track[2][0].decode() if 2 in track else "", track[5][0] if 5 in track else 0)
        for event in map(fields, packet[11]):
            kind = event[9][0]
            if kind in (1, 2):
                name = names[sequence, 2][event[10][0]] if 10 in event else None
                args = {names[sequence, 3][a[1][0]]: a for a in map(fields, event[4])}
                events.append((packet[8][0], event[11][0], kind, name, args))
    events.sort(key=lambda event: event[0])  # stable
    stacks, slices = collections.defaultdict(list), []
    for ts, track, kind, name, args in events:
        stack = stacks[track]
        if kind == 1:
            stack.append((name, ts, args))
            continue
        # An end with a name ends the innermost slice of this name, and otherwise it is dropped.
        assert stack and name in (None, stack[-1][0]), (ts, name, stack)
        begun, begin, more = stack.pop()
        more = dict(more, **args)
        slices.append((track, more["function"][6][0].decode() if "function" in more else begun, begin, ts, "cut" in more, more))
    assert not any(stacks.values()), "a slice without its end"
    return slices, tracks

def nest(slices):
    """Checks that slices nest, which are (begin, end)."""
    stack = []
    for begin, end in sorted(slices, key=lambda s: (s[0], -s[1])):
        while stack and stack[-1] <= begin:
            stack.pop()
        assert not stack or end <= stack[-1], (begin, end, stack)
        stack.append(end)

def chrome(*args):
    """The slices of each thread."""
    ns = lambda us: round(us * 1000)
    trace, slices = json.loads(run("export", "--to", "chrome", *args).decode())["traceEvents"], []
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in trace if e.get("name") == "thread_name"}
    stacks = collections.defaultdict(list)
    for e in sorted((e for e in trace if e["ph"] in "BEX"), key=lambda e: e["ts"]):
        thread = e["pid"], e["tid"]
        if e["ph"] == "B":
            stacks[thread].append(e)
            continue
        end = ns(e["ts"]) + ns(e.get("dur", 0))
        if e["ph"] == "E":
            begun = stacks[thread].pop()
            e = dict(begun, args=dict(begun["args"], **e["args"]))
        if e.get("cat") not in ("sched", "irq", "softirq"):
            slices.append((thread, e["name"], ns(e["ts"]), end, "cut" in e["args"], e))
    return slices, names

def check(*args):
    """Returns the slices of both, after checks, and how many tracks are beside those of tasks."""
    p, tracks = perfetto(*args)
    c, threads = chrome(*args)
    for slices in p, c:
        by = collections.defaultdict(list)
        for track, name, begin, end, cut, more in slices:
            by[track].append((begin, end))
        for of in by.values():
            nest(of)
    # Asynchronous calls are no slices of chrome's threads.
    p = [s for s in p if tracks[s[0]][1] != "asynchronous"]
    key = lambda s: s[1:5]
    assert sorted(map(key, p)) == sorted(map(key, c)), (set(map(key, p)) ^ set(map(key, c)))
    aside = {uuid for uuid, track in tracks.items() if track[1] == "overlapping calls"}, {key for key, name in threads.items() if "overlapping" in name}
    assert len(aside[0]) == len(aside[1])
    return p, c, aside
PYTHON

cat >chance.py <<'PYTHON'
"""Writes a plan by chance: chance.py SEED WHAT..., and the calls in it, as NAME BEGIN END."""
import random, sys
r, what = random.Random(int(sys.argv[1])), set(sys.argv[2:])
shift = 4 if "coarse" in what else 0
calls, lines = [], []

class Task:
    def __init__(self, pid):
        self.pid, self.depth, self.n = pid, 0, 0
    def record(self, text):
        """The record's time is also that in its text."""
        global now
        now += r.choice((1, 1, 2, 30)) * 10
        lines.append("0 %d %d %s" % (now, self.pid, text.replace("NOW", str(now >> shift))))
        return now >> shift
    def function(self, name, inside=()):
        """The inside are generators, so that tasks take turns at each yield."""
        if "functions" not in what:
            for part in inside:
                yield from part
            return
        begin = self.record("funcgraph_entry func=@%s depth=%d" % (name, self.depth))
        self.depth += 1
        yield
        for part in inside:
            yield from part
        self.depth -= 1
        end = self.record("funcgraph_exit func=@%s depth=%d calltime=%d rettime=NOW" % (name, self.depth, begin))
        calls.append((name, begin, end))
    def syscall(self, number, name, inside=()):
        if "syscalls" in what:
            begin = self.record("sys_enter id=%d" % number)
            yield
        for part in inside:
            yield from part
        if "syscalls" in what:
            calls.append((name, begin, self.record("sys_exit id=%d ret=1" % number)))
            yield
    def print(self, text, into):
        into.append(self.record("print buf=" + text))
        yield
    def mark(self, text, into):
        """The write of a mark, with functions around it, or an unseen one."""
        if r.random() < 0.1:
            yield from self.print(text, into)
        else:
            yield from self.syscall(1, "write", [self.function("vfs_write", [self.function("getname"), self.print(text, into)])])
    def section(self, depth):
        self.n += 1
        name, begin, end = "s%d-%d" % (self.pid, self.n), [], []
        if "sections" in what:
            yield from self.mark("B|%d|%s" % (self.pid, name), begin)
        yield from self.work(depth)
        if "sections" in what:
            yield from self.mark("E|%d" % self.pid, end)
            calls.append((name, begin[0], end[0]))
    def program(self, depth):
        if "programs" not in what:
            return
        sp = 0x7ff000 - depth * 256
        begin = self.record("inner __probe_ip=0x402000 __sp=%d" % sp)
        yield
        yield from self.work(depth)
        calls.append(("inner", begin, self.record("inner_return __sp_popped=%d" % (sp + 8))))
    def work(self, depth):
        for i in range(r.randint(0, 3)):
            kind = r.random()
            if kind < 0.4 and depth < 5:
                yield from self.section(depth + 1)
            elif kind < 0.6 and depth < 5:
                yield from self.program(depth + 1)
            elif kind < 0.9:
                yield from self.syscall(0, "read", [self.function("vfs_read", [self.function("getname") for i in range(r.randint(0, 3))])])
            else:
                yield from self.function("do_sys_openat2")
    def run(self):
        for i in range(12):
            yield from self.section(0)

now = 1000000
tasks = [Task(pid).run() for pid in (7, 8, 9)]
while tasks:
    task = r.choice(tasks)
    for i in range(r.randint(1, 9)):
        if next(task, tasks) is tasks:
            tasks.remove(task)
            break
if "edges" in what:
    lines = lines[r.randint(5, 40):-r.randint(5, 40)]
if "losses" in what:
    for i in sorted(r.sample(range(20, len(lines) - 20), 12), reverse=True):
        lines[i:i + r.randint(1, 12)] = ["0 lost 3"]
if "lives" in what:
    for i in sorted(r.sample(range(20, len(lines) - 20), 12), reverse=True):
        cpu, time, pid = lines[i].split()[:3]
        told = r.choice(("sched_process_exit pid=%s", "sched_switch prev_pid=%s prev_state=32 next_pid=0", "sched_wakeup_new pid=%s"))
        lines.insert(i, " ".join((cpu, time, pid, told % pid)))
with open("chance.plan", "w") as file:
    print("event ringside_latency inner 3002 __probe_ip:8 __sp:8\nevent ringside_latency inner_return 3003 __probe_func:8 __probe_ret_ip:8 __sp_popped:8", file=file)
    if "coarse" in what:
        print("clock x86-tsc\ntsc2nsec 1 %d 0" % shift, file=file)
    print(*lines, sep="\n", file=file)
with open("chance.calls", "w") as file:
    for call in sorted(calls):
        print(*call, file=file)
PYTHON

echo "== a section, and the writes of its marks"
plan "$DATA/openat2.dat" marks.dat <<END
task 7 marker
0 1000000 7 sys_enter id=1
0 1001000 7 print buf=B|7|work
0 1002000 7 sys_exit id=1 ret=8
0 1010000 7 sys_enter id=0
0 1012000 7 sys_exit id=0 ret=9
0 1050000 7 sys_enter id=1
0 1051000 7 print buf=E|7
0 1052000 7 sys_exit id=1 ret=3
0 1060000 7 print buf=B|7|alone
0 1061000 7 sys_enter id=0
0 1062000 7 sys_exit id=0 ret=9
0 1063000 7 print buf=E|7
END
python3 - <<'PYTHON'
from load import *
p, c, aside = check("marks.dat")
for track, name, begin, end, cut, more in sorted(c, key=lambda s: s[2]):
    print("beside" if track in aside[1] else "thread", name, begin, end, {k: v for k, v in more["args"].items() if k in ("id", "buf", "total")})
print("perfetto:", [(name, sorted(more)) for track, name, begin, end, cut, more in p if track in aside[0]])
PYTHON

echo "== calls that are open at the end last up to the last event of their file; a leaf that ended before has its whole time"
plan "$DATA/openat2.dat" open.dat <<END
0 1010000 7 funcgraph_entry func=@vfs_open depth=0
0 1011000 7 funcgraph_entry func=@getname depth=1
0 1012000 7 funcgraph_exit func=@getname depth=1 calltime=1011000 rettime=1012000
0 1013000 8 sys_enter id=0
0 1014000 9 sched_waking pid=8
END
echo "0 2000000 9 sched_waking pid=8" | plan "$DATA/openat2.dat" later.dat
for files in open.dat "open.dat later.dat"; do
	python3 - $files <<'PYTHON'
import sys
from load import *
p, c, aside = check(*sys.argv[1:])
print(*sys.argv[1:])
for track, name, begin, end, cut, e in sorted(c, key=lambda s: (s[2], -s[3])):
    print(name, begin, end, e["args"].get("cut", "complete"))
PYTHON
done

echo "== the calls of a task that has ended last up to its end, and up to the end of calls inside of them"
show() {
	plan "$DATA/openat2.dat" ended.dat
	echo "$1"
	python3 - <<'PYTHON'
from load import *
p, c, aside = check("ended.dat")
for track, name, begin, end, cut, e in sorted(c, key=lambda s: (s[2], -s[3])):
    print("   ", name, begin, end, e["args"].get("cut", "complete"))
PYTHON
}
show "It has ended, and no later task has its pid:" <<END
0 1000000 7 sys_enter id=231
0 1001000 7 sched_process_exit pid=7
0 1002000 7 sched_switch prev_pid=7 prev_state=32 next_pid=0
1 9000000 8 sys_enter id=0
1 9001000 8 sys_exit id=0
END
show "Its end is not recorded, and another task has its pid:" <<END
0 1000000 7 funcgraph_entry func=@vfs_read depth=0
0 1100000 7 funcgraph_entry func=@vfs_open depth=1
0 1102000 7 funcgraph_exit func=@vfs_open depth=1 calltime=1100000 rettime=1102000
0 2000000 9 sched_wakeup_new pid=7
0 3000000 9 sched_waking pid=3
END
show "It calls functions after its end is recorded:" <<END
0 1000000 7 funcgraph_entry func=@vfs_read depth=0
0 1100000 7 funcgraph_entry func=@vfs_open depth=1
0 1102000 7 funcgraph_exit func=@vfs_open depth=1 calltime=1100000 rettime=1102000
0 1200000 7 sched_process_exit pid=7
0 1300000 7 funcgraph_entry func=@vfs_open depth=1
0 1302000 7 funcgraph_exit func=@vfs_open depth=1 calltime=1300000 rettime=1302000
0 2000000 9 sched_wakeup_new pid=7
0 3000000 9 sched_waking pid=3
END
show "A function returns after the end is recorded, and another task has its pid:" <<END
0 1000000 7 funcgraph_entry func=@vfs_open depth=0
0 1001000 7 funcgraph_entry func=@vfs_read depth=1
0 1002000 7 sched_process_exit pid=7
0 1003000 7 funcgraph_exit func=@vfs_read depth=1 calltime=1001000 rettime=1003000
0 1005000 7 sys_enter id=0
0 1006000 7 sys_exit id=0 ret=0
END
{
	echo "0 1000000 7 funcgraph_entry func=@vfs_open depth=1"
	echo "0 1001000 7 funcgraph_exit func=@vfs_open depth=1 calltime=1000000 rettime=1001000"
	seq -f "0 %.0f000 9 sched_waking pid=3" 2000 52000
	echo "0 60000000 9 sched_wakeup_new pid=7"
	seq -f "0 %.0f000 9 sched_waking pid=3" 60001 62000
} | show "Neither the beginning nor the end of a call is recorded, and another task has its pid:"

echo "== a function whose entry was lost begins as [unknown] in Perfetto's format, and ends all the same"
plan "$DATA/openat2.dat" unseen.dat <<END
0 1000000 7 funcgraph_entry func=@getname depth=2
0 1001000 7 funcgraph_exit func=@getname depth=2 calltime=1000000 rettime=1001000
0 1002000 7 funcgraph_exit func=@vfs_read depth=1 calltime=900000 rettime=1002000
0 1003000 7 sched_waking pid=8
END
python3 - <<'PYTHON'
from load import *
p, c, aside = check("unseen.dat")
for track, name, begin, end, cut, more in sorted(p, key=lambda s: (s[2], -s[3])):
    print(name, begin, end, more["cut"][6][0].decode() if cut else "complete", "named at its end" if "function" in more else "")
PYTHON

echo "== functions of a program that all overlap, as coroutines do: each is on a track of its own"
{
	echo "event ringside_latency inner 3002 __probe_ip:8 __sp:8"
	echo "event ringside_latency inner_return 3003 __probe_func:8 __probe_ret_ip:8 __sp_popped:8"
	for ((i = 0; i < 80; i++)); do
		echo "0 $((1000 + i)) 7 inner __probe_ip=0x402000 __sp=$((0x700000 + i * 0x10000))"
	done
	for ((i = 0; i < 80; i++)); do
		echo "0 $((2000 + i)) 7 inner_return __sp_popped=$((0x700008 + i * 0x10000))"
	done
} | plan "$DATA/openat2.dat" overlap.dat
python3 - <<'PYTHON'
from load import *
p, c, aside = check("overlap.dat")
print(len(p), "slices,", len(aside[0]), "tracks beside those of tasks,", sorted(s[2:5] for s in p) == [(1000 + i, 2000 + i, False) for i in range(80)])
PYTHON

echo "== of calls that overlap, as many are on tracks as a task can have, and these are used again; the others are asynchronous"
for many in "40 80" "1 1100"; do
	{
		echo "event ringside_latency inner 3002 __probe_ip:8 __sp:8"
		echo "event ringside_latency inner_return 3003 __probe_func:8 __probe_ret_ip:8 __sp_popped:8"
		read -r rounds calls <<<"$many"
		for ((i = 0; i < rounds * calls; i++)); do
			((i % calls)) || for ((k = 0; k < calls; k++)); do
				echo "0 $((10000 * (i + 1))) 7 inner __probe_ip=0x402000 __sp=$((0x700000 + k * 0x10000))"
			done
			echo "0 $((10000 * (i + 1) + 1 + i % calls)) 7 inner_return __sp_popped=$((0x700008 + i % calls * 0x10000))"
		done
	} | plan "$DATA/openat2.dat" overlap.dat
	python3 - <<'PYTHON'
from load import *
p, c, aside = check("overlap.dat")
slices, tracks = perfetto("overlap.dat")
trace = json.loads(run("export", "--to", "chrome", "overlap.dat").decode())["traceEvents"]
begun = {e["id"]: e["ts"] for e in trace if e["ph"] == "b"}
late = [(round(begun[e["id"]] * 1000), round(e["ts"] * 1000)) for e in trace if e["ph"] == "e"]
print(len(c), "slices,", len(aside[0]), "tracks beside those of tasks,", len(late), "asynchronous,", max(e["tid"] for e in trace) < 1 << 32,
      sorted(late) == sorted(s[2:4] for s in slices if tracks[s[0]][1] == "asynchronous"))
PYTHON
done

echo "== recordings"
python3 - <<'PYTHON'
from load import *
for name in "openat2.dat", "events.dat", "marker.dat", "syscalls-v6.dat", "kprobes.dat", "instances.dat", "function-stacks.dat":
    p, c, aside = check(os.environ["DATA"] + "/" + name)
    print(name, len(p), "slices nest,", len(aside[0]), "tracks beside those of tasks")
PYTHON

echo "== by chance: the calls are those of the plan"
for what in "sections" "sections functions" "sections syscalls" "sections syscalls functions" "sections programs" "sections programs syscalls functions" \
	"sections programs syscalls functions coarse"; do
	for ((seed = 1; seed <= 4; seed++)); do
		# shellcheck disable=SC2086 # these are several words
		python3 chance.py $seed $what && plan "$DATA/openat2.dat" chance.dat <chance.plan && python3 - <<'PYTHON' || echo "$what, seed $seed: failed"
from load import *
p, c, aside = check("chance.dat")
want = sorted((name, int(begin), int(end)) for name, begin, end in map(str.split, open("chance.calls")))
got = sorted((s[1], s[2], s[3]) for s in p)
assert want == got, (len(want), len(got), sorted(set(want) ^ set(got), key=lambda s: s[1])[:6])
PYTHON
	done
	echo "$what"
done

echo "== by chance: events are lost, tasks end, and calls begin before the recording and end after it"
for ((seed = 1; seed <= 30; seed++)); do
	options=("" coarse losses lives)
	# shellcheck disable=SC2086
	python3 chance.py $seed sections programs syscalls functions edges ${options[seed % 4]} && plan "$DATA/openat2.dat" chance.dat <chance.plan &&
		python3 -c 'from load import *; check("chance.dat")' || echo "seed $seed: failed"
done
