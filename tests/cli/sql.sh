# sql: what it finds is what report, count, funcs, sched, syscalls and export find.
cd "$DATA"
ringside sql openat2.dat 'SELECT 1' 2>&1 | grep -q 'without libsqlite3' && { echo "SKIP: no libsqlite3"; exit 0; }
ask() { ringside sql --csv "$@" | tail -n +2; }
same() { # same WHAT FILE FILE
	diff "$2" "$3" >"$HOME/diff" && echo "$1: the same, $(wc -l <"$2") rows" || { echo "$1: differs"; head -5 "$HOME/diff"; }
}

echo "== events: their numbers are count's, their lines report's"
for f in events openat2 syscalls-v6 marker kprobes instances function-stacks; do
	ringside count --csv --columns event,count $f.dat 2>/dev/null | tail -n +2 | sort >"$HOME/want"
	ask $f.dat "SELECT system || ':' || name, count(*) FROM events GROUP BY 1" | sort >"$HOME/got"
	same $f "$HOME/want" "$HOME/got"
done
ringside report -t events.dat | sed -n 's/^ *.*-\([0-9]*\) *\[0*\([0-9]\+\)\] [^ ]* *0*\([0-9]*\)\.\([0-9]\{9\}\): \([^:]*\): *\(.*\)/\2 \1 \3\4 \5 \6/p' | sed 's/  *$//' >"$HOME/want"
ask events.dat "SELECT printf('%d %d %d %s %s', cpu, pid, ts, name, text) FROM events ORDER BY ts" | sed 's/^"\(.*\)"$/\1/; s/""/"/g; s/  *$//' >"$HOME/got"
same lines "$HOME/want" "$HOME/got"

echo "== what is asked of the reader leaves out nothing"
for where in 'cpu = 1' 'cpu IN (0, 1)' 'pid = 165' 'pid IN (165, 167) AND cpu = 0' "name = 'sched_switch'" "name GLOB 'sched_*'" "name LIKE 'SCHED_%'" \
	'ts BETWEEN 26000000000 AND 26100000000' 'ts > 26000000000.5' "name IN ('kfree', 'kmalloc')" 'cpu = 7' 'cpu = -1' "comm = 'ls'" \
	'ts < 25990000000 OR cpu = 1' "pid = 165 OR cpu = 0 AND name = 'kfree' OR ts > 26100000000" "system = 'kmem'" 'ts = 26106841261' 'ts < 0' 'cpu > 0.5' "name = 'KFREE' COLLATE NOCASE" 'pid = NULL'; do
	other=$(sed -E "s/\b(ts|cpu|pid|name|comm|system)\b( (=|<|>|IN|GLOB|LIKE|BETWEEN)\b| [=<>])/+\1\2/g" <<<"$where")
	echo "$where: $(ask events.dat "SELECT count(*), sum(ts % 1000) FROM events WHERE $where") $(ask events.dat "SELECT count(*), sum(ts % 1000) FROM events WHERE $other")"
done
# A column of integers makes an integer of a text that it is compared with.
ask events.dat "SELECT (SELECT count(*) FROM events WHERE pid = '165') = (SELECT count(*) FROM events WHERE pid = 165)"
ask events.dat 'SELECT count(*) FROM sched_switch WHERE prev_state = 1 AND next_prio = 120'
ringside report --only-event sched_switch events.dat | grep -c '\] S ==> .* \[120\]$'

echo "== calls are those of funcs"
for f in openat2 events syscalls-v6 marker; do
	ringside funcs --csv --columns function,calls,self,min,max,p50,p99 $f.dat 2>/dev/null | awk -F, 'NR > 1 && $2' | sort >"$HOME/want"
	ask $f.dat 'SELECT function, count(*), sum(self), min(total), max(total), quantile(total, 0.5), quantile(total, 0.99) FROM calls WHERE cut IS NULL GROUP BY function' | sort >"$HOME/got"
	same $f "$HOME/want" "$HOME/got"
