# export --to sqlite and folded: counts and sums are those of report and funcs.
cd "$DATA"
echo "== folded: what each function computed itself, as funcs adds it up"
ringside export --to folded openat2.dat >"$HOME/folded"
awk '{ weight = $NF; sub(/ [0-9]+$/, ""); n = split($0, f, ";"); self[f[n]] += weight } END { for (name in self) print name, self[name] }' "$HOME/folded" | sort >"$HOME/got"
ringside funcs --csv --columns function,self openat2.dat 2>/dev/null | tr -d '\r' | tr , ' ' | awk 'NR > 1 && $2' | sort | diff - "$HOME/got" && echo "the same: $(wc -l <"$HOME/got") functions"
cut -d';' -f1 "$HOME/folded" | sort | uniq -c
ringside export -o "$HOME/x.folded" openat2.dat && cmp "$HOME/folded" "$HOME/x.folded" && echo the same
ringside export --to folded kprobes.dat

ringside export --list | grep '^sqlite.*not in this program' >/dev/null && { echo "no libsqlite3"; exit 1; }
command -v python3 >/dev/null || { echo "no python3"; exit 1; }
python3 -c 'import sqlite3' || exit 1

echo "== sqlite: calls as funcs counts them; who calls whom"
for name in openat2 syscalls-v6 events marker; do ringside export -o "$HOME/$name.sqlite" "$name.dat"; done
python3 - "$HOME" <<'PYTHON'
import json, sqlite3, subprocess, sys
run = lambda *args: subprocess.run(("ringside",) + args, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.decode()
for name in "openat2", "syscalls-v6", "events", "marker":
    db = sqlite3.connect(sys.argv[1] + "/" + name + ".sqlite")
    ask = lambda sql, *args: db.execute(sql, args).fetchall()
    assert ask("pragma integrity_check") == [("ok",)]
    rows = [row for row in json.loads(run("funcs", "--json", name + ".dat"))["rows"] if row["calls"]]
    want = {(row["function"], row["calls"], row["self"], row["min"], row["max"]) for row in rows}
    got = set(ask("select function, count(*), sum(self), min(total), max(total) from calls where cut is null group by function"))
    assert want == got, want ^ got
    assert ask("select count(*) from calls where total <> self + callees + irq + off") == [(0,)]
    wrong = ask("select count(*) from calls join calls as caller on calls.parent = caller.id where calls.depth <> caller.depth + 1 "
                "or calls.pid <> caller.pid or calls.ts < caller.ts")
    lines = [json.loads(line) for line in run("export", "--to", "jsonl", name + ".dat").splitlines()]
    events = {}
    for line in lines:
        events.setdefault(line["event"], []).append(line)
    tables = {row[0] for row in ask("select name from sqlite_master where type = 'table'")} - {"calls_data", "calls_tracks", "calls_rare", "sched", "lost", "meta"}
    n = 0
    for table in tables:
        count, ts = ask(f'select count(*), sum(ts) from "{table}"')[0]
        assert table.startswith("sys_") or table == "print" or (count, ts) == (len(events[table]), sum(line["ts"] for line in events[table])), table
        n += count
    print(name, len(got), "names,", sum(row[1] for row in got), "calls,", wrong[0][0], "wrong;", len(tables), "tables,", n, "rows")
    if name == "events":
        print(ask("select sum(bytes_alloc) from kmem_cache_alloc")[0][0] == sum(line["fields"]["bytes_alloc"] for line in events["kmem_cache_alloc"]),
              ask("select count(*), sum(dur) from sched"), ask("select distinct typeof(bytes_req), typeof(ptr), typeof(call_site), typeof(accounted) from kmem_cache_alloc"))
        print(ask("select key, value from meta where key in ('time_unit', 'events_lost')"))
PYTHON
ringside report -t --only-event sched_switch -R events.dat | sed -n 's/.* \[\(...\)\] ..... *\([0-9]*\)\.\([0-9]*\): .*prev_pid=\([0-9]*\) .*next_pid=\([0-9]*\) .*/\1 \2\3 \4 \5/p' | awk '
	$1 in since && $3 && pid[$1] == $3 { n++; sum += $2 - since[$1] } { since[$1] = $2; pid[$1] = $4 } END { printf "%d %d\n", n, sum }'

echo "== of one thread alone: its times off the CPU are those of funcs, though other tasks' records tell of its return; also in sql"
ringside export -o "$HOME/thread.sqlite" --tid 164 events.dat
python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
print(*db.execute("select count(*), sum(total), sum(self), sum(off), sum(blocked), sum(queued), sum(irq) from calls where cut is null").fetchone())
print(*db.execute("select count(*), sum(dur) from sched where pid = 164").fetchone())' "$HOME/thread.sqlite"
ringside sql --csv --tid 164 events.dat "SELECT count(*) || ' ' || sum(total) || ' ' || sum(self) || ' ' || sum(off) || ' ' || sum(blocked) || ' ' || sum(queued) || ' ' || sum(irq) FROM calls WHERE cut IS NULL" | tail -1
ringside funcs --csv --columns calls,total,self,off,blocked,queued,irq --tid 164 events.dat 2>/dev/null | awk -F, 'NR > 1 { for (i = 1; i <= 7; i++) sum[i] += $i } END { print sum[1], sum[2], sum[3], sum[4], sum[5], sum[6], sum[7] }'
# Of other tasks it is not known how long they ran: their own switches are left out.
python3 -c 'import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("select count(*) from sched where pid <> 164").fetchone()[0])' "$HOME/thread.sqlite"
ringside export --to csv --tid 164 events.dat | sed 1d | cut -d, -f3 | sort -u

echo "== names that mean something in SQL"
ringside convert -i function-stacks.dat --file-version 6 -o "$HOME/plain.dat"
python3 - "$HOME" <<'PYTHON'
import sqlite3, subprocess, sys
data = open(sys.argv[1] + "/plain.dat", "rb").read()
data = data.replace(b"trace-cmd\0", b"\"';--\xff/**\0").replace(b"name: sched_switch\n", b"name: \"';drop tab\"\n").replace(b" prev_comm[16]", b" ts\"'();--[16]")
open(sys.argv[1] + "/hostile.dat", "wb").write(data)
print(subprocess.run(("ringside", "export", "-o", sys.argv[1] + "/hostile.db", sys.argv[1] + "/hostile.dat"), stderr=subprocess.DEVNULL).returncode)
db = sqlite3.connect(sys.argv[1] + "/hostile.db")
print(sorted(row[0] for row in db.execute("select name from sqlite_master where type = 'table'")), db.execute("pragma integrity_check").fetchall())
PYTHON

# Neither the event's name nor its system's can be a table's.
plan "$DATA/openat2.dat" "$HOME/own.dat" <<PLAN
event sqlite_probes sqlite_open 3001 fd:4
event SQLite_probes sqlite_open 3002 fd:4
0 1000 7 sqlite_open fd=5
PLAN
timeout 60 ringside export -o "$HOME/own.sqlite" "$HOME/own.dat"
python3 -c 'import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute("select ts, fd from event_sqlite_open"))' "$HOME/own.sqlite"

echo "== several files"
ringside export -o "$HOME/two.sqlite" events.dat instances.dat 2>/dev/null
python3 - "$HOME" <<'PYTHON'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1] + "/two.sqlite")
for sql in "select * from files", "select file, buffer, count(*) from sched_switch group by 1, 2", "select file, count(*) from calls group by 1", "select file, count(*) from sched group by 1":
    print(db.execute(sql).fetchall())
