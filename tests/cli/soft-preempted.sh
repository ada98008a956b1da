# With PREEMPT_RT, a task that runs a soft interrupt can be preempted meanwhile, and can sleep. Then the interrupted call is off its CPU, and not interrupted.
# sendto takes 9 us: 2 itself, 2 in the soft interrupt, 5 preempted, of which the other task is interrupted for 1.
events='event raw_syscalls sys_enter 3000 id:8
event raw_syscalls sys_exit 3001 id:8 ret:8
event irq irq_handler_entry 3002 irq:4
event irq irq_handler_exit 3003 irq:4 ret:4
event irq softirq_entry 3004 vec:4
event irq softirq_exit 3005 vec:4
task 7 sender
task 8 other'
call() { # STATE
	cat <<-END
		0 1000000 0 sched_switch prev_pid=0 prev_state=0 next_pid=7
		0 1001000 7 sys_enter id=44
		0 1002000 7 softirq_entry vec=3 common_flags=16
		0 1002500 7 funcgraph_entry func=@net_rx_action depth=0 common_flags=16
		0 1003000 7 sched_switch prev_pid=7 prev_state=$1 next_pid=8 common_flags=16
		0 1005000 8 irq_handler_entry irq=9 common_flags=8
		0 1005500 8 sched_waking pid=7 common_flags=8
		0 1006000 8 irq_handler_exit irq=9 ret=1 common_flags=8
		0 1008000 8 sched_switch prev_pid=8 prev_state=1 next_pid=7
		0 1008500 7 funcgraph_exit func=@net_rx_action depth=0 calltime=1002500 rettime=1008500 common_flags=16
		0 1009000 7 softirq_exit vec=3 common_flags=16
		0 1010000 7 sys_exit id=44 ret=0
	END
}
ask() {
	{ echo "$events"; grep -v "$1"; } | plan "$DATA/openat2.dat" soft.dat
	ringside sql --csv 'SELECT function, total, self, callees, irq, off, blocked, queued, preempted FROM calls' soft.dat
	ringside slow sendto --csv --columns cause,culprit soft.dat 2>/dev/null
}
echo '== events of interrupts'
call 256 | ask func
echo '== functions'
call 256 | ask 'softirq\|irq_handler'
echo '== both'
call 256 | ask nothing
echo '== it sleeps'
call 2 | ask func

# The exit of the soft interrupt is missing, and no events were lost.
plan "$DATA/openat2.dat" cut.dat <<'END'
0 1000 7 funcgraph_entry func=@vfs_read depth=0
0 1100 7 funcgraph_entry func=@dput depth=1 common_flags=16
0 1200 7 sched_switch prev_pid=7 prev_state=1 next_pid=0
0 1700 0 sched_switch prev_pid=0 next_pid=7
0 2000 7 funcgraph_exit func=@vfs_read depth=0 calltime=1000 rettime=2000
END
echo "== a soft interrupt that is cut: its time off the CPU counts once"
ringside funcs --csv --columns function,calls,cut,total,self,off,irq cut.dat 2>/dev/null