done
ask openat2.dat 'SELECT count(*) FROM calls WHERE total <> self + callees + irq + off'
# A call begins and ends when its entry and its exit were recorded, also if the two follow each other.
ringside report -R -t openat2.dat | awk '
	function ns(text) { gsub(/[.:]/, "", text); return text + 0 }
	function of(field, text) { text = $0; sub(".* " field "=", "", text); sub(/ .*/, "", text); return text }
	{ task = $1 " " of("depth") }
	/funcgraph_entry:/ { since[task] = ns($4) }
	/funcgraph_exit:/ && task in since { printf "%s,%.0f,%.0f\n", of("func"), since[task], ns($4); delete since[task] }' | sort >"$HOME/want"
ask openat2.dat 'SELECT function, ts, end FROM calls WHERE cut IS NULL' | sort >"$HOME/got"
same 'ts, end' "$HOME/want" "$HOME/got"
ringside export --to sqlite -o "$HOME/calls.db" openat2.dat
sqlite3 -csv "$HOME/calls.db" 'SELECT function, ts, "end" FROM calls WHERE cut IS NULL' | tr -d '\r' | sort >"$HOME/got"
same 'export --to sqlite' "$HOME/want" "$HOME/got"
ask openat2.dat 'SELECT count(*) FROM calls c JOIN calls p ON p.id = c.parent WHERE c.depth <> p.depth + 1 OR c.ts < p.ts'

# vfs_open calls getname, and is interrupted there by vfs_read, which calls kfree: nobody calls vfs_read. Of hard interrupts, the flag is 8.
plan openat2.dat "$HOME/interrupted.dat" <<'END_OF_PLAN'
0 1000 7 funcgraph_entry func=@vfs_open depth=0
0 1100 7 funcgraph_entry func=@getname depth=1
0 1200 7 funcgraph_entry func=@vfs_read depth=2 common_flags=8
0 1300 7 funcgraph_entry func=@kfree depth=3 common_flags=8
0 1350 7 funcgraph_exit func=@kfree depth=3 calltime=1300 rettime=1350 common_flags=8
0 1400 7 funcgraph_exit func=@vfs_read depth=2 calltime=1200 rettime=1400 common_flags=8
0 1500 7 funcgraph_exit func=@getname depth=1 calltime=1100 rettime=1500
0 2000 7 funcgraph_exit func=@vfs_open depth=0 calltime=1000 rettime=2000
END_OF_PLAN
ask "$HOME/interrupted.dat" 'SELECT id, parent, depth, function, total, self, callees, irq FROM calls ORDER BY id'
ringside sql --csv --example callers "$HOME/interrupted.dat"
ringside export -o "$HOME/interrupted.sqlite" "$HOME/interrupted.dat"
python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute("select id, parent, depth, function, total, self, callees, irq from calls order by id"): print(*row)' "$HOME/interrupted.sqlite"

# So does what is asked of calls: rows that are left out are no other ones, and numbers and parents stay what they are.
whose='count(*), sum(id), sum(parent), sum(depth), sum(total), count(comm), sum(ts % 977)'
for where in "function = 'kfree'" "function LIKE 'VFS_%'" "function GLOB 'vfs_*'" "function IN ('vfs_open', 'kfree')" "function > 'x'" 'function = 3' 'function IS NULL' \
	"function <> 'kfree'" 'pid = 156' 'pid IN (156, 0)' "pid > 155.5 AND function = 'kfree'" 'ts > 8180000000' "ts < (SELECT max(ts) FROM calls) AND function = 'kfree'" \
	"function = 'KFREE' COLLATE NOCASE" "function = 'kfree' OR pid = 0" "function = 'kfree' OR ts > 8180000000"; do
	other=$(sed -E "s/\b(ts|pid|function)\b( (=|<|>|IN|IS|GLOB|LIKE)\b| [=<>])/+\1\2/g" <<<"$where")
	ask openat2.dat "SELECT $whose FROM calls WHERE $where" >"$HOME/got"
	ask openat2.dat "SELECT $whose FROM calls WHERE $other" >"$HOME/want"
	same "$where, of $(cut -d, -f1 "$HOME/want")" "$HOME/want" "$HOME/got"
