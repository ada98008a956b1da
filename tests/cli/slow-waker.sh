# slow tells what the waker of a task did meanwhile, also when it has switched more often than the switches that are kept. A round of the writer takes 15 us:
# it sleeps for 8 us, waits for its CPU for 2 us, and runs for 5 us. After the last round, it wakes the reader, which has slept since the first
# round or a later one.
cd "$HOME" || exit
rounds() { # N FIRST LONG [LOST]: N rounds from 1000000 ns on. The reader sleeps from round FIRST on. In round LONG, the writer sleeps for 1 ms more, and 5 wakes it.
	# With LOST, events are lost at the beginning of this sleep, and the reader sleeps from 900 us after it on. FIRST is 0 then.
	awk -v n="$1" -v first="$2" -v long="$3" -v lost="${4-}" 'BEGIN {
		print "task 7 reader\ntask 8 writer\ntask 5 helper"
		print "1 900000 0 sched_switch prev_pid=0 prev_state=0 next_pid=8"
		for (now = 1000000; i++ < n; now += 15000) {
			if (i == first) {
				print "0", now - 2000, "7 funcgraph_entry func=@vfs_read depth=0"
				print "0", now, "7 sched_switch prev_pid=7 prev_state=1 next_pid=0"
				begin = now
			}
			print "1", now, "8 sched_switch prev_pid=8 prev_state=1 next_pid=0"
			if (i == long && lost) {
				print "2", now + 2000, "5 print buf=here\n2 lost", lost
				print "2", now + 100000, "5 print buf=there"
				begin = now + 900000
				print "0", begin - 2000, "7 funcgraph_entry func=@vfs_read depth=0"
				print "0", begin, "7 sched_switch prev_pid=7 prev_state=1 next_pid=0"
			}
			now += i == long ? 1000000 : 0
			print i == long ? "2" : "1", now + 8000, i == long ? 5 : 0, "sched_waking pid=8"
			print "1", now + 10000, "0 sched_switch prev_pid=0 prev_state=0 next_pid=8"
		}
		print "1", now, "8 sched_waking pid=7"
		print "0", now + 1000, "0 sched_switch prev_pid=0 prev_state=0 next_pid=7"
		print "0", now + 2000, "7 funcgraph_exit func=@vfs_read depth=0 calltime=" begin - 1000, "rettime=" now + 2000
	}' | plan "$DATA/openat2.dat" rounds.dat
}
meanwhile() { ringside slow vfs_read rounds.dat | grep meanwhile; }
echo '== 30 rounds are kept, and of 1000 there are sums; so is the longest sleep, 1008 us of 1000 * 8 + 1000'
rounds 30 1 0
meanwhile
rounds 1000 1 0
meanwhile
rounds 1000 1 300
meanwhile
echo '== events are lost while the writer sleeps in round 1: its last 110 us are not known. Then come 31 runs of 5 us, and 30 sleeps of 8 us and waits of 2 us.
   Of 41 rounds, the first is no longer kept: its 110 us and its run of 5 us'
rounds 31 0 1 3
meanwhile
rounds 41 0 1 3
meanwhile
echo '== of 100000 rounds, the reader sleeps in the last 5000, or 75 ms: what is told is 8 to 2 to 5, and the rest is at most a tenth'
rounds 100000 95001 0
meanwhile | awk '/writer/ { slept = $5; waited = $11; ran = $14; rest = $23
	print slept / waited, ran / waited, slept + waited + ran + rest, rest < 7.5 ? "at most a tenth" : "more" }'
echo '== the waker is new: it waits for its CPU from its first wakeup on. What had its pid before ran for 100 us, and ended'
new() { # OLD: the task that ended
	plan "$DATA/openat2.dat" new.dat <<-END_OF_PLAN
		task 7 reader
		task 8 child
		1 900000 0 sched_switch prev_pid=0 prev_state=0 next_pid=$1
		0 1000000 7 funcgraph_entry func=@vfs_read depth=0
		0 1001000 7 sched_switch prev_pid=7 prev_state=1 next_pid=9
		1 1101000 $1 sched_switch prev_pid=$1 prev_state=32 next_pid=5
		0 1201000 9 sched_wakeup_new pid=8 target_cpu=1
		1 1501000 5 sched_switch prev_pid=5 prev_state=256 next_pid=8
		1 1601000 8 sched_waking pid=7
		0 1602000 9 sched_switch prev_pid=9 prev_state=256 next_pid=7
		0 1603000 7 funcgraph_exit func=@vfs_read depth=0 calltime=1000000 rettime=1603000
	END_OF_PLAN
	ringside slow vfs_read new.dat | grep meanwhile
}
new 8
new 6
