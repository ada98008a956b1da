# sched when some switches are not recorded, although no events were lost. The plan has all switches; what a filter leaves out is taken away from it.
t=1000000
wait_for() { t=$((t + $1)); }
switch() { echo "$1 $t $2 sched_switch prev_pid=$2 prev_prio=120 prev_state=$3 next_pid=$4 next_prio=120"; }	# CPU FROM STATE TO
waking() { echo "$1 $t $2 sched_waking pid=$3 target_cpu=0"; }	# CPU BY WHOM
tasks() { printf 'task %s\n' '7 asked' '8 other' '9 third' '20 own1' '21 own2'; }
all() {
	switch 0 0 0 7; wait_for 10000
	for _ in 1 2 3 4 5; do
		waking 0 7 8; wait_for 1000
		switch 0 7 1 8; wait_for 100000; switch 0 8 1 0; wait_for 100000; waking 0 0 9; switch 0 0 0 9; wait_for 100000
		waking 0 9 7; wait_for 2000; switch 0 9 1 7; wait_for 10000
	done
	switch 0 7 1 0; wait_for 1000; switch 0 0 0 8; wait_for 1000; switch 0 8 1 0
}
echo '== all switches'
{ tasks; all; } | plan "$DATA/openat2.dat" all.dat
ringside sched all.dat
echo '== those of the task 7 only, as -P 7 records them: what others did is not known'
{ tasks; all | grep -E '(prev_pid|next_pid|pid)=7 | 7 sched_waking'; } | plan "$DATA/openat2.dat" asked.dat
ringside sched asked.dat
ringside sched --by cpu asked.dat
ringside sched --wakes asked.dat --csv
echo '== the sums of a timeline are those of the table'
for file in all asked; do
	ringside sched --timeline --csv --columns comm,run $file.dat 2>/dev/null | awk -F, 'NR > 1 && $2 { sum[$1] += $2 } END { for (name in sum) print name "," sum[name] }' | sort >lines
	ringside sched --csv --columns comm,run $file.dat 2>/dev/null | awk -F, 'NR > 1 && $2 + 0' | sort | diff - lines && cat lines
done
echo '== a timeline: 8 runs twice for 1 us in 53 us, and nothing shows that it left its CPU in between; that it lacks switches shows at other times'
t=1000000
again() {
	switch 0 7 1 8; wait_for 1000; switch 0 8 1 9; wait_for 50000; switch 0 9 1 8; wait_for 1000; switch 0 8 1 7; wait_for 1000
	switch 0 7 1 8; wait_for 1000; switch 0 8 1 9; wait_for 50000; switch 0 9 1 7; wait_for 1000
}
{ tasks; for _ in 1 2 3 4 5; do again; done | grep -E '(prev_pid|next_pid)=7 '; } | plan "$DATA/openat2.dat" again.dat
ringside sched --timeline again.dat 2>&1 | tail -5
ringside sched --timeline --json --columns pid,off,queued,run again.dat | tail -4
echo '== a window in which no switch shows that 8 lacks some: the table says the same of it as the timeline'
for options in '--until 0.001054' '--since 0.001100 --until 0.001160'; do
	echo "-- $options"
	# shellcheck disable=SC2086
	set -- $options
	ringside sched "$@" --columns comm,pid,run,switches again.dat
	ringside sched "$@" --timeline --csv --columns comm,run again.dat 2>/dev/null