done
# Of both sides, of more choices than are kept, and again for each row of another table.
ask openat2.dat "SELECT count(*), sum(p.function = 'vfs_open') FROM calls c JOIN calls p ON p.id = c.parent WHERE c.function = 'do_dentry_open'"
ask openat2.dat "SELECT count(*), sum(p.function = 'vfs_open') FROM calls c JOIN calls p ON p.id = +c.parent WHERE +c.function = 'do_dentry_open'"
# Nothing is equal to NULL, and 2.0 is 2.
for where in 'id = NULL' 'id IN (1, NULL)' 'id IN (NULL)' 'id > NULL' 'id BETWEEN NULL AND 3' 'id = 2.0' 'id IN (2.0, 3.5)' 'id = 1e300' 'id < 2.5' 'parent = 2.0' \
	'parent IS NULL AND depth = 0' 'function = NULL' 'function > NULL'; do
	other=$(sed -E 's/\b(id|parent|depth|function) /+\1 /g' <<<"$where")
	ask openat2.dat "SELECT (SELECT count(*) || ' ' || total(id) FROM calls WHERE $where), (SELECT count(*) || ' ' || total(id) FROM calls WHERE $other)" |
		awk -F, -v where="$where" '{ print where ": " $1 ($1 == $2 ? "" : ", not " $2) }'
done
ask openat2.dat 'SELECT count(*), count(p.id) FROM calls c LEFT JOIN calls p ON p.id = c.parent' >"$HOME/got"
ask openat2.dat 'SELECT count(*), sum(parent IS NOT NULL) FROM calls' >"$HOME/want"
same 'callers that are there' "$HOME/want" "$HOME/got"
ask openat2.dat 'SELECT count(*) FROM calls c JOIN calls p ON p.id = c.parent * 1.0' >"$HOME/got"
ask openat2.dat 'SELECT count(parent) FROM calls' >"$HOME/want"
same 'callers by real numbers' "$HOME/want" "$HOME/got"
union="SELECT function, count(*) FROM calls WHERE function = 'kfree' UNION ALL SELECT function, count(*) FROM calls WHERE function = 'vfs_open'
	UNION ALL SELECT function, count(*) FROM calls WHERE function = 'do_dentry_open' UNION ALL SELECT 'all', count(*) FROM calls"
ask openat2.dat "$union" >"$HOME/got"
ask openat2.dat "${union//WHERE function/WHERE +function}" >"$HOME/want"
same union "$HOME/want" "$HOME/got"
ask openat2.dat "SELECT f.function, (SELECT count(*) FROM calls c WHERE c.function = f.function) FROM functions f WHERE f.function IN ('kfree', 'vfs_open') ORDER BY 1"
ringside sql --csv --explain openat2.dat "SELECT total FROM calls WHERE function = 'kfree' AND pid IN (1, 2) AND ts > depth" | sed 's/^[^,]*,[^,]*,[^,]*,//'

echo "== slices and wakeups are those of sched"
ringside sched --csv --columns comm,pid,run,blocked,preempted events.dat 2>/dev/null | awk -F, 'NR > 1 && $2' | sort >"$HOME/want"
ask events.dat "SELECT comm, pid, sum(dur) FILTER (WHERE state = 'run'), ifnull(sum(dur) FILTER (WHERE state = 'blocked'), 0),
	ifnull(sum(dur) FILTER (WHERE state = 'preempted'), 0) FROM sched GROUP BY pid" | awk -F, -v OFS=, '{ $3 += 0; print }' | sort >"$HOME/got"
