# What notes say of events of which no record was seen: they were not recorded, or the options of the command have left them out.
plan "$DATA/openat2.dat" all.dat <<'END_OF_PLAN'
event raw_syscalls sys_enter 3000 id:8
event raw_syscalls sys_exit 3001 id:8 ret:8
event irq irq_handler_entry 3002 irq:4
event irq irq_handler_exit 3003 irq:4 ret:4
task 7 one
task 8 two
0 1000000 0 sched_switch prev_pid=0 prev_state=0 next_pid=7
0 1001000 7 sys_enter id=34
0 1002000 7 irq_handler_entry irq=9
0 1003000 7 irq_handler_exit irq=9 ret=1
0 1004000 7 sched_switch prev_pid=7 prev_state=1 next_pid=8
0 1005000 8 sched_waking pid=7
0 1006000 8 sched_switch prev_pid=8 prev_state=1 next_pid=7
0 1010000 7 sys_exit id=34 ret=0
0 1011000 7 sys_enter id=39
0 1012000 7 sys_exit id=39 ret=0
END_OF_PLAN
grep_notes() { grep -E 'not known|not be told|cannot be told|is the time in|nothing is known|wakers are' || echo "no note"; }
notes() { ringside "$@" 2>&1 | grep_notes; }
echo "== everything is there"
notes funcs all.dat
echo "== the options leave events out"
for option in '--only-event raw_syscalls' '-v -F sched_switch' '--only-event raw_syscalls,sched_switch,irq' '--until 0.001002' '--since 0.001011' '-I -S -v -F irq_handler_entry,irq_handler_exit'; do
	echo "-- $option"
	notes funcs $option all.dat
done
echo "-- graph"
notes graph --only-event raw_syscalls all.dat
notes funcs --columns function,calls --only-event raw_syscalls,sched_switch,sched_waking all.dat
echo "-- the other commands"
notes sched --since 0.001011 all.dat
notes sched --until 0.001004 all.dat
notes sched --timeline --since 0.001011 all.dat
notes mem --since 0.001011 all.dat
notes mem all.dat
echo "-- slow"
notes slow pause --only-event raw_syscalls all.dat
notes slow pause --only-event raw_syscalls,sched_switch all.dat
notes slow getpid --only-event raw_syscalls,sched_switch,sched_waking all.dat
notes slow pause all.dat
plan "$DATA/openat2.dat" slept.dat <<'END_OF_PLAN'
event raw_syscalls sys_enter 3000 id:8
event raw_syscalls sys_exit 3001 id:8 ret:8
task 7 one
0 1000000 0 sched_switch prev_pid=0 prev_state=0 next_pid=7
0 1001000 7 sys_enter id=34
0 1002000 7 sched_switch prev_pid=7 prev_state=1 next_pid=0
0 1008000 0 sched_waking pid=7
0 1009000 0 sched_switch prev_pid=0 prev_state=0 next_pid=7
0 1010000 7 sys_exit id=34 ret=0
END_OF_PLAN
notes slow pause --only-event raw_syscalls,sched_switch slept.dat
echo "== options that choose tasks leave out none of these events"
plan "$DATA/openat2.dat" calls.dat <<'END_OF_PLAN'
event raw_syscalls sys_enter 3000 id:8
event raw_syscalls sys_exit 3001 id:8 ret:8
task 7 one
0 1001000 7 sys_enter id=34
0 1010000 7 sys_exit id=34 ret=0
END_OF_PLAN
notes funcs --pid 7 calls.dat
notes funcs --comm one --cpu 0 calls.dat
notes slow pause --comm one calls.dat
echo "== two recordings, one without switches"
ringside diff --only-event raw_syscalls,sched_switch calls.dat all.dat 2>&1 | grep_notes
ringside diff calls.dat all.dat 2>&1 | grep_notes