PYTHON
for name in events instances; do ringside report -R --only-event sched_switch $name.dat | grep -c ': *sched_switch:'; done

echo "== an instance and a file whose names are no UTF-8"
ringside convert -i instances.dat --file-version 6 -o "$HOME/plain.dat"
python3 - "$HOME" <<'PYTHON'
import json, os, sqlite3, subprocess, sys
home = os.fsencode(sys.argv[1])
data = open(home + b"/plain.dat", "rb").read()
name = json.loads(subprocess.run(("ringside", "export", "--to", "jsonl", "instances.dat"), stdout=subprocess.PIPE).stdout.splitlines()[-1])["buffer"].encode()
open(home + b"/bytes\xff.dat", "wb").write(data.replace(name + b"\0", b"\xff" + name[1:] + b"\0"))
subprocess.run((b"ringside", b"export", b"-o", home + b"/bytes.sqlite", home + b"/bytes\xff.dat", b"instances.dat"), stderr=subprocess.DEVNULL)
db = sqlite3.connect(home + b"/bytes.sqlite")
print([(os.path.basename(row[0]), *row[1:]) for row in db.execute("select file, buffer, count(*) from sched_switch group by 1, 2")])
print(db.execute("select count(*) from sched_switch join files on sched_switch.file = files.file").fetchone() == db.execute("select count(*) from sched_switch").fetchone())
PYTHON

