# When are two events of one pid the two ends of one call? Each command must give the answer that follows from the plan.
events='
event raw_syscalls sys_enter 3000 id:8
event raw_syscalls sys_exit 3001 id:8 ret:8
event task task_newtask 3012 pid:4 comm:8 clone_flags:8 oom_score_adj:2
event sched sched_process_free 3013 comm:8 pid:4 prio:4'
quietly() { ringside "$@" 2>/dev/null; }
# Each line has "CALL calls cut total" of all calls, as one command tells them; of latency there are only the calls and their time.
of_funcs() { quietly funcs "$@" --csv --columns function,calls,cut,total | tail -n +2 | sort | tr ',\n' ' ;'; echo; }
of_graph() { quietly graph "$@" --csv --columns path,calls,cut,total --min-percent 0 | tail -n +2 | sort | tr ',\n' ' ;'; echo; }
of_syscalls() { quietly syscalls -q "$@" -c --csv --columns syscall,calls,cut,total | tail -n +2 | sort | tr ',\n' ' ;'; echo; }
of_latency() { quietly latency syscall "$@" --json -n 0 | sed -n 's/.*"count": \([0-9]*\), "sum": \([0-9]*\),.*/\1 calls \2/p' | head -n 1; }
of_pair() { quietly funcs --pair syscall "$@" --csv --columns function,calls,cut,total | sed -n 's/,/ /g; s/^syscall //p'; }
of_sql() {
	local table=$1 name=$2
	shift 2
	quietly sql --csv "select $name, count(total), count(*) - count(total), coalesce(sum(total), '') from $table group by $name order by $name" "$@" | tr -d '\r' |
		tail -n +2 | tr ',\n' ' ;'
	echo
}
all() {
	echo "funcs     $(of_funcs "$@")"
	echo "graph     $(of_graph "$@")"
	echo "calls     $(of_sql calls function "$@")"
	echo "syscalls  $(of_syscalls "$@")"
	echo "and table $(of_sql syscalls syscall "$@")"
	echo "latency   $(of_latency "$@")"
	echo "pair      $(of_pair "$@")"
}
make() { plan "$DATA/openat2.dat" "$1.dat"; }

# 9 is in clone, and a clone with its pid returns. Whether these are one call depends on what the lines between tell of the life of 9. If they are
# not, the exit is the first one of a new task, which is no call of that task: then only the first call is cut.
between() {
	{
		printf '%s\n1 1000 9 sys_enter id=56\n' "$events"
		cat
		printf '1 3000 9 sys_exit id=56 ret=0\n1 4000 9 sys_enter id=0\n1 5000 9 sys_exit id=0 ret=1\n'
	} | make between
	echo "== $1"
	all between.dat
}
between 'nothing is told: one call' </dev/null
between 'it slept: one call' <<END
1 1200 9 sched_switch prev_pid=9 prev_state=1 next_pid=0
1 2000 0 sched_switch prev_pid=0 next_pid=9
END
between 'it left its CPU dead: two calls' <<END
1 1200 9 sched_switch prev_pid=9 prev_state=16 next_pid=0
END
between 'its sched_process_exit: two calls' <<END
1 1200 9 sched_process_exit pid=9
END
between 'its sched_process_free: two calls' <<END
0 1200 0 sched_process_free pid=9
END
between 'a fork of another 9: two calls' <<END
0 2000 7 sched_process_fork parent_pid=7 child_pid=9
END
between 'a birth of another 9, told three times: two calls' <<END
0 2000 7 task_newtask pid=9 clone_flags=0
0 2001 7 sched_process_fork parent_pid=7 child_pid=9
0 2002 7 sched_wakeup_new pid=9
END
between 'the end of 8, and the birth of 10: one call' <<END
0 1200 8 sched_process_exit pid=8
0 1300 8 sched_switch prev_pid=8 prev_state=16 next_pid=7
0 2000 7 sched_process_fork parent_pid=7 child_pid=10
END

