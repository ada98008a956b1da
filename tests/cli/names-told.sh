# The names of tasks that only the records of the scheduler tell: a record has the name that it tells itself, or that an earlier record has told. So what count prints
# for a task can be chosen by this name, and all formats of export have it. The text of report has the name from the next record on, as that of trace-cmd.
plan "$DATA/events.dat" told.dat <<'PLAN'
task 7 saved
0 1000 7 kfree call_site=@ksys_read ptr=4096
0 2000 4242 kfree call_site=@ksys_read ptr=4096
0 3000 4242 sched_switch prev_comm=mkdir prev_pid=4242 next_comm=sh next_pid=4243
0 4000 4243 kfree call_site=@ksys_read ptr=4096
0 5000 4243 sched_switch prev_comm=later prev_pid=4243 next_comm=saving next_pid=7
0 6000 7 kfree call_site=@ksys_read ptr=4096
PLAN
echo '== report'
ringside report -t told.dat | sed 's/: .*//'
echo '== count: the four tasks, and the records of each'
ringside count --by comm,pid --csv told.dat
for name in mkdir sh saved later saving '<...>'; do
	echo "$name: $(ringside report -F ".* : COMM == \"$name\"" told.dat 2>/dev/null | grep -c '\[000\]')" \
		"without: $(ringside report -v -F ".* : COMM == \"$name\"" told.dat | grep -c '\[000\]')" \
		"count: $(ringside count -f "COMM == \"$name\"" --by comm --csv told.dat 2>/dev/null | tail -n +2 | tr '\n' ' ')"
done
echo '== export'
ringside export --to csv told.dat | cut -d, -f3-5
ringside export --to jsonl told.dat | grep -o '"pid":[^}]*"event":"[a-z_]*"'
ringside export --to sqlite -o told.db told.dat
ringside sql --csv 'SELECT pid, comm, name FROM events ORDER BY ts' told.dat
command -v sqlite3 >/dev/null && sqlite3 told.db "SELECT pid, comm FROM sched_switch ORDER BY ts" >rows && diff - rows <<'ROWS'
4242|mkdir
4243|sh
ROWS
command -v babeltrace2 >/dev/null && ringside export --to ctf -o told.ctf told.dat && babeltrace2 told.ctf | grep -o 'pid = [0-9]*, comm = "[^"]*"' >rows && diff - rows <<'ROWS'
pid = 7, comm = "saved"
pid = 4242, comm = "<...>"
pid = 4242, comm = "mkdir"
pid = 4243, comm = "sh"
pid = 4243, comm = "sh"
pid = 7, comm = "saved"
ROWS
echo '== with some of the records, from those that are left out'
ringside count --by comm --only-event kfree --csv told.dat
ringside export --to csv --only-event kfree told.dat | cut -d, -f3-5
ringside report --only-event kfree -F '.* : COMM == "sh"' told.dat | grep -c '\[000\]'
