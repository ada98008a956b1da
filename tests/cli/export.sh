# export's lines for tables: as many as events, with the fields that `report -R` shows; forms that python's parsers read, whatever names say.
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 0; }
cd "$DATA"
files="events function-stacks instances kprobes marker openat2 syscalls-v6"

echo "== formats"
ringside export --list | cut -c1-40

echo "== a line an event, csv as jsonl; times, tasks, CPUs and numbers as report -R has them"
cat >"$HOME/compare.py" <<'PYTHON'
import csv, json, re, subprocess, sys
name = sys.argv[1]
run = lambda *args: subprocess.run(("ringside",) + args, stdout=subprocess.PIPE, check=True).stdout.decode("utf-8")
objects = [json.loads(line) for line in run("export", "--to", "jsonl", name).splitlines()]
text = run("export", "--to", "csv", name)
rows = list(csv.DictReader(text.splitlines(keepends=True), strict=True))
assert len(rows) == len(objects), (len(rows), len(objects))
for row, o in zip(rows, objects):
    assert json.loads(row.pop("fields")) == o["fields"]
    for key, value in row.items():
        assert value == ("" if o.get(key) is None else str(o[key])), (key, value, o)
events = [o for o in objects if o["event"] != "lost_events"]
line = re.compile(r"^(?:\s*(\S+): )?\s*(.*)-(\d+)\s+\[(\d+)\] .....\S* +(\d+)\.(\d{9}): (\S+): *(.*)")
shown = [m for m in map(line.match, run("report", "-R", "-t", name).splitlines()) if m]
assert len(shown) == len(events), (len(shown), len(events))
numbers = 0
for m, o in zip(shown, events):
    assert int(m[5]) * 10**9 + int(m[6]) == o["ts"] and int(m[3]) == o["pid"] and int(m[4]) == o["cpu"] and m[7] == o["event"], (m, o)
    assert m[2] == (o["comm"] or "<...>") and (m[1] or "top") == o.get("buffer", "top"), (m, o)
    for key, value in o["fields"].items():
        if type(value) is not int or type(value) is bool:
            continue
        found = re.search(r"(?:^| )" + re.escape(key) + r"=(0x[0-9a-f]+|-?\d+)(?= |$)", m[8])
        if found:
            # The print format says whether it is decimal; not all mark hexadecimal.
            others = [int(found[1], 16)] + ([] if found[1].startswith("0x") else [int(found[1])])
            assert any(other % 2**32 == value % 2**32 for other in others), (key, value, m[8])
            numbers += 1
print(name, len(events), "events", "numbers compared" if numbers else "no numbers")
PYTHON
for file in $files; do python3 "$HOME/compare.py" "$file.dat"; done

echo "== selections"
count() { ringside export --to csv "$@" | sed 1d | wc -l; }
lines() { ringside report -R "$@" | grep -vc '^cpus='; }
for how in "--cpu 1" "--only-event sched_switch" "--comm sh --since 40%" "--until 50% --tid 164" "-I -S" "-F sched_switch:prev_pid==0"; do
	# shellcheck disable=SC2086
	[ "$(count $how events.dat)" = "$(lines $how events.dat)" ] && echo "the same: $how"
done
[ "$(count --func vfs_open openat2.dat)" = "$(lines --func vfs_open openat2.dat)" ] && echo "the same: --func"
[ "$(count --min-duration 100us openat2.dat)" = "$(lines --min-duration 100us openat2.dat)" ] && echo "the same: --min-duration"

echo "== a column a field"
ringside export --to csv --events sched_switch function-stacks.dat >"$HOME/columns.csv"
head -1 "$HOME/columns.csv"
ringside report -R --only-event sched_switch function-stacks.dat | grep -c ' sched_switch:'
sed 1d "$HOME/columns.csv" | wc -l
ringside export --to csv --events sched_waking events.dat | head -1
ringside export --to csv --events kmem_cache_alloc events.dat | python3 -c 'import csv, sys; print(sum(int(row["bytes_alloc"]) for row in csv.DictReader(sys.stdin)))'
ringside report -R --only-event kmem_cache_alloc events.dat | awk 'match($0, / bytes_alloc=[0-9a-fx]+/) { v = substr($0, RSTART + 13, RLENGTH - 13)
	if (v ~ /^0x/) { n = 0; for (i = 3; i <= length(v); i++) n = n * 16 + index("0123456789abcdef", substr(v, i, 1)) - 1; v = n } sum += v } END { printf "%d\n", sum }'
