# export --to perfetto, decoded by protoc with the numbers that Perfetto publishes: calls as funcs has them, events as jsonl has them.
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 0; }
command -v protoc >/dev/null || { echo "SKIP: no protoc"; exit 0; }
cd "$DATA"
cat >"$HOME/load.py" <<'PYTHON'
import json, os, pickle, subprocess, zlib
from varint import varint
run = lambda *args: subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout

def parse(lines):
    message = {}
    for line in lines:
        line = line.strip()
        if line == "}":
            break
        if line.endswith(" {"):
            message.setdefault(line[:-2], []).append(parse(lines))
        else:
            key, value = line.split(": ", 1)
            if value[0] == '"':
                value = value[1:-1].encode("ascii").decode("unicode_escape").encode("latin-1").decode("utf-8")
            elif value[0] in "-0123456789":
                value = int(value)
            message.setdefault(key, []).append(value)
    return message

def inflate(data):
    """The packets of a trace, those in deflated ones included."""
    at, whole = 0, b""
    while at < len(data):
        tag, begin = varint(data, at)
        size, begin = varint(data, begin)
        assert tag == 1 << 3 | 2, tag
        packet, inner = data[begin:begin + size], 0
        tag, inner = varint(packet, 0)
        if tag == 50 << 3 | 2:
            packed, inner = varint(packet, inner)
            assert inner + packed == size
            whole += zlib.decompress(packet[inner:])
        else:
            whole += data[at:begin + size]
        at = begin + size
    return whole

def load(*args):
    """What protoc makes of it, which is kept for whoever asks once more."""
    kept = os.path.join(os.environ["HOME"], "-".join(args).replace("/", "_") + ".packets")
    if not os.path.exists(kept):
        with open(kept, "wb") as file:
            pickle.dump(decode(*args), file)
    with open(kept, "rb") as file:
        return pickle.load(file)

def decode(*args):
    data = run("ringside", "export", "--to", "perfetto", *args)
    text = subprocess.run(("protoc", "--proto_path=" + os.environ["TOP"] + "/tests/data", "--decode=Trace", "perfetto.proto"), input=inflate(data),
                          stdout=subprocess.PIPE, check=True).stdout.decode("ascii")
    packets = parse(iter(text.splitlines()))["packet"]
    assert not any(key[0].isdigit() for packet in packets for key in keys(packet)), "a field without a name"
    return packets, len(data)

def keys(message):
    for key, values in message.items():
        yield key
        for value in values:
            if isinstance(value, dict):
                yield from keys(value)

class Trace:
    """What interned numbers mean, as the packets come; slices, instants, counters, tracks, ftrace's events."""
    def __init__(self, packets):
        self.tracks, self.slices, self.instants, self.counters, self.ftrace, self.stats = {}, [], [], [], [], {}
        self.lost = []		# the CPU of each bundle that comes behind a loss
        self.processes = {}
        # Each sequence of packets has numbers of its own, from its first packet on.
        sequences = {}
        events = []
        for packet in packets:
            sequence = packet.get("trusted_packet_sequence_id", [0])[0]
            if packet.get("sequence_flags", [0])[0] & 1:
                assert sequence not in sequences, "a sequence begins twice"
                sequences[sequence] = {"event_names": {}, "debug_annotation_names": {}, "debug_annotation_string_values": {}, "event_categories": {}}
            tables = sequences.get(sequence)
            for data in packet.get("interned_data", []):
                for kind, entries in data.items():
                    for entry in entries:
                        tables[kind][entry["iid"][0]] = entry.get("name", entry.get("str"))[0]
            for track in packet.get("track_descriptor", []):
                if "process" in track:
                    self.processes[track["process"][0]["pid"][0]] = track["process"][0]["process_name"][0]
                else:
                    self.tracks[track["uuid"][0]] = track
            for bundle in packet.get("ftrace_events", []):
                self.lost += bundle["cpu"] if "lost_events" in bundle else []
                self.ftrace += [dict(event, cpu=bundle["cpu"]) for event in bundle.get("event", [])]
            for stats in packet.get("ftrace_stats", []):
                self.stats = {cpu["cpu"][0]: cpu["overrun"][0] for cpu in stats.get("cpu_stats", [])}
            for event in packet.get("track_event", []):
                args = {tables["debug_annotation_names"][a["name_iid"][0]]: self.value(a, tables) for a in event.get("debug_annotations", [])}
                name = tables["event_names"].get(event.get("name_iid", [0])[0])
                events.append((packet["timestamp"][0], event["type"][0], event["track_uuid"][0], name, args, event.get("counter_value", [0])[0]))
        events.sort(key=lambda e: e[0])		# stable, as the trace processor does it
        stacks = {}
        for ts, kind, track, name, args, value in events:
            stack = stacks.setdefault(track, [])
            if kind == "TYPE_SLICE_BEGIN":
                stack.append((ts, name, args))
            elif kind == "TYPE_SLICE_END":
                begin, begun, more = stack.pop()
                assert name is None, "an end with a name"
                self.slices.append((track, begin, ts, args.get("function", begun), dict(more, **args), len(stack)))
            elif kind == "TYPE_INSTANT":
                self.instants.append((ts, track, name, args))
            else:
                self.counters.append((ts, self.tracks[track]["name"][0], value))
        assert not any(stacks.values()), "a slice without its end"

    def value(self, a, tables):
        if "string_value_iid" in a:
            return tables["debug_annotation_string_values"][a["string_value_iid"][0]]
        if "pointer_value" in a:
            return hex(a["pointer_value"][0])
        if "array_values" in a:
            return [self.value(item, tables) for item in a["array_values"]]
        for key in "bool_value", "uint_value", "int_value", "string_value":
            if key in a:
                return {"true": True, "false": False}.get(a[key][0], a[key][0]) if key == "bool_value" else a[key][0]
