# export --to sqlite: the rows of the view of calls are those of the table of calls in sql, column by column; with many calls, from one thread and several.
ringside export --list | grep '^sqlite.*not in this program' >/dev/null && { echo "no libsqlite3"; exit 1; }
command -v python3 >/dev/null || { echo "no python3"; exit 1; }

cat >compare.py <<'PYTHON'
import csv, io, sqlite3, subprocess, sys
db = sqlite3.connect(sys.argv[1])
columns = [row[1] for row in db.execute("pragma table_info(calls)") if row[1] not in ("id", "parent")]
names = ", ".join('c."%s"' % column for column in columns) + ", p.function, p.ts"
query = "select %s from calls as c left join calls as p on c.parent = p.id" % names
# With NULL told apart from a text that is empty.
text = ", ".join("quote(%s)" % name for name in names.split(", "))
got = sorted(tuple(map(str, row)) for row in db.execute(query.replace(names, text)))
out = subprocess.run(["ringside", "sql", "--csv", query.replace(names, text)] + sys.argv[2:], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.decode()
want = sorted(tuple(row) for row in list(csv.reader(io.StringIO(out)))[1:])
for x in list(set(got) ^ set(want))[:4]:
    print("differs:", x)
keys = [row[0] for row in db.execute("select id from calls order by id")]
print(len(columns), "columns,", len(got), "calls,", "the same," if got == want else "not the same,", db.execute("pragma integrity_check").fetchone()[0],
      "" if keys == list(range(1, len(keys) + 1)) else "with gaps")
PYTHON
same() { # same FILE...
	ringside export -o calls.sqlite "$@" 2>/dev/null
	python3 compare.py calls.sqlite "$@"
}

echo "== recordings"
same "$DATA/openat2.dat"
same "$DATA/syscalls-v6.dat"
same "$DATA/events.dat"
same "$DATA/marker.dat"

echo "== interrupts, times off the CPU, losses, cut calls; without switches; of two files"
machine --seed 5 --switches --irqs graph --lose 300 --cpus 3 --tasks 9 --calls 3000 "$DATA/events.dat" lose.dat >/dev/null
machine --seed 6 --cpus 2 --tasks 4 --calls 2000 "$DATA/events.dat" calm.dat >/dev/null
same lose.dat
same calm.dat
ringside export -o two.sqlite lose.dat calm.dat 2>/dev/null
python3 -c 'import sqlite3
for row in sqlite3.connect("two.sqlite").execute("select file, count(*), sum(irq) > 0, sum(off) > 0, count(off), count(blocked), count(preempted), count(cut) from calls group by 1"): print(*row)'
# As each file alone.
for file in calm.dat lose.dat; do
	ringside sql --csv "$file" "SELECT file, count(*), sum(irq) > 0, sum(off) > 0, count(off), count(blocked), count(preempted), count(cut) FROM calls" 2>/dev/null | tail -1
done
ringside sql --csv lose.dat calm.dat "SELECT file, count(*), sum(irq) > 0, sum(off) > 0, count(off), count(blocked), count(preempted), count(cut) FROM calls GROUP BY file ORDER BY file" 2>/dev/null | tail -2

echo "== more calls than are inserted at once, from many tasks, and one that lasts from the first to the last"
machine --seed 7 --switches --irqs graph --cpus 8 --tasks 80 --calls 90000 "$DATA/events.dat" many.dat >/dev/null
same many.dat
for threads in 1 2 5; do
	RINGSIDE_THREADS=$threads ringside export -o "$threads.sqlite" many.dat && cmp calls.sqlite "$threads.sqlite" && echo "$threads: the same bytes"
done
plan "$DATA/events.dat" long.dat <<END
task 7 seven
0 1000 7 sys_enter id=0
$(for ((i = 0; i < 40000; i++)); do echo "1 $((2000 + i * 20)) 8 sys_enter id=1"; echo "1 $((2010 + i * 20)) 8 sys_exit id=1 ret=0"; done)
0 2000000 7 sys_exit id=0 ret=-4
END
same long.dat
python3 -c 'import sqlite3
print(sqlite3.connect("calls.sqlite").execute("select id, pid, total from calls where pid = 7").fetchall())
print(sqlite3.connect("calls.sqlite").execute("select pid, count(*), sum(total) from calls group by 1").fetchall())'

echo "== what functions return, in a field that had another name: 5, 0 and 2^32 - 1; the last call has no entry"
plan "$DATA/events.dat" named.dat <<END
0 1000 7 funcgraph_entry func=@vfs_read depth=0
0 2000 7 funcgraph_entry func=@vfs_open depth=1
0 3000 7 funcgraph_exit func=@vfs_open depth=1 overrun=5 calltime=2000 rettime=3000
0 4000 7 funcgraph_exit func=@vfs_read depth=0 overrun=0 calltime=1000 rettime=4000
0 5000 7 funcgraph_exit func=@vfs_write depth=0 overrun=4294967295 calltime=4500 rettime=5000
END
ringside convert -i named.dat --file-version 6 -o plain.dat
python3 -c 'data = open("plain.dat", "rb").read()
open("returns.dat", "wb").write(data.replace(b"field:unsigned int overrun;", b"field:unsigned int  retval;"))'
same returns.dat
python3 -c 'import sqlite3
for row in sqlite3.connect("calls.sqlite").execute("select function, retval, cut, total from calls order by ts, id"): print(*row)'

echo "== a task whose name becomes known between its calls"
plan "$DATA/events.dat" named-late.dat <<END
0 1000 7777 sys_enter id=0
0 2000 7777 sys_exit id=0 ret=0
0 3000 7777 sched_switch prev_pid=7777 prev_comm=0x6574616c next_pid=0
0 4000 0 sched_switch prev_pid=0 next_pid=7777
0 5000 7777 sys_enter id=0
0 6000 7777 sys_exit id=0 ret=0
END
same named-late.dat
python3 -c 'import sqlite3
for row in sqlite3.connect("calls.sqlite").execute("select ts, comm from calls order by ts"): print(*row)'

echo '== the parent of a call after a loss is known only if the exit of the caller was recorded: that of 7 was, those of 9, 11 and 12 were not'
plan "$DATA/openat2.dat" lost.dat <<'END_OF_PLAN'
0 1000 7 funcgraph_entry func=@vfs_read depth=0
0 1100 7 funcgraph_entry func=@vfs_open depth=1
0 lost 10
0 5000 7 funcgraph_entry func=@kfree depth=1
0 5100 7 funcgraph_exit func=@kfree depth=1 calltime=5000 rettime=5100
0 6000 7 funcgraph_exit func=@vfs_read depth=0 calltime=1000 rettime=6000
1 1000 9 funcgraph_entry func=@vfs_read depth=0
1 lost 10
1 5000 9 funcgraph_entry func=@kfree depth=1
1 5100 9 funcgraph_exit func=@kfree depth=1 calltime=5000 rettime=5100
1 7000 9 funcgraph_entry func=@vfs_open depth=0
1 7100 9 funcgraph_exit func=@vfs_open depth=0 calltime=7000 rettime=7100
2 1000 11 sys_enter id=0
2 1100 11 funcgraph_entry func=@vfs_read depth=0
2 lost 10
2 5000 11 funcgraph_entry func=@kfree depth=0
2 5100 11 funcgraph_exit func=@kfree depth=0 calltime=5000 rettime=5100
2 7000 11 sys_enter id=0
2 7100 11 sys_exit id=0
3 1000 12 sys_enter id=0
3 lost 10
3 5000 12 funcgraph_entry func=@kfree depth=0
3 5100 12 funcgraph_exit func=@kfree depth=0 calltime=5000 rettime=5100
END_OF_PLAN
query='SELECT c.pid, c.function, p.function FROM calls c LEFT JOIN calls p ON p.id = c.parent WHERE c.depth > 0 ORDER BY c.id'
ringside export --to sqlite -o lost.db lost.dat 2>/dev/null
python3 -c "import sqlite3, sys; [print(*row) for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2])]" lost.db "$query"
ringside sql --csv lost.dat "$query"
echo '== raw_syscalls and syscalls tell of the same calls, in any order: each event has its rows, and each call is there once'
plan "$DATA/openat2.dat" both.dat <<END
0 1000000 7 sys_enter id=34
0 1001000 7 sys_enter_pause __syscall_nr=34
0 1009000 7 sys_exit id=34 ret=-4
0 1010000 7 sys_exit_pause __syscall_nr=34 ret=-4
0 2000000 7 sys_enter_pause __syscall_nr=34
0 2001000 7 sys_enter id=34
0 2009000 7 sys_exit_pause __syscall_nr=34 ret=-4
0 2010000 7 sys_exit id=34 ret=-4
END
ringside export --to sqlite -o both.db both.dat
for query in 'SELECT ts, id FROM sys_enter' 'SELECT ts, __syscall_nr FROM sys_enter_pause' 'SELECT function, ts, total FROM calls'; do
	python3 -c "import sqlite3, sys; [print(*row) for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2])]" both.db "$query"
done
ringside export --to chrome -o both.chrome both.dat
python3 - <<'PYTHON'
import json
for e in json.load(open("both.chrome"))["traceEvents"]:
    if e["ph"] in "iX":
        print(e["ph"], e["name"], e["ts"], e["args"])
PYTHON
echo '== a section begins within the write of its mark, and so is entered only when the write is left; its event has a row all the same'
cat >marks.txt <<'END'
task 7 marker
0 1000000 7 sys_enter id=1
0 1001000 7 print buf=B|7|work
0 1002000 7 sys_exit id=1 ret=8
0 1050000 7 sys_enter id=1
0 1051000 7 print buf=E|7
0 1052000 7 sys_exit id=1 ret=3
END
plan "$DATA/openat2.dat" marks.dat <marks.txt
ringside export --to sqlite -o marks.db marks.dat
for query in 'SELECT ts, buf FROM print ORDER BY 1' 'SELECT count(*) FROM sys_enter' 'SELECT function, ts, total FROM calls ORDER BY 2'; do
	python3 -c "import sqlite3, sys; [print(*row) for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2])]" marks.db "$query"
done