same sched "$HOME/want" "$HOME/got"
ringside sched --csv --columns pid,count,mean,max events.dat 2>/dev/null | awk -F, 'NR > 1 && $1 && $2' | sort >"$HOME/want"
ask events.dat "SELECT pid, count(*), sum(dur) / count(*), max(dur) FROM sched WHERE state = 'queued' GROUP BY pid" | sort >"$HOME/got"
same queued "$HOME/want" "$HOME/got"
ask events.dat 'SELECT pid, count(*), sum(queued) / count(*), max(queued) FROM wakeups GROUP BY pid' | sort >"$HOME/got"
same wakeups "$HOME/want" "$HOME/got"
# The stay of task 161 that is open at the end is in no timeline.
ringside sched --timeline --csv --columns pid,queued events.dat 2>/dev/null | awk -F, 'NR > 1 && $1 && $1 != 161 && $2' | sort >"$HOME/want"
ask events.dat 'SELECT pid, queued FROM wakeups WHERE queued AND pid != 161' | sort >"$HOME/got"
same 'each wakeup' "$HOME/want" "$HOME/got"

# What report -w counts from the wakeup on, though the task still ran or was preempted: it is queued from its switch on, or preempted, as sched has it. See analysis.md.
# The last wait begins at sched_waking, and report -w counts it from sched_wakeup on.
plan "$DATA/openat2.dat" "$HOME/running.dat" <<'END_OF_PLAN'
0 1000 7 sched_switch prev_pid=0 next_pid=7
1 2000 8 sched_waking pid=7
0 3000 7 sched_switch prev_pid=7 prev_state=1 next_pid=0
0 4500 0 sched_switch prev_pid=0 next_pid=7
1 5000 8 sched_waking pid=7
0 6000 7 sched_switch prev_pid=7 prev_state=0 next_pid=0
0 6800 0 sched_switch prev_pid=0 next_pid=7
0 7000 7 sched_switch prev_pid=7 prev_state=1 next_pid=0
1 7400 8 sched_waking pid=7
0 8000 0 sched_switch prev_pid=0 next_pid=7
0 9000 7 sched_switch prev_pid=7 prev_state=256 next_pid=0
1 9200 8 sched_waking pid=7
0 9500 0 sched_switch prev_pid=0 next_pid=7
0 10000 7 sched_switch prev_pid=7 prev_state=1 next_pid=0
1 12000 8 sched_waking pid=7
0 12500 0 sched_wakeup pid=7
0 15000 0 sched_switch prev_pid=0 next_pid=7
END_OF_PLAN
ask "$HOME/running.dat" 'SELECT ts, pid, queued, by_pid, by_cpu FROM wakeups'
ringside sched --csv --columns pid,queued,blocked,preempted "$HOME/running.dat" 2>/dev/null

echo "== who woke a task: an interrupt is not the task that it interrupts. The sums are those of sched --wakes"
plan "$DATA/openat2.dat" "$HOME/woken.dat" <<'END_OF_PLAN'
0 1000 7 sched_switch prev_pid=7 prev_state=1 next_pid=0
1 2000 8 sched_waking pid=7 common_flags=8
0 3000 0 sched_switch prev_pid=0 next_pid=7
0 4000 7 sched_switch prev_pid=7 prev_state=1 next_pid=0
1 5000 8 sched_waking pid=7
0 7000 0 sched_switch prev_pid=0 next_pid=7
END_OF_PLAN
ask "$HOME/woken.dat" 'SELECT ts, pid, queued, by_pid, by_comm, by_cpu FROM wakeups'
ask events.dat 'SELECT pid, by_pid, sum(queued) FROM wakeups GROUP BY pid, by_pid' | sort >"$HOME/got"
ringside sched --wakes --csv --columns pid,by_pid,queued events.dat 2>/dev/null | tr -d '\r' |
	awk -F, 'NR > 1 && $3 { sum[$1 "," $2] += $3 } END { for (key in sum) printf "%s,%.0f\n", key, sum[key] }' | sort >"$HOME/want"
same events.dat "$HOME/want" "$HOME/got"

echo "== system calls are those of syscalls"
for f in events syscalls-v6; do
	ringside syscalls -c --csv --columns syscall,calls,errors,total,max $f.dat 2>/dev/null | tail -n +2 | awk -F, '$2' | sort >"$HOME/want"
	ask $f.dat 'SELECT syscall, count(total), count(error) FILTER (WHERE total), sum(total), max(total) FROM syscalls GROUP BY syscall HAVING count(total)' | sort >"$HOME/got"
	same $f "$HOME/want" "$HOME/got"
