# slow names the cause that a plan made: ten usual calls of vfs_read, and then one that is slow for one reason. All that is told follows from the plan.
# A usual call takes 10 us: 2 of vfs_read itself, 1 of rw_verify_area, 7 of filemap_read.
t=1000000
wait_for() { t=$((t + $1)); }
rec() { echo "$1 $t $2 $3 ${*:4}"; }			# CPU PID EVENT FIELD=...
enter() { rec "$1" "$2" funcgraph_entry "func=@$3" "depth=$4" "${@:5}"; }
leave() { rec "$1" "$2" funcgraph_exit "func=@$3" "depth=$4" "calltime=$((t - $5))" "rettime=$t" "${@:6}"; }
switch() { rec "$1" "$2" sched_switch "prev_pid=$2" "prev_prio=${5:-120}" "prev_state=$3" "next_pid=$4" "next_prio=${6:-120}"; }	# CPU FROM STATE TO
waking() { rec "$1" "$2" sched_waking "pid=$3" target_cpu=0 "${@:4}"; }		# CPU BY WHOM
woken() { rec "$1" "$2" sched_wakeup "pid=$3" target_cpu=0; }
begin() { enter 0 7 vfs_read 0; wait_for 1000; enter 0 7 rw_verify_area 1; wait_for 1000; leave 0 7 rw_verify_area 1 1000; enter 0 7 filemap_read 1; wait_for 6000; }
finish() {	# MORE: ns that it took longer, of them INSIDE filemap_read
	wait_for 1000
	leave 0 7 filemap_read 1 $((7000 + $2))
	wait_for 1000
	leave 0 7 vfs_read 0 $((10000 + $1))
	wait_for 5000
}
# In io_schedule; what is slept and waited is its own.
sleeps() { enter 0 7 io_schedule 2; switch 0 7 2 "${1:-0}" 120 "${2:-120}"; }
wakes() { switch 0 "${2:-0}" 0 7 "${3:-120}"; leave 0 7 io_schedule 2 "$1"; }
usual() {
	printf 'task %s\n' '7 reader' '8 writer' '9 helper' '20 spinner' '21 other'
	# Something is always known of all, of the CPUs and of interrupts.
	rec 2 21 irq_handler_entry irq=1; rec 2 21 irq_handler_exit irq=1 ret=1
	switch 0 21 1 7; switch 1 21 1 8; switch 2 21 1 9; waking 1 8 21
	wait_for 1000
	for _ in 1 2 3 4 5 6 7 8 9 10; do begin; finish 0 0; done
}
tell() {	# NAME: the slowest call of the plan on the standard input
	t=1000000
	{ usual; "$1"; } >plan.txt
	[ "$1" != irq_graph ] || sed -i /irq_handler/d plan.txt
	plan "$DATA/openat2.dat" "$1.dat" <plan.txt
	echo "== $1"
	ringside slow vfs_read -n 1 --csv --columns cause,culprit,where,explains,total,typical "$1.dat" 2>&1 | tail -n +2
	ringside slow vfs_read --csv --columns total,self,below,irq,off,blocked,queued,preempted "$1.dat" 2>/dev/null | tr -d '\r' | tr , ' ' |
		awk 'NR == 2 { print } NR > 1 && ($1 != $2 + $3 + $4 + $5 || $6 + $7 + $8 > $5) { print "does not add up:", $0 } END { print NR - 1 " calls" }'
}

