# Waits of tasks whose switches are not all recorded, although no events were lost. The plan has all events; what the kernel leaves out is taken away from it.
t=1000000
wait_for() { t=$((t + $1)); }
switch() { echo "$1 $t $2 sched_switch prev_pid=$2 prev_prio=120 prev_state=$3 next_pid=$4 next_prio=120"; }	# CPU FROM STATE TO
waking() { echo "$1 $t $2 sched_waking pid=$3 target_cpu=0"; }	# CPU BY WHOM
tasks() { printf 'task %s\n' '7 asked' '8 other' '9 third' '20 own1' '21 own2'; }
ask() {
	ringside latency wakeup "$@" 2>&1 | grep -v ^From | head -3
	ringside dist wakeup --csv "$@" 2>/dev/null
	ringside slow --csv --columns function,total wakeup "$@" 2>/dev/null
	ringside funcs --pair wakeup --csv --columns function,calls,cut,total "$@" 2>/dev/null
}
# In each round, 9 wakes 7, which runs after 2 us. 7 wakes 8, which runs after 3 us on CPU 1. After 50 us, 9 wakes 8 again, which runs after 1 us.
rounds() {
	switch 0 0 0 9; switch 1 0 0 20
	for _ in 1 2 3 4 5 6; do
		wait_for 1000; waking 0 9 7; wait_for 2000; switch 0 9 1 7; wait_for 1000
		waking 0 7 8; wait_for 3000; switch 1 20 0 8; wait_for 10000; switch 1 8 1 20; wait_for 40000
		waking 1 9 8; wait_for 1000; switch 0 7 1 8; wait_for 1000; switch 0 8 1 9
	done
}
echo '== all events: 6 waits of 7 for 2 us, 6 of 8 for 3 us and 6 of 8 for 1 us'
{ tasks; rounds; } | plan "$DATA/openat2.dat" all.dat
ask all.dat
echo '== with -P 7, the 54 us from the waking of 8 by 7 to the switch from 7 to 8 are not one wait; those of 7 are known'
{ tasks; rounds | grep -E 'pid=7 | 7 sched_waking'; } | plan "$DATA/openat2.dat" asked.dat
ask asked.dat
echo '== a part of the time has too few switches to show that some are missing; the whole recording shows it'
for command in "dist wakeup" "funcs --pair wakeup"; do ringside $command --csv --until +0.00006 asked.dat; done
echo '== without the switches between 20 and 21, as ringside leaves out its own threads: 8 waits for 4 us; 20, which 21 wakes, runs after 5 us, and not first after 26 us'
t=1000000
own() {
	waking 0 0 8; wait_for 4000; switch 0 0 0 8; wait_for 10000; switch 0 8 1 20; wait_for 5000
	switch 0 20 1 21; wait_for 1000; waking 0 21 20; wait_for 5000; switch 0 21 1 20; wait_for 5000
	switch 0 20 1 21; wait_for 5000; switch 0 21 1 0; wait_for 1000
}
{ tasks; for _ in 1 2 3 4 5 6; do own; done | grep -vE 'prev_pid=2. .*next_pid=2. '; } | plan "$DATA/openat2.dat" own.dat
ask own.dat
echo '== a recording in which only 20 is woken: no wait is known'
{ tasks; for _ in 1 2 3 4 5 6; do own; done | grep -vE 'prev_pid=2. .*next_pid=2. |sched_waking pid=8 '; } | plan "$DATA/openat2.dat" none.dat
ask none.dat
ringside slow wakeup none.dat
echo $?