# The sched_process_free of the first 9 comes when the second one is in read: it does not end that one. Nor do two events of its birth.
make late <<END
$events
1 1000 9 sys_enter id=231
1 1100 9 sched_process_exit pid=9
1 1200 9 sched_switch prev_pid=9 prev_state=16 next_pid=0
0 2000 7 task_newtask pid=9 clone_flags=0
0 2100 7 sched_process_fork parent_pid=7 child_pid=9
1 2200 0 sched_switch prev_pid=0 next_pid=9
1 3000 9 sys_enter id=0
0 3500 0 sched_process_free pid=9
1 4000 9 sys_exit id=0 ret=1
END
echo '== the first 9 is freed while the second one reads'
all late.dat
make plain <<END
$events
0 900 7 task_newtask pid=9 clone_flags=0
0 910 7 sched_process_fork parent_pid=7 child_pid=9
1 1000 0 sched_switch prev_pid=0 next_pid=9
1 1100 9 sched_process_exit pid=9
1 1200 9 sched_switch prev_pid=9 prev_state=16 next_pid=0
0 1500 0 sched_process_free pid=9
0 2000 7 task_newtask pid=9 clone_flags=0
0 2100 7 sched_process_fork parent_pid=7 child_pid=9
1 2200 0 sched_switch prev_pid=0 next_pid=9
END
echo '== pairs that go on after the death of their task, or that begin with its birth'
for pair in 'sched_process_exit,sched_process_free,pid' 'sched_switch/prev_pid == 9/,sched_process_free,prev_pid=pid' 'task_newtask,sched_switch,pid=next_pid' 'task_newtask,sched_process_fork,pid=child_pid' \
	'task_newtask,sched_process_exit,pid'; do
	quietly funcs --pair "it=$pair" plain.dat --csv --columns function,calls,cut,total | grep ^it,
done
echo '== functions: what a dead task was in is no caller of the functions of the next one'
make functions <<END
1 1000 9 funcgraph_entry func=@vfs_read depth=0
1 1200 9 sched_switch prev_pid=9 prev_state=16 next_pid=0
1 2000 0 sched_switch prev_pid=0 next_pid=9
1 2200 9 funcgraph_exit func=@vfs_read depth=0 calltime=1900 rettime=2200
1 3000 9 funcgraph_entry func=@vfs_open depth=0
1 3100 9 funcgraph_exit func=@vfs_open depth=0 calltime=3000 rettime=3100
END
of_funcs functions.dat
of_graph functions.dat
of_sql calls function functions.dat

# The exit of write is not that of read, and the handler of a signal returns without a number.
make numbers <<END
$events
0 1000 7 sys_enter id=0
0 1500 7 sys_exit id=1 ret=1
0 2000 7 sys_enter id=0
0 2700 7 sys_exit id=0 ret=1
0 3000 7 sys_enter id=15
0 3040 7 sys_exit id=0xffffffffffffffff ret=0
END
echo '== the numbers of system calls'
all numbers.dat

# 7 is in a system call on CPU 0 while CPU 1 loses events, where 8 was before and afterwards: only events of 8 can be among them. In the second case 7 is the
# first task there after the loss.
make elsewhere <<END
$events
1 800 8 sys_enter id=1
0 1000 7 sys_enter id=0
1 lost 3
1 1500 8 sys_exit id=1 ret=1
0 2000 7 sys_exit id=0 ret=1
END
make comes <<END
$events
1 800 8 sys_enter id=1
0 1000 7 sys_enter id=0
1 lost 3
1 2000 7 sys_exit id=0 ret=1
1 2500 8 sys_exit id=1 ret=1
END
# 7 was off its CPU during a part of the loss, and could have been on CPU 1.
make off <<END
$events
0 900 0 sched_switch prev_pid=0 next_pid=7
1 950 0 sched_switch prev_pid=0 next_pid=8
0 1000 7 sys_enter id=0
0 1100 7 sched_switch prev_pid=7 prev_state=1 next_pid=0
1 lost 3
1 1500 8 sys_enter id=1
1 1600 8 sys_exit id=1 ret=1
0 1800 0 sched_switch prev_pid=0 next_pid=7
0 2000 7 sys_exit id=0 ret=1
END
# 7 enters a system call while CPU 1 loses events, and stays where it is. 8 enters one elsewhere, too, and is the first task on CPU 1 after the loss.
make within <<END
$events
1 900 9 sys_enter id=1
0 1000 7 sys_enter id=0
2 1100 8 sys_enter id=2
0 1300 7 sys_exit id=0 ret=1
1 lost 3
1 1500 8 sys_exit id=2 ret=1
1 2000 9 sys_exit id=1 ret=1
END
for file in elsewhere comes off within; do
	echo "== losses: $file"
	all $file.dat
done
echo '== what --tid, --pid and --comm select is no other answer'
make selected <<END
$events
task 7 one
task 8 two
0 1000 7 sys_enter id=0
0 1100 7 sys_exit id=0 ret=1
0 1500 8 sys_enter id=1
0 lost 3
0 2000 8 sys_exit id=1 ret=1
1 1200 7 sys_enter id=2
1 1300 7 softirq_entry vec=1
1 1400 7 softirq_exit vec=1
1 3000 7 sys_exit id=2 ret=0
END
for selects in '--tid 7' '--pid 7' '--comm one' '--tid 8'; do
	echo "== $selects"
	# shellcheck disable=SC2086
	all $selects selected.dat | grep -v ^latency
done