# The writer is itself asleep for 2 of the 3 ms, until the helper wakes it.
blocked() {
	begin; sleeps
	wait_for 500000; enter 1 8 pipe_write 0; enter 1 8 mutex_lock 1; switch 1 8 2 0
	wait_for 2000000; enter 2 9 mutex_unlock 0; waking 2 9 8; wait_for 1000; leave 2 9 mutex_unlock 0 1000
	switch 1 0 0 8; leave 1 8 mutex_lock 1 2001000
	wait_for 499000; waking 1 8 7; wait_for 10000; leave 1 8 pipe_write 0 2510000
	wakes 3010000; finish 3010000 3010000
}
blocked_by_irq() {
	begin; sleeps; wait_for 3000000
	rec 1 8 irq_handler_entry irq=24 common_flags=9; wait_for 1000; waking 1 8 7 common_flags=9; wait_for 1000; rec 1 8 irq_handler_exit irq=24 ret=1 common_flags=9
	wakes 3002000; finish 3002000 3002000
}
queued() {
	begin; sleeps 20 98; wait_for 1000; waking 1 8 7; woken 1 8 7
	wait_for 3000000; switch 0 20 1 21 98 120; wait_for 1000000; wakes 4001000 21; finish 4001000 4001000
}
# It waits for 1 ms on CPU 0, is migrated, and waits for 3 ms on CPU 2.
moves() {
	wait_for 1000000; rec 2 9 sched_migrate_task pid=7 orig_cpu=0 dest_cpu=2
	wait_for 3000000; switch 2 9 1 7; leave 2 7 io_schedule 2 4001000; wait_for 1000
	leave 2 7 filemap_read 1 4008000; wait_for 1000; leave 2 7 vfs_read 0 4011000
}
queued_moved() { begin; sleeps 20 98; wait_for 1000; waking 1 8 7; woken 1 8 7; moves; }
preempted_moved() { begin; enter 0 7 io_schedule 2; wait_for 1000; switch 0 7 256 20 120 98; moves; }
preempted() {
	begin
	for _ in 1 2; do switch 0 7 0 20; wait_for 2000000; switch 0 20 0 7; wait_for 10000; done
	finish 4020000 4020000
}
irq() {
	begin
	rec 0 7 irq_handler_entry irq=24; wait_for 1500000; rec 0 7 irq_handler_exit irq=24 ret=1
	rec 0 7 softirq_entry vec=3; wait_for 500000; rec 0 7 irq_handler_entry irq=25; wait_for 100000; rec 0 7 irq_handler_exit irq=25 ret=1
	wait_for 400000; rec 0 7 softirq_exit vec=3
	finish 2500000 2500000
}
# The functions of an interrupt tell the same when no events do.
irq_graph() {
	begin; enter 0 7 handle_edge_irq 2 common_flags=9; enter 0 7 kfree 3 common_flags=9; wait_for 1500000; leave 0 7 kfree 3 1500000 common_flags=9
	wait_for 500000; leave 0 7 handle_edge_irq 2 2000000 common_flags=9; finish 2000000 2000000
}
more() {
	begin
	for ((i = 0; i < 99; i++)); do enter 0 7 touch_atime 2; wait_for 1000; leave 0 7 touch_atime 2 1000; done
	finish 99000 99000
}
many() {	# a hundred where there usually is one
	enter 0 7 vfs_read 0; wait_for 1000
	for ((i = 0; i < 100; i++)); do enter 0 7 rw_verify_area 1; wait_for 1000; leave 0 7 rw_verify_area 1 1000; done
	enter 0 7 filemap_read 1; wait_for 6000; finish 99000 0
}
hooks() {	# seven short ones by the way, while it computes twelve microseconds itself
	enter 0 7 vfs_read 0
	for ((i = 0; i < 7; i++)); do enter 0 7 rw_verify_area 1; wait_for 10; leave 0 7 rw_verify_area 1 10; done
	wait_for 13000; enter 0 7 rw_verify_area 1; wait_for 1000; leave 0 7 rw_verify_area 1 1000
	enter 0 7 filemap_read 1; wait_for 6000; finish 12070 0
}
short() {	# two hundred short ones, each of which makes the caller 2 us slower, as tracing it does
	enter 0 7 vfs_read 0
	for ((i = 0; i < 200; i++)); do enter 0 7 rw_verify_area 1; wait_for 50; leave 0 7 rw_verify_area 1 50; wait_for 2000; done
	enter 0 7 filemap_read 1; wait_for 6000; finish 408000 0
}
callee() { begin; wait_for 900000; finish 900000 900000; }
own() {
	enter 0 7 vfs_read 0; rec 0 7 page_fault_user; rec 0 7 page_fault_user
	rec 0 7 contention_begin lock_addr=0xffff888000001000 flags=1; wait_for 700000; rec 0 7 contention_end lock_addr=0xffff888000001000
	wait_for 1000; enter 0 7 rw_verify_area 1; wait_for 1000; leave 0 7 rw_verify_area 1 1000
	enter 0 7 filemap_read 1; wait_for 6000; finish 700000 0
}
# The wakeup itself was lost.
lost_waking() { begin; sleeps; wait_for 3000000; echo 1 lost 5; rec 1 8 sched_process_free pid=3; wait_for 1000; wakes 3001000; finish 3001000 3001000; }
# Who woke it after that may not have been the first.
lost_waker() { begin; sleeps; wait_for 2000000; echo 1 lost 5; wait_for 1000000; waking 1 8 7; wait_for 1000; wakes 3001000; finish 3001000 3001000; }
lost() { begin; echo 0 lost 5; wait_for 3000000; finish 3000000 3000000; }

