# Every table of a recording with losses tells how many events were lost, where people read it. The plan loses 5 events.
plan "$DATA/openat2.dat" lossy.dat <<-PLAN
	task 7 asked
	0 1000 7 funcgraph_entry func=@kfree depth=0
	0 2000 7 funcgraph_exit func=@kfree depth=0 calltime=1000 rettime=2000
	0 3000 7 sched_switch prev_pid=7 prev_state=1 next_pid=0
	0 4000 0 sched_switch prev_pid=0 prev_state=0 next_pid=7
	0 5000 7 funcgraph_entry func=@kfree depth=0
	0 lost 5
	0 9000 7 funcgraph_entry func=@kfree depth=0
	0 9500 7 funcgraph_exit func=@kfree depth=0 calltime=9000 rettime=9500
PLAN
for command in 'slow kfree' 'slow kfree --call 1' 'slow kfree --columns call,total' 'slow kfree --csv' 'flame --folded' 'flame --off-cpu --folded' 'export --to folded -o -' \
	'sched --timeline' 'sched --timeline --csv' 'sched --csv' 'funcs --csv' 'graph --csv' 'hist --csv'; do
	# shellcheck disable=SC2086 # a command and its options
	echo "$command: $(ringside $command lossy.dat 2>&1 | grep 'were lost and')"
done
echo '== the call that is not complete is told'
ringside slow kfree lossy.dat | grep 'not complete'
ringside slow kfree --json lossy.dat | grep -o '"notes": .*'
