# Two recordings, of which one has no sched_switch: what is known of times off the CPU is told function by function, as the file of each call tells it.
plan "$DATA/openat2.dat" none.dat <<-PLAN
	task 100 alpha
	0 1000 100 funcgraph_entry func=@vfs_read depth=0
	0 9000 100 funcgraph_exit func=@vfs_read depth=0 calltime=1000 rettime=9000
	0 10000 100 funcgraph_entry func=@kfree depth=0
	0 19000 100 funcgraph_exit func=@kfree depth=0 calltime=10000 rettime=19000
PLAN
plan "$DATA/openat2.dat" some.dat <<-PLAN
	task 100 alpha
	task 200 beta
	0 1000 100 funcgraph_entry func=@vfs_read depth=0
	0 3000 100 sched_switch prev_pid=100 prev_state=1 next_pid=200
	0 7000 200 sched_switch prev_pid=200 prev_state=1 next_pid=100
	0 9000 100 funcgraph_exit func=@vfs_read depth=0 calltime=1000 rettime=9000
	0 10000 100 funcgraph_entry func=@dput depth=0
	0 12000 100 sched_switch prev_pid=100 prev_state=0 next_pid=200
	0 15000 200 sched_switch prev_pid=200 prev_state=1 next_pid=100
	0 19000 100 funcgraph_exit func=@dput depth=0 calltime=10000 rettime=19000
PLAN
for files in 'none.dat some.dat' 'some.dat none.dat' none.dat some.dat 'none.dat none.dat'; do
	echo "== $files"
	# shellcheck disable=SC2086 # files
	ringside funcs --csv --columns function,calls,self,off,preempted,blocked --sort function $files 2>&1 | tr -d '\r'
done
echo '== the others'
ringside graph --csv --columns function,calls,self,off none.dat some.dat 2>/dev/null | tr -d '\r'
ringside graph --csv --columns function,calls,off --callers dput none.dat some.dat 2>/dev/null | tr -d '\r'
ringside slow vfs_read --csv --columns function,total,off,self none.dat some.dat 2>&1 | tr -d '\r'
ringside diff --all --csv --columns function,self_old,self_new,off_old,off_new none.dat some.dat 2>&1 | tr -d '\r'
echo '== neither has it'
for command in 'funcs --match' 'graph' 'slow' 'dist'; do
	# shellcheck disable=SC2086 # a command and its option
	ringside $command nosuch none.dat some.dat
done
ringside funcs --match vfs_read --pid 7 none.dat some.dat
ringside funcs --match kfree --since 5% --until 5% none.dat some.dat