PYTHON

machine --seed 5 --switches --irqs graph --lose 300 --cpus 3 --tasks 9 --calls 3000 events.dat "$HOME/lose.dat" >/dev/null
echo "== calls as funcs counts them, each inside of its caller, as deep as the records say; also where events are lost"
PYTHONPATH="$HOME:$PYTHONPATH" python3 - <<'PYTHON'
from load import *
for name in "openat2.dat", "syscalls-v6.dat", "events.dat", "marker.dat", os.environ["HOME"] + "/lose.dat":
    packets, size = load(name)
    trace = Trace(packets)
    calls, deepest = {}, 0
    for track, begin, end, function, args, depth in trace.slices:
        deepest = max(deepest, depth + 1)
        if "cut" not in args:
            calls.setdefault(function, []).append(args.get("total", end - begin))
    rows = [row for row in json.loads(run("ringside", "funcs", "--json", name))["rows"] if row["calls"]]
    want = {row["function"]: (row["calls"], row["min"], row["max"]) for row in rows}
    got = {function: (len(t), min(t), max(t)) for function, t in calls.items()}
    assert want == got, set(want.items()) ^ set(got.items())
    print(os.path.basename(name), "the same:", len(got), "names,", sum(len(t) for t in calls.values()), "calls,", deepest, "levels")
PYTHON

echo "== slices begin and end when the records say: function_graph's that are no leaves, by their thread"
PYTHONPATH="$HOME:$PYTHONPATH" python3 - <<'PYTHON'
from load import *
lines = [json.loads(line) for line in run("ringside", "export", "--to", "jsonl", "openat2.dat").decode().splitlines()]
trace = Trace(load("openat2.dat")[0])
stack, want = {}, set()
for line in lines:
    open_calls = stack.setdefault(line["pid"], [])
    if line["event"] == "funcgraph_entry":
        open_calls.append((line["ts"], line["fields"]["func"], False))
    elif open_calls:
        begin, function, parent = open_calls.pop()
        if open_calls:
            open_calls[-1] = open_calls[-1][:2] + (True,)
        if parent:
            want.add((line["pid"], begin, line["ts"], function))
got = {(trace.tracks[track]["thread"][0]["tid"][0], begin, end, function) for track, begin, end, function, args, depth in trace.slices}
print(len(want), "of", len(want & got))
PYTHON

echo "== what Perfetto knows of ftrace; all other events, with their fields, on their thread's track"
PYTHONPATH="$HOME:$PYTHONPATH" python3 - <<'PYTHON'
from load import *
from collections import Counter
known = {"sched_switch", "sched_waking", "sched_wakeup", "sched_wakeup_new", "softirq_entry", "softirq_exit", "softirq_raise", "irq_handler_entry",
         "irq_handler_exit", "cpu_idle", "cpu_frequency"}
for name in "events.dat", "function-stacks.dat", "kprobes.dat", "instances.dat":
    trace = Trace(load(name)[0])
    lines = [json.loads(line) for line in run("ringside", "export", "--to", "jsonl", name).decode().splitlines()]
    bundled, found = Counter(), Counter()
    for event in trace.ftrace:
        kind = (set(event) - {"timestamp", "pid", "cpu"}).pop()
        bundled[event["timestamp"][0], event["cpu"][0], event["pid"][0], kind, tuple(sorted((k, v[0]) for k, v in event[kind][0].items()))] += 1
    def tid(track):
        thread = trace.tracks[track].get("thread")
        return thread[0]["tid"][0] if thread else int(trace.tracks[track]["name"][0].split()[-1]) if "idle" not in trace.tracks[track]["name"][0] else 0
    for ts, track, kind, args in trace.instants:
        found[ts, tid(track), kind, json.dumps({k: v for k, v in args.items() if v is not None}, sort_keys=True)] += 1
    n = 0
    for line in lines:
        fields = line["fields"]
        if line["event"] in known and "buffer" not in line:
            fields = {k: v for k, v in fields.items() if not k.endswith("_name") and not (line["event"] == "sched_wakeup" and k == "success")}
            key = line["ts"], line["cpu"], line["pid"], line["event"], tuple(sorted(fields.items()))
            assert bundled[key] > 0, (key, [k for k in bundled if k[0] == line["ts"]])
            bundled[key] -= 1
            n += 1
        elif line["event"] not in ("sys_enter", "sys_exit"):
            fields = {k: v for k, v in fields.items() if v != [] and v is not None}
            key = line["ts"], line["pid"], line["event"], json.dumps(fields, sort_keys=True)
            assert found[key] > 0, (key, [k for k in found if k[0] == line["ts"]])
            found[key] -= 1
            n += 1
    print(name, n, "of", n, "events; left over:", sum(v for v in bundled.values()), sum(v for k, v in found.items() if k[2] not in ("sys_enter", "sys_exit")))
