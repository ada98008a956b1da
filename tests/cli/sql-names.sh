# sql, and what else makes tables: names of events and fields that are those of our own tables and columns, that differ only in capitals, that are words of SQL, or that would end
# a quotation. What the tables hold is what the same recording has under its own names.
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 0; }
ringside sql "$DATA/events.dat" 'SELECT 1' 2>&1 | grep -q 'without libsqlite3' && { echo "SKIP: no libsqlite3"; exit 0; }
ringside convert -i "$DATA/events.dat" --file-version 6 -o plain.dat
cat >rename.py <<'END'
import re, sys
# As long as what they stand for, so that the file stays whole.
names = {b"kfree": b"calls", b"sched_waking": b"Sched_WakeUp", b"next_pid": b"PREV_PID", b"prio": b"from", b"target_cpu": b"group_by_1",
	b"call_site": b"intersect", b"kmalloc": b"Ma\"i.'X", b"hrtimer_start": b"sqlite_master", b"timer_start": b"sqlite_stat", b"ptr": b"_ts",
	b"sched_process_exit": b"sched_process_EXEC", b"timer_init": b"events_new"}
data = open("plain.dat", "rb").read()
for old, new in names.items():
	assert len(old) == len(new)
	data = re.sub(rb"(?<![A-Za-z0-9_])" + old + rb"(?![A-Za-z0-9_])", lambda m: new, data)
open("odd name' \"ü.dat", "wb").write(data)
END
python3 rename.py
odd="odd name' \"ü.dat"
# A name that no C could have makes a format that is told to be damaged; its fields are left out.
ask() { ringside sql --csv "$@" 2>/dev/null | tail -n +2; }

echo "== tables and columns"
ringside sql --tables "$odd" 2>/dev/null | grep -iE '^(calls|kmem|ma"|sched_wakeup|sched_sched|sched_switch|sched_process_ex|sqlite|hrtimer|timer_sqlite|events)' | sed 's/ *$//'

echo "== what they hold"
both() { # both QUERY-OF-THE-PLAIN QUERY-OF-THE-ODD
	local plain odd_one

	plain=$(ask plain.dat "$1") odd_one=$(ask "$odd" "$2")
	[ "$plain" = "$odd_one" ] && echo "the same: $(wc -l <<<"$plain") rows" || printf 'differs: %s\n\t%s\n\t%s\n' "$2" "$plain" "$odd_one"
}
both 'SELECT count(*), count(DISTINCT call_site), sum(ptr % 1000) FROM kfree' "SELECT count(*), count(DISTINCT \"intersect\"), sum(_ts % 1000) FROM kmem_calls"
both 'SELECT count(*), sum(target_cpu), min(prio) FROM sched_waking' 'SELECT count(*), sum(group_by_1), min("from") FROM sched_sched_wakeup'
both 'SELECT prev_pid, next_pid, count(*) FROM sched_switch GROUP BY 1, 2' 'SELECT prev_pid, field_PREV_PID, count(*) FROM sched_switch GROUP BY 1, 2'
both 'SELECT count(*), sum(ts % 1000) FROM kmalloc' "SELECT count(*), sum(ts % 1000) FROM \"Ma\"\"i.'X\""
both 'SELECT function, count(*), sum(total) FROM calls GROUP BY 1' 'SELECT function, count(*), sum(total) FROM calls GROUP BY 1'
both "SELECT count(*) FROM events WHERE name = 'kfree'" "SELECT count(*) FROM events WHERE name = 'calls'"

echo "== other makers of tables use the same names"
ringside export --to clickhouse://127.0.0.1:1/x --create --dry-run -i "$odd" >schema 2>&1
grep -ao 'CREATE TABLE[^(]*' schema | grep -c 'sqlite_master\|kmem_calls\|sched_sched_wakeup\|Ma'
for table in kmem_calls "Ma\"i.'X" Sched_WakeUp; do
	ringside export --to tsv --table "$table" -i "$odd" 2>/dev/null | wc -l
	ask "$odd" "SELECT count(*) FROM \"${table//\"/\"\"}\""
done
ringside export --to tsv --table 'no"such' -i "$odd" 2>&1 | sed 's/(.*//'
command -v sqlite3 >/dev/null || exit 0
ringside export --to sqlite -i "$odd" -o odd.db 2>/dev/null
sqlite3 odd.db 'SELECT count(*) FROM kmem_calls; SELECT count(*) FROM sched_sched_wakeup; SELECT count(*), sum("group_by_1") FROM Sched_WakeUp' >got
ask "$odd" 'SELECT count(*) FROM kmem_calls; SELECT count(*) FROM sched_sched_wakeup; SELECT count(*) || char(124) || sum("group_by_1") FROM Sched_WakeUp' | grep -v '[a-z]' >want
cmp got want && echo "sqlite: the same"