done

echo "== interrupts: none is inside of another of its kind here, so that they are from each entry to the exit behind it on its CPU"
ask events.dat "SELECT kind, count(*), sum(total) FROM irqs GROUP BY kind"
ringside report -t --only-event irq_handler_entry --only-event irq_handler_exit --only-event softirq_entry --only-event softirq_exit events.dat | awk '
	{ match($0, /\[[0-9]+\]/); cpu = substr($0, RSTART, RLENGTH); ts = $0; sub(/.*\] [^ ]* */, "", ts); sub(/:.*/, "", ts); sub(/\./, "", ts); kind = /softirq/ ? "soft" : "hard" }
	/_entry: / { since[cpu kind] = ts } /_exit: / && since[cpu kind] { n[kind]++; sum[kind] += ts - since[cpu kind]; since[cpu kind] = 0 }
	END { printf "hard,%d,%.0f\nsoft,%d,%.0f\n", n["hard"], sum["hard"], n["soft"], sum["soft"] }'

echo "== a query that needs a table again and again"
ask events.dat 'SELECT count(*), sum(w.ts) FROM sched_switch s JOIN sched_waking w ON w.field_pid = s.next_pid AND w.ts < s.ts AND s.next_pid = 167'
ringside report -t --only-event sched_switch --only-event sched_waking -R events.dat |
	awk '{ ts = $0; sub(/.*\] [^ ]* */, "", ts); sub(/:.*/, "", ts); sub(/\./, "", ts); ts += 0 }
		/sched_waking: / && / pid=167 / { n++; sum += ts } /sched_switch: / && / next_pid=167 / { rows += n; all += sum } END { printf "%d,%.0f\n", rows, all }'
# Of the columns that are compared the one that the fewest rows have is looked up: this takes no time.
ask events.dat 'SELECT count(*) = (SELECT sum(n * n) FROM (SELECT count(*) AS n FROM events GROUP BY pid, ts, cpu)) FROM events e JOIN events f ON f.pid = e.pid AND f.ts = e.ts AND f.cpu = e.cpu'
ask events.dat 'SELECT max(ts) - min(ts), (SELECT count(*) FROM kfree k WHERE k.pid = e.pid) FROM kmalloc e WHERE pid = 167'

echo "== rows without a partner, and the numbers of rows, are the same whatever is asked of the reader"
for from in 'kprobes.dat (SELECT 1 AS x) a RIGHT JOIN sched_switch b ON b.cpu = 1' 'kprobes.dat (SELECT 1 AS x UNION SELECT 5) a FULL JOIN sched_switch b ON b.cpu = a.x' \
	"openat2.dat (SELECT 1 AS x) a FULL JOIN calls b ON b.function = 'kfree'" 'kprobes.dat (SELECT 1 AS x) a JOIN sched_switch b ON b.rowid > 50 AND b.cpu = 1'; do
	query="SELECT count(*), count(a.x), sum(b.cpu), sum(b.ts % 977) FROM ${from#* }"
	ask "${from%% *}" "$query" >"$HOME/got"
	ask "${from%% *}" "$(sed -E 's/b\.(cpu|function) =/+&/' <<<"$query")" >"$HOME/want"
	same "$(cat "$HOME/want")" "$HOME/want" "$HOME/got"
done
# A condition behind ON is about the partners: each of the 92 rows on the left stays.
for on in "a.comm LIKE 'x'" "a.comm GLOB 'x*'" "b.comm LIKE 'x' AND a.comm LIKE NULL" "a.comm = 'x'"; do
	ask kprobes.dat "SELECT count(*), count(b.ts) FROM sched_switch a LEFT JOIN open b ON $on"
done