PYTHON

echo "== the second of two events with which a system call began is an instant, and the call is there once"
plan openat2.dat "$HOME/both.dat" <<END
0 1000000 7 sys_enter id=34
0 1001000 7 sys_enter_pause __syscall_nr=34
0 1009000 7 sys_exit id=34 ret=-4
0 1010000 7 sys_exit_pause __syscall_nr=34 ret=-4
END
PYTHONPATH="$HOME:$PYTHONPATH" python3 - <<'PYTHON'
from load import *
trace = Trace(load(os.environ["HOME"] + "/both.dat")[0])
print([s[1:4] + (sorted(s[4]),) for s in trace.slices], [(ts, name, args) for ts, track, name, args in trace.instants])
PYTHON

echo "== losses: an instant each, with its CPU, in the group of its buffer; bundles and statistics tell of those of the first buffer alone"
machine --seed 1 --switches --migrate --irqs graph --cpus 4 --tasks 20 --two --lose 300 --lose-sched 100 events.dat "$HOME/two.dat" >/dev/null
PYTHONPATH="$HOME:$PYTHONPATH" python3 - <<'PYTHON'
from load import *
from collections import Counter
for name in "lose", "two":
    name = os.environ["HOME"] + "/" + name + ".dat"
    trace = Trace(load(name)[0])
    lines = [json.loads(line) for line in run("ringside", "export", "--to", "jsonl", name).decode().splitlines()]
    lost = [(line["ts"], line["cpu"], line.get("buffer"), line["fields"]["count"]) for line in lines if line["event"] == "lost_events"]
    got = [(ts, args["cpu"], trace.tracks[track]["name"][0] if track else None, args.get("count")) for ts, track, kind, args in trace.instants if kind == "lost_events"]
    first = [loss for loss in lost if not loss[2]]
    sums = Counter({cpu: 0 for cpu in trace.stats})
    for _, cpu, _, count in first:
        sums[cpu] += count or 0
    print(os.path.basename(name), sorted(got, key=str) == sorted(lost, key=str), len(lost), len(first), Counter(trace.lost) == Counter(cpu for _, cpu, _, _ in first), dict(sums) == trace.stats)
PYTHON

echo "== tracks, groups, counters, losses, sizes"
PYTHONPATH="$HOME:$PYTHONPATH" python3 - "$HOME" <<'PYTHON'
import sys
from load import *
def convert(name):
    run("ringside", "convert", "-i", name, "--file-version", "6", "-o", sys.argv[1] + "/plain.dat")
    return open(sys.argv[1] + "/plain.dat", "rb").read()
trace = Trace(load("instances.dat")[0])
groups = {uuid: track["name"][0] for uuid, track in trace.tracks.items() if "parent_uuid" not in track and "thread" not in track}
print(sorted(groups.values()), sorted({groups[track["parent_uuid"][0]] for track in trace.tracks.values() if "parent_uuid" in track}))
data = convert("marker.dat")
open(sys.argv[1] + "/counter.dat", "wb").write(data.replace(b"B|193|phase2", b"C|193|\"\xff|-42"))
print([counter[1:] for counter in Trace(load(sys.argv[1] + "/counter.dat")[0]).counters])
data = convert("function-stacks.dat").replace(b"trace-cmd\0", b"\"\n,\xff</'\x01\xc3\0").replace(b" vfs_open\n", b" <\"\\>\t,\xe2\x82\n")
open(sys.argv[1] + "/hostile.dat", "wb").write(data)
trace = Trace(load(sys.argv[1] + "/hostile.dat")[0])
print({event["sched_switch"][0]["prev_comm"][0] for event in trace.ftrace if '"' in event.get("sched_switch", [{}])[0].get("prev_comm", [""])[0]})
print(Trace(load("events.dat")[0]).stats)
for name in "events.dat", "function-stacks.dat", "instances.dat", "kprobes.dat", "marker.dat", "openat2.dat", "syscalls-v6.dat":
    size, chrome = (len(run("ringside", "export", "--to", form, name)) for form in ("perfetto", "chrome"))
    print(name, "at most a third of chrome's" if 3 * size <= chrome else (size, chrome))
PYTHON

echo "== files"
ringside export -o "$HOME/x.pftrace" marker.dat && ringside export --to perfetto marker.dat | cmp - "$HOME/x.pftrace" && echo the same
ringside export --to perfetto marker.dat >/dev/full; echo $?
