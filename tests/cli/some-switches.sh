# A filter that leaves out some records of sched_switch: whatever shows when tasks were on a CPU says that this is not known. The plan says what is there.
plan "$DATA/events.dat" s.dat <<END
task 7 seven
task 8 eight
task 9 nine
0 1000 0 sched_switch prev_pid=0 next_pid=7
0 1100 7 sys_enter id=0
0 2000 7 sched_switch prev_pid=7 prev_state=1 next_pid=8
0 2500 8 sched_waking pid=7
0 3000 8 sched_switch prev_pid=8 prev_state=0 next_pid=9
0 4000 9 sched_switch prev_pid=9 prev_state=1 next_pid=7
0 4500 7 sys_exit id=0 ret=0
0 5000 7 sched_switch prev_pid=7 prev_state=0 next_pid=8
0 5500 8 sched_waking pid=9
0 6000 8 sched_switch prev_pid=8 prev_state=1 next_pid=7
0 7000 7 sched_switch prev_pid=7 prev_state=1 next_pid=9
0 8000 9 sched_switch prev_pid=9 prev_state=1 next_pid=0
END
some() { ringside "$1" -v -F "sched_switch: prev_pid == 8" "${@:2}" s.dat; }

echo "== report --profile: what is left is counted, and not timed"
some report --profile 2>&1
echo "== with none left out, it is timed"
ringside report --profile s.dat 2>&1 | grep -c 'sched_switch:[SR]'

echo "== flame --off-cpu draws nothing"
some flame --off-cpu -o off.html; echo "$?"
ls off.html 2>&1 | sed "s/^ls: //"

echo "== page: no task is told to wait; with none left out, 7 is blocked, queued, preempted and asleep, 8 preempted and asleep, 9 blocked and queued"
head_of() {
	{ printf '\037\213\010\0\0\0\0\0\0\0'; sed -n 's|^<script type="text/plain" id="data-head">\([A-Za-z0-9+/=]*\)</script>$|\1|p' "$1" |
		base64 -d | tail -c +3; } | gzip -dc 2>/dev/null
}
some page -o some.html
ringside page -o all.html s.dat
for page in some all; do
	head_of $page.html | grep -oE '"pid":[0-9]+|"waits":[0-9]+' | paste -sd ' '
done

echo "== exports to viewers have no stays"
for to in chrome perfetto; do
	some export --to $to -o some.$to
done
grep -c '"cat":"sched","name":"[^s]' some.chrome

echo "== sql: no rows in sched, said once of a whole statement; what a call did off the CPU is NULL; wakeups are found before the filter"
some sql --csv 'SELECT (SELECT count(*) FROM sched) AS n, function, total, self, off, blocked, preempted, queued FROM calls'
some sql --csv 'SELECT ts, pid, queued FROM wakeups'

echo "== slow: says why it is not known; a pair that ends in a switch may be too long"
some slow read 2>&1 | tail -1
some slow --csv --columns function,total wakeup
some dist wakeup 2>&1 | head -1

echo "== calls in a recording without sched_switch: off is not known and not 0; without wakeups blocked and queued are not; all are in the third"
plan "$DATA/events.dat" none.dat <<END
0 1000 7 sys_enter id=0
0 4500 7 sys_exit id=0 ret=0
END
plan "$DATA/events.dat" asleep.dat <<END
0 1000 7 sys_enter id=0
0 2000 7 sched_switch prev_pid=7 prev_state=0 next_pid=8
0 2500 8 sched_switch prev_pid=8 prev_state=1 next_pid=7
0 4500 7 sys_exit id=0 ret=0
END
for file in none asleep s; do
	ringside sql --csv 'SELECT total, self, off, blocked, preempted, queued FROM calls' $file.dat | tail -1
	ringside funcs --csv --columns total,self,off,blocked,preempted,queued $file.dat 2>/dev/null | tail -1
done