echo "== what ran with losses in between: nothing is put together across one, and all else is there; as awk adds up the lines of report"
machine --seed 5 --switches --irqs graph --lose 300 --cpus 3 --tasks 9 --calls 3000 events.dat "$HOME/lose.dat" >/dev/null
ringside report -t -R "$HOME/lose.dat" | awk '	/EVENTS DROPPED|CPU:[0-9]* \[/ { sub(/CPU:/, ""); delete since[$1 + 0]; next }
	/ sched_switch: / { match($0, /\[[0-9]+\]/); cpu = substr($0, RSTART + 1, RLENGTH - 2) + 0; ts = substr($0, RSTART + RLENGTH); split(ts, at, /[ :]+/); sub(/\./, "", at[3]); ts = at[3] + 0
		match($0, /prev_pid=[0-9]+/); prev = substr($0, RSTART + 9, RLENGTH - 9); match($0, /next_pid=[0-9]+/)
		if (cpu in since && prev > 0 && pid[cpu] == prev) { n++; sum += ts - since[cpu] }
		since[cpu] = ts; pid[cpu] = substr($0, RSTART + 9, RLENGTH - 9) }
	END { printf "%d %d\n", n, sum }'
ringside export -o "$HOME/lose.sqlite" "$HOME/lose.dat"
python3 -c 'import sqlite3, sys
print(*sqlite3.connect(sys.argv[1]).execute("select count(*), sum(dur) from sched").fetchone())' "$HOME/lose.sqlite"
ringside export --to chrome "$HOME/lose.dat" | python3 -c 'import json, sys
ran = [round(e["dur"] * 1000) for e in json.load(sys.stdin)["traceEvents"] if e["ph"] == "X" and e.get("cat") == "sched"]
print(len(ran), sum(ran))'

echo "== calls that are not complete, and why: as many in sqlite and chrome, and in all as many as funcs counts"
python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute("select cut, count(*) from calls where cut is not null group by cut order by cut"): print(*row)' "$HOME/lose.sqlite" >"$HOME/cuts"
cat "$HOME/cuts"
ringside export --to chrome "$HOME/lose.dat" | python3 -c 'import collections, json, sys
cuts = collections.Counter(e["args"]["cut"] for e in json.load(sys.stdin)["traceEvents"] if "cut" in e.get("args", {}))
for cut in sorted(cuts): print(cut, cuts[cut])' | diff "$HOME/cuts" - && echo "the same in chrome"
ringside funcs --csv --columns cut "$HOME/lose.dat" 2>/dev/null | awk 'NR > 1 { n += $1 } END { print n }'
awk '{ n += $NF } END { print n }' "$HOME/cuts"

echo "== an event has a field of the name file: it is called so for one file and for several, and in sql, too"
ringside export -o "$HOME/open.sqlite" marker.dat kprobes.dat 2>/dev/null
python3 -c 'import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("select file, _file from open order by ts limit 1 offset 3").fetchall())' "$HOME/open.sqlite"
ringside sql --csv marker.dat kprobes.dat 'SELECT file, _file FROM open ORDER BY ts LIMIT 1 OFFSET 3' 2>/dev/null
ringside report kprobes.dat | grep ' open: ' | sed -n '4s/.*file=//p'

echo "== events and fields with the names of our indexes, of SQLite's own tables, and of both columns for the file"
ringside convert -i events.dat --file-version 6 -o "$HOME/plain.dat"
python3 - "$HOME" <<'PYTHON'
import sys
data = open(sys.argv[1] + "/plain.dat", "rb").read()
# As long as what they stand for, so that the file stays whole.
for old, new in (b"name: sched_waking\n", b"name: calls_parent\n"), (b"name: sched_wakeup\n", b"name: SQLITE_awake\n"), (b"field:char comm[", b"field:char file["), (b"field:pid_t pid;", b"field:int _file;"):
    assert len(old) == len(new) and old in data
    data = data.replace(old, new)