done
echo '== without those between 20 and 21, as ringside leaves out its own threads: what others did is known'
t=1000000
own() {
	switch 0 0 0 8; wait_for 10000; switch 0 8 1 20; wait_for 5000
	switch 0 20 1 21; wait_for 5000; switch 0 21 1 20; wait_for 5000; switch 0 20 1 21; wait_for 5000; switch 0 21 1 0; wait_for 1000
}
{ tasks; for _ in 1 2 3; do own; done | grep -vE 'prev_pid=2. .*next_pid=2. '; } | plan "$DATA/openat2.dat" own.dat
ringside sched own.dat
echo '== the same, and events were lost in another place: what is said of the missing switches does not deny it'
t=1000000
{ tasks; for _ in 1 2 3; do own; done | grep -vE 'prev_pid=2. .*next_pid=2. '; echo '0 lost 4'; wait_for 100000; own | grep -vE 'prev_pid=2. .*next_pid=2. '; } | plan "$DATA/openat2.dat" lossy.dat
ringside sched lossy.dat | grep 'were lost'
echo '== a task that is woken twice has run in between: only the last wait counts'
t=1000000
{
	tasks
	switch 0 8 1 7; wait_for 1000; switch 0 7 1 0; wait_for 1000
	waking 0 0 7; wait_for 500000; waking 0 0 7; wait_for 3000; switch 0 0 0 7; wait_for 1000; switch 0 7 1 0
} | plan "$DATA/openat2.dat" twice.dat
ringside sched --pid 7 twice.dat --json --columns run,queued,blocked,count,max,cut
echo '== a busy CPU, on which the kernel has left out five switches of 1,020 that it did not count as lost: the times are known, but for those of the idle task'
t=1000000
{
	tasks
	for i in {1..10}; do
		for _ in {1..50}; do switch 0 7 0 8; wait_for 1000; switch 0 8 0 7; wait_for 1000; done
		switch 0 7 1 0; wait_for 1000
		[ $((i % 2)) -eq 1 ] || switch 0 0 0 7
		wait_for 1000
	done
} | plan "$DATA/openat2.dat" busy.dat
ringside sched busy.dat
echo '== -P 7, which alternates with the idle task of CPU 0, where 20 runs in between; that switches are missing shows on CPU 1 only'
t=1000000
{
	tasks
	for _ in {1..500}; do
		switch 0 0 0 7; wait_for 1000; switch 0 7 1 0; wait_for 1000
		switch 0 0 0 20; wait_for 100000; switch 0 20 1 0; wait_for 1000
	done
	for _ in {1..5}; do
		switch 1 0 0 7; wait_for 1000; switch 1 7 1 8; wait_for 1000; switch 1 8 1 7; wait_for 1000; switch 1 7 1 0; wait_for 1000
		switch 1 0 0 9; wait_for 1000; switch 1 9 1 7; wait_for 1000; switch 1 7 1 0; wait_for 1000
	done
} | grep -E '^task|(prev_pid|next_pid)=7 ' | plan "$DATA/openat2.dat" between.dat
ringside sched --columns comm,pid,run,switches between.dat
echo '== -P 7, and one switch of 7 is missing, too: 20 runs on CPU 1, where no switch is known to be missing, and the times of no idle task are known'
t=1000000
{
	tasks
	for _ in 1 2; do switch 0 7 1 8; wait_for 1000; switch 0 8 1 0; wait_for 1000; switch 0 0 0 7; wait_for 1000; done
	wait_for 1000
	switch 0 0 0 7; wait_for 1000; switch 0 7 1 0; wait_for 1000
	switch 1 0 0 7; wait_for 1000; switch 1 7 1 0; wait_for 1000; switch 1 0 0 20; wait_for 100000; switch 1 20 1 0; wait_for 1000
	switch 1 0 0 7
} | grep -E '^task|(prev_pid|next_pid)=7 ' | plan "$DATA/openat2.dat" one.dat
ringside sched --columns comm,pid,run,switches one.dat
short() {
	switch 0 0 0 7; wait_for 1000; switch 0 7 1 8; wait_for 50000; switch 0 8 1 9; wait_for 50000; switch 0 9 1 7; wait_for 1000
	switch 0 7 1 20; wait_for 30000; switch 0 20 1 8; wait_for 30000; switch 0 8 1 20; wait_for 30000; switch 0 20 1 7; wait_for 1000
	switch 0 7 0 21; wait_for 1000; switch 0 21 1 0; wait_for 40000; switch 0 0 0 21; wait_for 1000; switch 0 21 1 7; wait_for 1000; switch 0 7 1 8
}
echo '== -P 7 for a short while: one switch is seen to be missing, and it is enough to tell that only the times of 7 are known'
t=1000000
{ tasks; short | grep -E '(prev_pid|next_pid)=7 '; } | plan "$DATA/openat2.dat" short.dat
ringside sched --columns comm,pid,run,switches short.dat
ringside sched --timeline --csv --columns comm,run short.dat 2>/dev/null
ringside sql --csv -i short.dat "SELECT comm, sum(dur) FROM sched GROUP BY comm" 2>/dev/null
echo '== the same with all switches'
t=1000000
{ tasks; short; } | plan "$DATA/openat2.dat" short-all.dat
ringside sched --columns comm,pid,run,switches short-all.dat
echo '== -P 7,30,31,42,43,44: 30 and 31 run before and after each other and 7 only, so nothing tells whether they were to be recorded'
t=1000000
{
	tasks; printf 'task %s\n' '30 mine' '31 ours' '42 job1' '43 job2' '44 job3'
	for job in 42 43 44; do
		switch 0 7 1 $job; wait_for 1000; switch 0 $job 1 8; wait_for 50000; switch 0 8 1 20; wait_for 50000; switch 0 20 1 $job; wait_for 1000
		switch 0 $job 1 9; wait_for 50000; switch 0 9 1 0; wait_for 50000; switch 0 0 0 $job; wait_for 1000; switch 0 $job 1 7; wait_for 1000
	done
	switch 0 7 1 30; wait_for 1000; switch 0 30 1 31; wait_for 1000; switch 0 31 1 30; wait_for 1000; switch 0 30 1 7; wait_for 1000
	switch 0 7 1 8; wait_for 1000; switch 0 8 1 21; wait_for 1000; switch 0 21 1 7; wait_for 1000; switch 0 7 1 8
} | grep -E '^task|(prev_pid|next_pid)=(7|30|31|4.) ' | plan "$DATA/openat2.dat" several.dat
ringside sched --columns comm,pid,run,switches several.dat
echo '== all tasks are recorded, and a switch from 20, which has few, is left out: the times of the two tasks that it was between are not known'
t=1000000
{
	tasks
	for _ in 1 2 3; do
		switch 0 0 0 7; wait_for 1000; switch 0 7 1 8; wait_for 1000; switch 0 8 1 9; wait_for 1000; switch 0 9 1 0; wait_for 1000
	done
	switch 0 0 0 20; wait_for 1000; switch 0 21 1 0; wait_for 1000; switch 0 0 0 7
} | plan "$DATA/openat2.dat" single.dat
ringside sched --columns comm,pid,run,switches single.dat