echo "== the limits of --since and of the query both count, and an exit is where its own time is"
ringside count --csv --columns count --since 26.0 --until 26.1 events.dat | awk '{ n += $1 } END { print n }'
ask events.dat --since 26.0 --until 26.1 'SELECT count(*) FROM events'
for p in '' +; do
	ask events.dat --since 26.0 --until 26.1 "SELECT count(*), max(ts) FROM events WHERE ${p}ts > 25950000000 AND ${p}ts < 26050000000"
	ask openat2.dat "SELECT ts, name FROM events WHERE ${p}ts >= 8183554114 LIMIT 1"
done

echo "== order"
ask events.dat 'SELECT name, count(*) FROM events GROUP BY name ORDER BY 2 DESC LIMIT 3'
ask openat2.dat 'SELECT function, total FROM calls ORDER BY total DESC, function LIMIT 3'
ask openat2.dat 'SELECT function, total FROM calls ORDER BY +total DESC, +function LIMIT 3'
ask openat2.dat 'SELECT DISTINCT function FROM calls ORDER BY function LIMIT 3'

echo "== several files"
ask openat2.dat events.dat "SELECT file, count(*) FROM events GROUP BY file"
ask openat2.dat events.dat "SELECT file, count(*), count(self) FROM calls GROUP BY file"
cat events.dat | ringside sql --csv -i - 'SELECT count(*), file FROM sched_switch'

echo "== forms"
ringside sql events.dat "SELECT pid, comm, count(*) AS n FROM sched WHERE state = 'run' GROUP BY pid ORDER BY n DESC LIMIT 2"
ringside sql --json events.dat "SELECT 1 AS a, 'x' AS a, 1.5 AS b, NULL AS c, 9e999 AS d, x'ff' AS e, '\"' AS f"
ringside sql --csv events.dat "SELECT 1; SELECT 'a,b' AS x, 2.5 AS y"
for which in events.dat 'events.dat openat2.dat' '--cpu 1 events.dat' '--since 26.0 --until 26.1 events.dat' '--only-event sched_waking --since 26.0 events.dat'; do
	# shellcheck disable=SC2086
	{ ringside count --json $which; ringside sql --json $which 'SELECT 1'; } | sed -n 's/.*"span": \([0-9]*\).*/\1/p' | uniq -c | sed 's/^ *//'
done
ringside sql events.dat "SELECT ns(1500) a, ns(12) b, ns(2.5e9) c, errno(-2) d, errno(2) e, syscall(1) f, syscall(-1) g, hist(column1) h, quantile(column1, 0.5) i FROM (VALUES (1), (5), (6), (70))"
ringside sql openat2.dat "SELECT sym(addr) = function, count(*) FROM functions WHERE function IN ('vfs_read', 'do_sys_openat2') GROUP BY 1"
ringside sql --tables events.dat sched
ringside sql --csv --explain events.dat "SELECT ts FROM sched_switch WHERE cpu = 1 ORDER BY ts" | sed 's/^[^,]*,[^,]*,[^,]*,//'
echo 'SELECT key, value FROM meta LIMIT 1' | ringside sql --csv events.dat
echo 'SELECT 2' >"$HOME/q.sql"; ringside sql --csv events.dat --file "$HOME/q.sql"

echo "== what a recording says does not command a terminal"
ringside convert -i marker.dat --file-version 6 -o "$HOME/plain.dat"
perl -pe 's/trace-cmd/\e[31m\r\nX\xff/g; s/rcu_preempt/rc\xe2\x80\xaeeemp\xc2\x9b/g; s/phase1/\e[7m\r\n/g; s/sched_wakeup/sched\e[0m_up/g' "$HOME/plain.dat" >"$HOME/evil.dat"
commands() { # commands WORDS: how many lines that command a terminal; in a shell's words
	command -v script >/dev/null || { echo 0; return; }
	NO_COLOR=1 PAGER=cat script -qec "stty -opost; ringside sql $HOME/evil.dat $1" /dev/null </dev/null 2>&1 | tee "$HOME/terminal" |
		LC_ALL=C grep -acP '[\x00-\x08\x0b-\x1f\x7f]|\xe2\x80\xae|\xc2\x9b|\xff'
}
commands "'SELECT DISTINCT comm FROM events'"
commands "--csv 'SELECT name, text FROM events'"
commands "--json 'SELECT * FROM calls'"
commands "--tables"
ringside sql --csv "$HOME/evil.dat" 'SELECT text FROM events' 2>/dev/null | LC_ALL=C grep -ac $'\e'