for name in blocked blocked_by_irq queued queued_moved preempted preempted_moved irq irq_graph more many hooks short callee own lost_waking lost_waker lost; do
	tell "$name"
done
for name in blocked queued queued_moved preempted irq own; do
	echo "== $name, as people read it"
	ringside slow vfs_read -n 1 "$name.dat"
done
echo "== without sched_switch"
t=1000000
{ usual; callee; } | grep -v sched_ >plan.txt
plan "$DATA/openat2.dat" none.dat <plan.txt
ringside slow vfs_read -n 1 none.dat
t=1000000
{ usual; blocked; } | grep -v sched_waking >plan.txt
plan "$DATA/openat2.dat" none.dat <plan.txt
ringside slow vfs_read -n 1 none.dat
echo '== of functions, only vfs_read was recorded (-l vfs_read), and no events of interrupts: what it did itself and what interrupted it look alike'
t=1000000
{ usual; begin; finish 800000 0; } | grep -v -e filemap_read -e rw_verify_area -e irq_handler >plan.txt
plan "$DATA/openat2.dat" none.dat <plan.txt
ringside slow vfs_read -n 1 none.dat
{ cat plan.txt; echo 2 9000000 9 irq_handler_entry irq=1; echo 2 9000100 9 irq_handler_exit irq=1; } | plan "$DATA/openat2.dat" none.dat
ringside slow vfs_read -n 1 none.dat --csv --columns cause,culprit 2>/dev/null
echo '== all functions of vfs_read, but none of an interrupt, and no events of interrupts'
t=1000000
{ usual; begin; finish 800000 0; } | grep -v irq_handler >plan.txt
plan "$DATA/openat2.dat" none.dat <plan.txt
ringside slow vfs_read -n 1 none.dat
{ cat plan.txt; echo 2 9000000 9 funcgraph_entry func=@handle_edge_irq depth=0 common_flags=9
	echo 2 9000100 9 funcgraph_exit func=@handle_edge_irq depth=0 calltime=9000000 rettime=9000100 common_flags=9; } | plan "$DATA/openat2.dat" none.dat
ringside slow vfs_read -n 1 none.dat --csv --columns cause,culprit 2>/dev/null
echo '== without the switches of others, as -F records it'
t=1000000
{
	usual
	begin; enter 0 7 io_schedule 2; switch 0 7 2 20; wait_for 1000; waking 1 8 7; woken 1 8 7; wait_for 3000000; wakes 3001000 21; finish 3001000 3001000
} >plan.txt
plan "$DATA/openat2.dat" others.dat <plan.txt
ringside slow vfs_read -n 1 others.dat
echo '== while CPU 3 loses events, the writer may be there when it is off CPU 1: nobody knows that it slept, and that the helper woke it from that'
t=1000000
{ usual; rec 3 20 sched_process_free pid=3; blocked; echo 3 lost 4; rec 3 20 sched_process_free pid=3; } >plan.txt
plan "$DATA/openat2.dat" losing.dat <plan.txt
ringside slow vfs_read -n 1 losing.dat
