# diff on recordings with other numbers of waits and interrupts: what a program calls more often is found beside them, and what they bring is not.
# work FILE FCNTLS WAITS INTERRUPTS: 80 calls of newfstatat, each of which calls vfs_statx, and then FCNTLS calls of fcntl. Each of the two calls kfree. The first
# WAITS calls of newfstatat look up a name that is not in the cache: they call d_alloc_parallel and wait, and after each of them switch_fpu_return is called.
# INTERRUPTS interrupts come in the first calls, ten in each. They call kfree and ktime_get, and vfs_statx does the latter, too.
work() {
	awk -v fcntls="$2" -v waits="$3" -v interrupts="$4" '
	function enter(f, flags) { began[depth] = t; printf "0 %d 7 funcgraph_entry func=@%s depth=%d%s\n", t, f, depth, flags; t += 100; depth++ }
	function leave(f, flags) { depth--; printf "0 %d 7 funcgraph_exit func=@%s depth=%d%s calltime=%d rettime=%d\n", t, f, depth, flags, began[depth], t; t += 100 }
	function leaf(f, flags) { enter(f, flags); leave(f, flags) }
	BEGIN {
		t = 1000000
		for (i = 0; i < 80; i++) {
			enter("__x64_sys_newfstatat")
			enter("vfs_statx")
			leaf("ktime_get")
			for (j = 0; j < 10 && came < interrupts; j++) {
				enter("hrtimer_interrupt", " common_flags=9")
				leaf("ktime_get", " common_flags=9")
				leaf("kfree", " common_flags=9")
				leave("hrtimer_interrupt", " common_flags=9")
				came++
			}
			if (i < waits) {
				leaf("d_alloc_parallel")
				leaf("schedule")
			}
			leave("vfs_statx")
			leaf("kfree")
			leave("__x64_sys_newfstatat")
			if (i < waits) leaf("switch_fpu_return")
		}
		for (i = 0; i < fcntls; i++) {
			enter("__x64_sys_fcntl")
			leaf("kfree")
			leave("__x64_sys_fcntl")
		}
	}' | plan "$DATA/openat2.dat" "$1"
}
verdicts() { ringside diff --csv --columns "$1",calls_old,calls_new,verdict "${@:2}" 2>/dev/null | tr -d '\r' | sed 1d | grep -v ',same$' | sort; }

work none.dat 0 0 20
work calm.dat 32 0 20
work busy.dat 0 26 400
work both.dat 32 26 400
work less.dat 0 3 30
echo '== a system call that is new, and no more waits and interrupts'
verdicts function none.dat calm.dat
echo '== the same beside many waits and interrupts: the function that interrupts call, too, may have been called more often for these'
verdicts function none.dat both.dat
verdicts function both.dat none.dat
verdicts function busy.dat calm.dat
verdicts path --graph none.dat both.dat
echo '== nothing but waits and interrupts'
verdicts function none.dat busy.dat
verdicts path --graph none.dat busy.dat
verdicts function none.dat -- busy.dat less.dat
verdicts path --graph busy.dat less.dat -- none.dat

echo '== a task also leaves the CPU in __cond_resched(), and what the kernel calls then on the way to the program can be eight outermost calls'
# preempted FILE TIMES: 80 system calls. In the first TIMES, another task gets the CPU. __cond_resched() calls nothing in the others.
preempted() {
	awk -v times="$2" '
	function enter(f) { began[depth] = t; printf "0 %d 7 funcgraph_entry func=@%s depth=%d\n", t, f, depth; t += 100; depth++ }
	function leave(f) { depth--; printf "0 %d 7 funcgraph_exit func=@%s depth=%d calltime=%d rettime=%d\n", t, f, depth, began[depth], t; t += 100 }
	function leaf(f) { enter(f); leave(f) }
	BEGIN {
		n = split("__rcu_read_lock up_read __rcu_read_unlock mem_cgroup_handle_over_high blkcg_maybe_throttle_current __rseq_handle_notify_resume " \
			  "fpregs_assert_state_consistent switch_fpu_return", after)
		t = 1000000
		for (i = 0; i < 80; i++) {
			enter("x64_sys_call")
			enter("__cond_resched")
			if (i < times) leaf("finish_task_switch.isra.0")
			leave("__cond_resched")
			leave("x64_sys_call")
			for (j = 1; i < times && j <= n; j++) leaf(after[j])
		}
	}' | plan "$DATA/openat2.dat" "$1"
}
preempted seldom.dat 4
preempted often.dat 60
verdicts function seldom.dat often.dat
verdicts function often.dat seldom.dat

echo '== several a side: how much they differ among themselves is known, so that what always waits is told, too'
for i in 1 2 3; do
	work "o$i.dat" 0 0 $((i * 30))
	work "n$i.dat" 32 26 $((i * 100))
done
verdicts function o1.dat o2.dat o3.dat -- n1.dat n2.dat n3.dat
verdicts function n1.dat n2.dat n3.dat -- o1.dat o2.dat o3.dat
work o3.dat 0 26 90
verdicts function o1.dat o2.dat o3.dat -- n1.dat n2.dat n3.dat

echo '== system calls alone: sched_switch tells which have waited, and only those may be there for the waits'
# calls FILE DUPS WAITS: 40 calls of getpid, WAITS of read, in which the task leaves the CPU, and DUPS calls of dup.
calls() {
	awk -v dups="$2" -v waits="$3" '
	function call(id, wait) {
		printf "0 %d 7 raw_syscalls:sys_enter id=%d\n", t, id
		if (wait) {
			printf "0 %d 7 sched_switch prev_pid=7 prev_state=1 next_pid=0\n", t + 100
			printf "0 %d 0 sched_switch prev_pid=0 prev_state=0 next_pid=7\n", t + 300
		}
		printf "0 %d 7 raw_syscalls:sys_exit id=%d ret=1\n", t + 500, id
		t += 1000
	}
	BEGIN {
		t = 1000
		call(0, 1)
		for (i = 0; i < 40; i++) call(39, 0)
		for (i = 0; i < waits; i++) call(0, 1)
		for (i = 0; i < dups; i++) call(32, 0)
	}' | plan "$DATA/events.dat" "$1"
}
calls few.dat 0 2
calls many.dat 32 40
verdicts function few.dat many.dat
verdicts function many.dat few.dat