echo "== an answer without rows says so on a terminal"
command -v script >/dev/null && PAGER=cat script -qec "ringside sql events.dat 'SELECT pid FROM sched WHERE pid = -5'" /dev/null </dev/null | tr -d '\r' || echo "no rows"
ringside sql events.dat 'SELECT pid FROM sched WHERE pid = -5' | wc -c

echo "== what is wrong"
for sql in 'SELECT nam FROM events' 'SELECT next_pid FROM kfree' 'SELECT k.function FROM kfree k' 'SELECT losses.nope FROM losses' 'SELECT losses.cpus FROM losses' 'SELECT * FROM event' "SELECT 'x" '' ';' 'SELECT quantile(ts, 2) FROM events' 'SELECT quantile(-1, 0.5)' "ATTACH '/etc/passwd' AS x" \
	"SELECT load_extension('x')" 'PRAGMA journal_mode = wal' 'CREATE VIRTUAL TABLE x USING fts5(a)' "VACUUM INTO '/tmp/x'" 'CREATE TABLE x (a)' 'SELECT * FROM pragma_database_list' \
	'DROP TABLE events' 'DELETE FROM events' 'CREATE TEMP TRIGGER t AFTER INSERT ON x BEGIN SELECT 1; END' "SELECT readfile('/etc/passwd')" \
	'SELECT 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1'; do
	ringside sql events.dat "$sql" 2>&1; echo $?
done
ringside sql --csv events.dat 'CREATE TEMP TABLE x AS SELECT pid FROM sched; SELECT count(*) FROM x'
ringside sql events.dat 'SELECT * FROM events' >/dev/full; echo $?
ringside sql events.dat --tables --explain; echo $?
ringside sql --tables events.dat 'nosuch*'; echo $?

echo "== unsigned numbers that are too large for SQLite's are in the order of numbers"
plan openat2.dat "$HOME/unsigned.dat" <<END
event syn large 4000 n:8
0 1000 7 large n=9223372036854775808
0 1001 7 large n=18446744073709551615
0 1002 7 large n=5
0 1003 7 large n=10000000000000000000
0 1004 7 large n=9999999999999999999
END
large() { ask "$HOME/unsigned.dat" "$1" | paste -sd' '; }
large 'SELECT n FROM large ORDER BY n'
large 'SELECT max(n), min(n) FROM large WHERE n > 5'
large 'SELECT n, rank() OVER (ORDER BY n) FROM large ORDER BY ts DESC'
large "SELECT n FROM large WHERE n = 18446744073709551615 OR n < 6"

echo "== times around 2^63, which is 9223372036854775808: the same as export --to sqlite writes, in the order of time, also where a table is read twice"
plan "$DATA/events.dat" "$HOME/huge.dat" <"${0%/cli/*}/data/late.plan"
ringside sql --csv 'SELECT ts, typeof(ts), dur, pid FROM sched ORDER BY ts' "$HOME/huge.dat"
ringside sql --csv 'SELECT a.ts, b.ts FROM sched_switch a, sched_switch b WHERE a.ts < b.ts' "$HOME/huge.dat"
ringside sql --csv 'SELECT ts FROM sched WHERE ts = 9223372036854775900' "$HOME/huge.dat"

echo "== the operand - is the recording on standard input, whatever comes first; the query cannot come from there, too"
cat events.dat | ringside sql --csv - 'SELECT count(*) FROM events'
ringside sql --csv 'SELECT count(*) FROM events' - <events.dat
ringside sql --csv - --tables 'sched_switch' <events.dat
echo 'SELECT count(*) FROM events' >"$HOME/query"
cat events.dat | ringside sql --csv - --file "$HOME/query"
for more in '-' '-i -' '- --file -' 'events.dat -'; do
	ringside sql $more <"$HOME/query" 2>&1; echo $?
done
