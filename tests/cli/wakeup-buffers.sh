# Two buffers with records of the same wakeups: each wakeup counts once, and a waking and a switch are of the same buffer.
tasks() { printf 'task %s\n' '7 seven' '8 eight' '9 nine'; }
# Three waits of 7, for 10, 20 and 30 us. A buffer records the wakings and the switches a little later, and not all of them equally late.
events() { # LATER-WAKING LATER-SWITCH
	local t=1000000 wait
	for wait in 10000 20000 30000; do
		echo "0 $((t + $1)) 8 sched_waking pid=7 target_cpu=0"
		echo "0 $((t + wait + $2)) 8 sched_switch prev_pid=8 prev_prio=120 prev_state=1 next_pid=7 next_prio=120"
		echo "0 $((t + wait + 50000 + $2)) 7 sched_switch prev_pid=7 prev_prio=120 prev_state=1 next_pid=8 next_prio=120"
		t=$((t + 100000))
	done
}
{ tasks; events 0 0; echo 'buffer two'; events 1000 3000; } | plan "$DATA/openat2.dat" two.dat
ask() {
	echo "-- $*"
	ringside latency wakeup "$@" two.dat 2>&1 | grep -v ^From | head -3
	ringside dist wakeup --json "$@" two.dat 2>/dev/null | grep -o '"count": [0-9]*, "sum": [0-9]*'
	ringside slow --csv --columns function,total wakeup "$@" two.dat 2>/dev/null
	ringside funcs --pair wakeup --csv --columns function,calls,cut,total "$@" two.dat 2>/dev/null
	ringside sched --pid 7 --csv --columns pid,count,max "$@" two.dat 2>/dev/null
}
echo '== the switches of the top buffer are the earliest: its waits are 60 us together; those of the other are 66 us'
ask
ask -B top
ask -B two
echo '== the switches of the other buffer are the earliest: its waits are 66 us together'
{ tasks; events 3000 4000; echo 'buffer two'; events 1000 3000; } | plan "$DATA/openat2.dat" two.dat
ask
echo '== the switches of the top buffer are the earliest, but it has no wakeups: the waits of the other buffer count, 66 us together'
{ tasks; events 0 0 | grep sched_switch; echo 'buffer two'; events 1000 3000; } | plan "$DATA/openat2.dat" two.dat
ask
echo '== another pair, of events that are not about switches, counts in each buffer'
{
	echo '0 1000 7 sys_enter id=0'; echo '0 5000 7 sys_exit id=0'
	echo 'buffer two'; echo '0 2000 7 sys_enter id=0'; echo '0 8000 7 sys_exit id=0'
} | plan "$DATA/openat2.dat" calls.dat
for command in 'latency syscall' 'dist syscall'; do ringside $command --json calls.dat 2>&1 | grep -o '"count": [0-9]*, "sum": [0-9]*'; done