ringside export --to csv --events 'sched_*' events.dat; echo $?
ringside export --to csv --events nosuch events.dat 2>&1 | head -1 | cut -c1-60

echo "== names that mean something elsewhere"
ringside convert -i function-stacks.dat --file-version 6 -o "$HOME/plain.dat"
python3 - "$HOME/plain.dat" "$HOME/hostile.dat" <<'PYTHON'
import sys
data = open(sys.argv[1], "rb").read()
data = data.replace(b"trace-cmd\0", b"\"\n,\xff</'\x01\xc3\0").replace(b" vfs_open\n", b" <\"\\>\t,\xe2\x82\n")
data = data.replace(b" trace-cmd\n", b" \"=,\xff</'\x01\xc3\n")
open(sys.argv[2], "wb").write(data)
PYTHON
ringside report "$HOME/hostile.dat" | grep -c vfs_open
ringside export --to jsonl "$HOME/hostile.dat" | python3 -c '
import json, sys
rows = [json.loads(line) for line in sys.stdin.buffer.read().decode("utf-8").splitlines()]
print(sorted({row["fields"].get("prev_comm") for row in rows if "\"" in row["fields"].get("prev_comm", "")}))
print(sorted({row["fields"]["ip"] for row in rows if row["event"] == "function" and "\"" in row["fields"]["ip"]}), len(rows))'
ringside export --to csv "$HOME/hostile.dat" >"$HOME/hostile.csv"
ringside export --to csv --events sched_switch "$HOME/hostile.dat" >"$HOME/columns.csv"
python3 - "$HOME" <<'PYTHON'
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1] + "/hostile.csv", newline="", encoding="utf-8"), strict=True))
print(len(rows), sorted({json.loads(row["fields"]).get("prev_comm") for row in rows if '"' in json.loads(row["fields"]).get("prev_comm", "")}))
rows = list(csv.DictReader(open(sys.argv[1] + "/columns.csv", newline="", encoding="utf-8"), strict=True))
print(sorted({row["prev_comm"] for row in rows if '"' in row["prev_comm"]}), {len(row) for row in rows})
PYTHON

echo "== a task whose name begins with <, in every format"
perl -pe 's/ trace-cmd$/ <script>_/' "$HOME/plain.dat" >"$HOME/script.dat"
named() { echo "$1: $(grep -c -a "$2")"; }
ringside report -t "$HOME/script.dat" | named report '^ *<script>_-'
ringside export --to csv "$HOME/script.dat" | named csv '^[0-9]*,[0-9]*,[0-9]*,<script>_,'
ringside export --to jsonl "$HOME/script.dat" | named jsonl '"comm":"<script>_"'
ringside export --to chrome "$HOME/script.dat" | named 'chrome, processes and threads' '"args":{"name":"<script>_"}'
ringside export -o "$HOME/script.ctf" "$HOME/script.dat"; named 'ctf, streams' '<script>_' <<<"$(strings -a "$HOME"/script.ctf/cpu* | sort -u)"
ringside export -o "$HOME/script.sqlite" "$HOME/script.dat" && python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
print("sqlite:", [db.execute("select count(*) from " + t + " where comm = ?", ("<script>_",)).fetchone()[0] for t in ("function", "sched_switch", "kernel_stack", "sched")])' "$HOME/script.sqlite"
for t in function sched_switch kernel_stack "sched WHERE state = 'run'"; do ringside sql --csv "$HOME/script.dat" "SELECT count(*) FILTER (WHERE comm = '<script>_') FROM $t" | tail -1; done | paste -sd ' ' -

