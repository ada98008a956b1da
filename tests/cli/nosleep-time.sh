# With the kernel's option nosleep-time, function_graph leaves the time off the CPU out of durations. The same calls must have the same times as without it.
cd "$HOME" || exit
# calls SHARE: the records of three tasks; of each time off the CPU, SHARE ns in 1000 are not in the durations.
calls() {
	out() { echo $(($1 * share / 1000)); }
	share=$1
	printf 'task %s\n' '7 sleeper' '8 other' '9 third'
	printf 'event raw_syscalls sys_%s\n' 'enter 3000 id:8' 'exit 3001 id:8 ret:8'
	# schedule is off the CPU for 310 us, 300 of them blocked, and needs 20 us itself. vfs_read needs 70 us itself. The system call is 20 us longer.
	cat <<-END
		0 990000 7 sys_enter id=0
		0 1000000 7 funcgraph_entry func=@vfs_read depth=0
		0 1010000 7 funcgraph_entry func=@schedule depth=1
		0 1020000 7 sched_switch prev_pid=7 prev_state=1 next_pid=0
		0 1320000 0 sched_waking pid=7
		0 1330000 0 sched_switch prev_pid=0 prev_state=0 next_pid=7
		0 1340000 7 funcgraph_exit func=@schedule depth=1 calltime=$((1010000 + $(out 310000))) rettime=1340000
		0 1400000 7 funcgraph_exit func=@vfs_read depth=0 calltime=$((1000000 + $(out 310000))) rettime=1400000
		0 1410000 7 sys_exit id=0
	END
	# vfs_write is preempted for 50 us, and goes on on the other CPU. Then it sleeps for 5 us in schedule.
	cat <<-END
		0 2000000 7 funcgraph_entry func=@vfs_write depth=0
		0 2010000 7 sched_switch prev_pid=7 prev_state=0 next_pid=8
		1 2060000 0 sched_switch prev_pid=0 prev_state=0 next_pid=7
		1 2070000 7 funcgraph_entry func=@schedule depth=1
		1 2071000 7 sched_switch prev_pid=7 prev_state=1 next_pid=0
		1 2074000 0 sched_waking pid=7
		1 2076000 0 sched_switch prev_pid=0 prev_state=0 next_pid=7
		1 2077000 7 funcgraph_exit func=@schedule depth=1 calltime=$((2070000 + $(out 5000))) rettime=2077000
		1 2100000 7 funcgraph_exit func=@vfs_write depth=0 calltime=$((2000000 + $(out 55000))) rettime=2100000
	END
	# The exit of vfs_open, in which schedule sleeps for 200 us, is not recorded. It is part of vfs_statx.
	cat <<-END
		1 3000000 7 funcgraph_entry func=@vfs_statx depth=0
		1 3010000 7 funcgraph_entry func=@vfs_open depth=1
		1 3020000 7 funcgraph_entry func=@schedule depth=2
		1 3030000 7 sched_switch prev_pid=7 prev_state=1 next_pid=9
		1 3220000 9 sched_waking pid=7
		1 3230000 9 sched_switch prev_pid=9 prev_state=1 next_pid=7
		1 3240000 7 funcgraph_exit func=@schedule depth=2 calltime=$((3020000 + $(out 200000))) rettime=3240000
		1 3250000 7 funcgraph_entry func=@getname depth=2
		1 3251000 7 funcgraph_exit func=@getname depth=2 calltime=3250000 rettime=3251000
		1 3300000 7 funcgraph_exit func=@vfs_statx depth=0 calltime=$((3000000 + $(out 200000))) rettime=3300000
	END
}
figures=function,calls,cut,total,self,off,blocked,queued,preempted,guessed
for option in sleep nosleep; do
	calls $([ $option = sleep ] && echo 0 || echo 1000) >plan.$option
	plan "$DATA/openat2.dat" $option.dat <plan.$option
	# Without switches, nothing tells that vfs_write was off the CPU outside of schedule.
	grep -v ' sched_' plan.$option | sed '/vfs_write/d' | plan "$DATA/openat2.dat" $option-guess.dat
	for file in $option $option-guess; do
		{
			echo "== funcs"; ringside funcs --csv --columns $figures $file.dat 2>$file.said
			echo "== graph"; ringside graph --min-percent 0 --csv --columns path,calls,total,self,off $file.dat 2>/dev/null
			echo "== slow"; ringside slow vfs_read $file.dat 2>/dev/null
			echo "== sql"; ringside sql --csv -i $file.dat 'SELECT function, ts, end, total, self, callees, off, cut FROM calls ORDER BY ts' 2>/dev/null
			echo "== hist"; ringside hist --time --folded $file.dat 2>/dev/null
			echo "== chrome"; ringside export --to chrome $file.dat 2>/dev/null | grep -o '"total":[0-9a-z]*'
		} >$file.got
	done
done
for file in sleep sleep-guess; do
	echo "=== $file"
	cat $file.got
	echo "== said"
	cat $file.said
	echo "== the same with nosleep-time"
	diff $file.got no$file.got && echo "the same figures"
	diff $file.said no$file.said
done
echo "=== the file is told, if only one has the option"
ringside funcs sleep.dat nosleep.dat 2>&1 | grep nosleep-time
for command in 'funcs --match vfs_read' graph 'slow vfs_read' 'dist vfs_read'; do
	# shellcheck disable=SC2086
	ringside $command nosleep.dat 2>&1 | grep -c nosleep-time
done
ringside diff sleep.dat -- nosleep.dat 2>&1 | grep nosleep-time

echo "=== without the option, a long time between the end of a duration and the record of the exit is not taken for time off the CPU"
{
	calls 0
	cat <<-END
		1 4000000 7 funcgraph_entry func=@vfs_fstat depth=0
		1 4010000 7 sched_switch prev_pid=7 prev_state=0 next_pid=8
		1 4035000 8 sched_switch prev_pid=8 prev_state=0 next_pid=7
		1 4140000 7 funcgraph_exit func=@vfs_fstat depth=0 calltime=4000000 rettime=4040000
	END
} | plan "$DATA/openat2.dat" late.dat
ringside funcs --csv --columns function,total,self,off --match vfs_fstat late.dat 2>&1
