# The time that calls were off the CPU when some switches are not recorded, although no events were lost: nothing says 0 when it is not known.
command -v python3 >/dev/null && python3 -c 'import sqlite3' || { echo "SKIP: no python3 with sqlite3"; exit 0; }
t=1000000
wait_for() { t=$((t + $1)); }
switch() { echo "0 $t $1 sched_switch prev_pid=$1 prev_prio=120 prev_state=$2 next_pid=$3 next_prio=120"; }	# FROM STATE TO
waking() { echo "0 $t $1 sched_waking pid=$2 target_cpu=0"; }	# BY WHOM
began() { echo "0 $t $1 funcgraph_entry func=@$2 depth=0"; eval "since_$1=$t"; }	# TASK FUNCTION
ended() { echo "0 $t $1 funcgraph_exit func=@$2 depth=0 calltime=$((since_$1)) rettime=$t"; }
# Each call runs for 1 us, is off the CPU, and runs for 1 us again. 7 is off for 302 us each time, and 8 and 9 are off for 214 us.
all() {
	switch 0 0 7; wait_for 10000
	for i in 1 2 3 4 5; do
		began 7 vfs_read; waking 7 8; wait_for 1000
		switch 7 1 8
		[ "$i" -eq 1 ] || { wait_for 1000; ended 8 vfs_write; }
		wait_for 98000; began 8 vfs_write; wait_for 1000; switch 8 1 0; wait_for 100000; waking 0 9; switch 0 0 9
		[ "$i" -eq 1 ] || { wait_for 1000; ended 9 vfs_open; }
		wait_for 98000; began 9 vfs_open; wait_for 1000; waking 9 7; wait_for 2000; switch 9 1 7
		wait_for 1000; ended 7 vfs_read; wait_for 10000
	done
}
data() {
	{ printf '\037\213\010\0\0\0\0\0\0\0'; sed -n "s|^<script type=\"text/plain\" id=\"data-$1\">\([A-Za-z0-9+/=]*\)</script>\$|\1|p" "$2" |
		base64 -d | tail -c +3; } | gzip -dc 2>/dev/null
}
tasks() { printf 'task %s\n' '7 asked' '8 other' '9 third'; }
{ tasks; all; } | plan "$DATA/openat2.dat" all.dat
# As -P 7 records the events. The functions of all tasks are recorded.
t=1000000
{ tasks; all | grep -E '(prev_pid|next_pid|pid)=7 | 7 sched_waking|funcgraph'; } | plan "$DATA/openat2.dat" asked.dat
for file in all asked; do
	echo "== $file"
	figures=function,calls,total,self,off,blocked,queued,preempted
	echo '-- funcs'
	ringside funcs --csv --columns $figures $file.dat 2>&1
	for by in task comm cpu; do
		echo "-- funcs --by $by"
		ringside funcs --by $by --csv --columns $by,$figures $file.dat 2>/dev/null
	done
	echo '-- graph --by task'
	ringside graph --by task --csv --columns path,calls,total,self,off,blocked $file.dat 2>&1
	echo '-- only one task'
	ringside funcs --pid 7 --csv --columns function,self,off $file.dat 2>&1
	echo '-- sql'
	ringside sql --csv -i $file.dat 'SELECT function, pid, count(*), sum(total), sum(self), sum(callees), sum(off), count(off), sum(blocked) FROM calls WHERE cut IS NULL GROUP BY 1, 2' 2>&1
	ringside sql --csv -i $file.dat 'SELECT count(*), sum(total) FROM calls' 2>&1
	ringside sql --csv -i $file.dat 'SELECT sum(a.self), sum(b.off) FROM calls a JOIN calls b ON a.id = b.id AND a.function = "vfs_open"' 2>&1
	echo '-- sqlite'
	ringside export -o $file.sqlite $file.dat 2>&1
	python3 -c 'import sqlite3, sys; [print(*row) for row in sqlite3.connect(sys.argv[1]).execute("SELECT function, pid, total, self, callees, off, blocked, queued, preempted FROM calls WHERE cut IS NULL GROUP BY 1, 2")]' $file.sqlite
	echo '-- slow'
	ringside slow -n 1 vfs_open $file.dat
	ringside slow -n 1 vfs_open --csv --columns tid,total,cause,self,below,off,blocked,queued,preempted $file.dat 2>&1
	echo '-- flame'
	ringside flame --folded $file.dat 2>&1
	echo '-- page'
	ringside page -o page.html $file.dat 2>&1
	data head page.html | grep -oE '"pid":[0-9]+,|"offKnown":[a-z]*' | paste -sd ' ' | sed 's/"pid"/\n&/g'
done
echo '== the times that diff compares'
ringside diff --csv --columns function,off_old,off_new all.dat -- asked.dat 2>&1