open(sys.argv[1] + "/indexes.dat", "wb").write(data)
PYTHON
ringside export -o "$HOME/indexes.sqlite" "$HOME/indexes.dat" marker.dat 2>/dev/null
python3 -c 'import os, sqlite3, sys
for table in "sched_calls_parent", "sched_SQLITE_awake":
    row = sqlite3.connect(sys.argv[1]).execute(f"select count(*), min(file), sum(_file), min(__file) from {table}").fetchone()
    print(table, *row[:3], os.path.basename(row[3]))' "$HOME/indexes.sqlite"
ringside sql --csv "$HOME/indexes.dat" marker.dat 'SELECT count(*), min(file), sum(_file) FROM sched_calls_parent' 2>/dev/null | tail -1
ringside sql --csv "$HOME/indexes.dat" marker.dat 'SELECT DISTINCT __file FROM sched_SQLITE_awake' 2>/dev/null | sed 's|.*/||' | tail -1
for name in sched_waking sched_wakeup; do
	ringside report -R --only-event $name events.dat | awk -v name=$name 'match($0, / comm=[^ ]*/) { comm = substr($0, RSTART + 6, RLENGTH - 6); if (!n++ || comm < least) least = comm
		match($0, / pid=[0-9]+/); sum += substr($0, RSTART + 5, RLENGTH - 5) } END { print name, n, least, sum }'
done

echo "== a filter that leaves out some switches: what they would tell is not known, in funcs, too, and no call is taken for a cut one"
plan events.dat "$HOME/switches.dat" <<END
task 7 seven
task 8 eight
0 1000 0 sched_switch prev_pid=0 prev_state=0 next_pid=7
0 2000 7 sys_enter id=0
0 3000 7 sched_switch prev_pid=7 prev_state=1 next_pid=8
0 3500 8 sys_enter id=1
0 5000 8 sched_switch prev_pid=8 prev_state=0 next_pid=7
0 6000 7 sys_exit id=0 ret=0
0 7000 7 sched_switch prev_pid=7 prev_state=0 next_pid=8
0 9000 8 sys_exit id=1 ret=0
0 9500 8 sched_switch prev_pid=8 prev_state=1 next_pid=0
END
for filter in "next_pid == 7" "next_pid != 7" "prev_pid != 7" "prev_state == 0"; do
	echo "-- without $filter"
	ringside export -o "$HOME/switches.sqlite" -v -F "sched_switch: $filter" "$HOME/switches.dat"
	python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
print(db.execute("select function, total, self, off, preempted, cut from calls order by ts").fetchall(), db.execute("select count(*) from sched").fetchone()[0], "in sched")' "$HOME/switches.sqlite"
	ringside export --to chrome -v -F "sched_switch: $filter" "$HOME/switches.dat" | grep -c '"cat":"sched","name":"[^s]'
	ringside funcs --csv --columns function,calls,cut,total,self,off -v -F "sched_switch: $filter" "$HOME/switches.dat" | sed 1d
done 2>&1

echo "== times around 2^63, which is 9223372036854775808: none loses a digit"
plan events.dat "$HOME/huge.dat" <"${0%/cli/*}/data/late.plan"
ringside export -o "$HOME/huge.sqlite" "$HOME/huge.dat"
python3 -c 'import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
for sql in "ts, dur, pid from sched", "ts, prev_pid, next_pid from sched_switch", "value, key, 0 from meta where key in (\"first\", \"last\")":
    print(db.execute("select " + sql).fetchall())' "$HOME/huge.sqlite"

echo "== the table sched of sql also has times off the CPU: with state = 'run', a query has the same answer from both"
ringside export -o "$HOME/both.sqlite" events.dat
query="SELECT comm, count(*), sum(dur) FROM sched WHERE cpu = 1 AND state = 'run' GROUP BY comm ORDER BY 3 DESC"
ringside sql --csv events.dat "$query" | tr -d '\r' | sed 1d >"$HOME/got"
python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print(*row, sep=",")' "$HOME/both.sqlite" "$query" >"$HOME/want"
[ -s "$HOME/want" ] && diff "$HOME/want" "$HOME/got" && echo "the same"

echo "== files"
ringside export --to sqlite events.dat; echo $?
(ulimit -f 200; trap '' XFSZ; ringside export -o "$HOME/full.sqlite" events.dat) 2>&1 | sed "s|$HOME|HOME|"; echo "${PIPESTATUS[0]}"
ls "$HOME"/full* 2>&1 | sed 's/.*full/full/'