echo "== files: the name tells; what is not complete is not there"
ringside export -o "$HOME/a.csv" marker.dat; head -1 "$HOME/a.csv" | cut -c1-20
ringside export -o "$HOME/a.jsonl" marker.dat; head -c 6 "$HOME/a.jsonl"; echo
ringside export -o "$HOME/a.txt" marker.dat; ringside report marker.dat | sed 1d | cmp - "$HOME/a.txt" && echo "as report"
ringside export --to csv marker.dat >/dev/full; echo $?
ringside export --to csv events.dat | head -1 >/dev/null; echo "${PIPESTATUS[0]}"
(ulimit -f 100; trap '' XFSZ; ringside export -o "$HOME/full.csv" events.dat) 2>&1 | sed "s|$HOME|HOME|"; echo "${PIPESTATUS[0]}"
ls "$HOME"/full* 2>&1 | sed 's/.*full/full/'

echo "== several files: which one, on which machine"
ringside convert -i events.dat --file-version 6 -o "$HOME/v6.dat"
ringside convert -i events.dat -o "$HOME/uname.dat"
sed -i 's/Linux (none) /Linux myhost /' "$HOME/uname.dat"
for name in "$HOME/uname.dat" instances.dat; do ringside export --to csv "$name" | sed 1d | wc -l; done
ringside export --to csv "$HOME/uname.dat" instances.dat 2>/dev/null | python3 -c '
import collections, csv, os, sys
rows = list(csv.DictReader(sys.stdin))
print(list(rows[0])[6:9], sorted(collections.Counter((os.path.basename(row["file"]), row["host"], row["buffer"]) for row in rows).items()))'
ringside export --to jsonl "$HOME/uname.dat" instances.dat 2>/dev/null | python3 -c '
import collections, json, os, sys
rows = [json.loads(line) for line in sys.stdin]
print(sorted(collections.Counter((os.path.basename(row["file"]), row["host"] or "", row.get("buffer", "")) for row in rows).items()))'
ringside export --to csv --events sched_switch "$HOME/uname.dat" instances.dat 2>/dev/null | head -1 | cut -d, -f 1-11
ringside export --to csv events.dat | head -1

echo "== refusals"
ringside export events.dat; echo $?
ringside export --to cvs events.dat; echo $?
ringside export -o x.foo events.dat; echo $?
ringside export --to jsonl --events sched_switch events.dat; echo $?
ringside export --to csv nosuch.dat; echo $?
ringside export --to csv -o "$HOME" events.dat 2>&1 | sed "s|$HOME|HOME|"; echo "${PIPESTATUS[0]}"

echo "== a recording without events: each file is complete, and valid to its readers"
plan "$DATA/events.dat" "$HOME/nothing.dat" </dev/null
for format in csv jsonl folded text chrome speedscope perfetto sqlite ctf; do
	ringside export --to $format -o "$HOME/nothing.$format" "$HOME/nothing.dat" 2>&1 | sed "s|.*/nothing.dat holds no events: .*|told|"
	echo "$format ${PIPESTATUS[0]}"
done
python3 - "$HOME/nothing." <<'PYTHON'
import csv, json, sqlite3, sys
name = sys.argv[1]
rows = list(csv.reader(open(name + "csv")))
print(len(rows), "row, with", rows[0][:2], [open(name + format).read() for format in ("jsonl", "folded", "text")])
print(json.load(open(name + "chrome"))["traceEvents"], json.load(open(name + "speedscope"))["profiles"])
db = sqlite3.connect(name + "sqlite")
print(db.execute("pragma integrity_check").fetchall(), db.execute("select count(*) from calls").fetchall(), db.execute("select count(*) from sched").fetchall())
# A trace is a list of packets: field 1, with its length.
data = open(name + "perfetto", "rb").read()
at = 0
while at < len(data):
    assert data[at] == 0x0a
    at, size, shift = at + 1, 0, 0
    while True:
        size |= (data[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 128:
            break
    at += size
print("perfetto: whole packets", at == len(data) and at > 0)
PYTHON
! command -v babeltrace2 >/dev/null || babeltrace2 "$HOME/nothing.ctf"
