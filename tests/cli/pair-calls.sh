# Two events that belong together are a call: --pair, and the kinds of `latency` by name. The recording is written by a plan, and all that is told follows from it.
plan "$DATA/openat2.dat" plan.dat <<'END'
event job start 3000 id:4 size:8
event job stop 3001 job:4
task 7 reader
task 8 writer
task 9 worker
task 20 spinner
# Task 7 is woken twice, and waits 5000 and 3000 for its CPU, where 20 spins. Then it is preempted for 1000. Task 9 is woken, and not seen to run.
0 1000 7 sched_switch prev_pid=7 prev_prio=120 prev_state=1 next_pid=20 next_prio=120
1 2000 8 sched_waking pid=7
0 7000 20 sched_switch prev_pid=20 prev_prio=120 prev_state=0 next_pid=7 next_prio=120
0 8000 7 sched_switch prev_pid=7 prev_prio=120 prev_state=1 next_pid=20 next_prio=120
1 9000 8 sched_waking pid=7
0 12000 20 sched_switch prev_pid=20 prev_prio=120 prev_state=0 next_pid=7 next_prio=120
0 14000 7 sched_switch prev_pid=7 prev_prio=120 prev_state=0 next_pid=20 next_prio=120
0 15000 20 sched_switch prev_pid=20 prev_prio=120 prev_state=0 next_pid=7 next_prio=120
1 15500 8 sched_waking pid=9
# Two requests of 9500 and 4000, and the end of one that began earlier. The first waited 500 before.
0 20000 7 block_rq_insert dev=8388608 sector=100
0 20500 7 block_rq_issue dev=8388608 sector=100
0 21000 7 block_rq_issue dev=8388608 sector=200
1 25000 8 block_rq_complete dev=8388608 sector=200
1 30000 8 block_rq_complete dev=8388608 sector=100
1 31000 8 block_rq_complete dev=8388608 sector=300
# Task 8 works for 10000 on job 6: it sleeps 2000, waits 1000, an interrupt takes 500. Job 3 takes 4000, and another task ends it.
1 40000 8 start id=6 size=1
1 40500 8 page_fault_user address=1
1 41000 8 sched_switch prev_pid=8 prev_prio=120 prev_state=1 next_pid=20 next_prio=120
0 42000 7 start id=3 size=2
0 43000 7 sched_waking pid=8
1 44000 20 sched_switch prev_pid=20 prev_prio=120 prev_state=0 next_pid=8 next_prio=120
1 45000 8 irq_handler_entry irq=24
1 45500 8 irq_handler_exit irq=24 ret=1
1 46000 8 stop job=3
1 50000 8 stop job=6
END
plan "$DATA/openat2.dat" lost.dat <<'END'
event job start 3000 id:4
event job stop 3001 job:4
task 7 reader
0 1000 7 start id=1
0 1500 7 stop job=1
0 2000 7 start id=2
0 lost 3
0 3000 7 stop job=2
0 4000 7 start id=3
0 4250 7 stop job=3
0 5000 7 start id=4
0 5100 7 start id=4
0 5400 7 stop job=4
END
table() { echo "== $*"; ringside "$@" --csv --columns function,calls,cut,total,self,off,blocked,queued,irq; }
table funcs wakeup plan.dat
table funcs block plan.dat
table funcs --pair work=job:start,job:stop,id=job 'work' plan.dat
table funcs --pair 'large=start/id > 5/,stop/job > 5/,id=job' large plan.dat
# Of the task that begins it: 8's job 6 ends with the stop of job 3, and 7's with nothing.
table funcs 'start*' --pair start,stop plan.dat
table funcs 'job' --pair job=start,stop,id=job lost.dat
# Both at once, told apart; two files.
table funcs --pair block --pair wakeup --by task plan.dat --match wakeup,block
table funcs --pair work=start,stop,id=job work plan.dat lost.dat
echo '== graph, dist, latency, a pipe'
ringside graph wakeup plan.dat --csv --columns path,calls,total,self,off
ringside dist wakeup plan.dat --csv
ringside latency wakeup plan.dat --csv
ringside dist --pair work=start,stop,id=job plan.dat --json | grep -c '"count": 2,'
# shellcheck disable=SC2002
cat plan.dat | ringside funcs block -i - --csv --columns function,calls,total
echo '== slow'
ringside slow wakeup plan.dat
ringside slow block plan.dat
ringside slow --pair work=start,stop,common_pid plan.dat
ringside slow --pair work=start,stop,common_pid plan.dat --csv --columns total,self,off,blocked,queued,irq,cause
echo '== diff, flame, export'
ringside diff --pair block plan.dat plan.dat --csv --columns function,verdict,calls_old,calls_new
ringside flame --pair block --folded plan.dat | grep block
ringside export --pair block --to chrome plan.dat | grep -c '"name": *"block"'
echo '== refused'
for pair in nosuch a,b =a,b x=a ,b a, start,stop, start,stop,id=job,=x 'start/id,stop' 'start/nosuch == 1/,stop' start,stop,nofield syscall:nosuch start,stop,id=job,a,b,c; do
	ringside funcs --pair "$pair" plan.dat; echo $?
done
ringside funcs lock lost.dat; echo $?
ringside slow --pair block,wakeup plan.dat; echo $?
ringside dist --pair block --pair wakeup plan.dat; echo $?
echo "== a kind of which there is none"
ln -sf "$DATA/events.dat" events.dat
ringside slow block events.dat; echo $?
ringside dist block events.dat; echo $?
ringside funcs --pair a,b events.dat plan.dat; echo $?
ringside dist --pair a,b events.dat plan.dat; echo $?
echo '== woken before it left its CPU: it waits from then on, and ran before'
# Task 7 is woken at 1000 and leaves at 4000 asleep; no more is told of that wakeup, or the rest of it at 14500. At 21000 it is woken and sleeps all the same at 24000,
# until 26000: that is another wakeup. At 31000 it is woken, and only preempted at 34000. An interrupt on top of it takes 1000 at 41500.
plan "$DATA/openat2.dat" still.dat <<'END_OF_PLAN'
task 7 reader
task 8 writer
task 20 spinner
0 500 20 sched_switch prev_pid=20 prev_prio=120 prev_state=0 next_pid=7 next_prio=120
1 1000 8 sched_waking pid=7
0 4000 7 sched_switch prev_pid=7 prev_prio=120 prev_state=1 next_pid=20 next_prio=120
0 7000 20 sched_switch prev_pid=20 prev_prio=120 prev_state=0 next_pid=7 next_prio=120
1 11000 8 sched_waking pid=7
0 14000 7 sched_switch prev_pid=7 prev_prio=120 prev_state=1 next_pid=20 next_prio=120
0 14500 20 sched_wakeup pid=7 target_cpu=0
0 18000 20 sched_switch prev_pid=20 prev_prio=120 prev_state=0 next_pid=7 next_prio=120
1 21000 8 sched_waking pid=7
1 21100 8 sched_wakeup pid=7 target_cpu=0
0 24000 7 sched_switch prev_pid=7 prev_prio=120 prev_state=1 next_pid=20 next_prio=120
1 26000 8 sched_waking pid=7
0 27000 20 sched_switch prev_pid=20 prev_prio=120 prev_state=0 next_pid=7 next_prio=120
1 31000 8 sched_waking pid=7
0 34000 7 sched_switch prev_pid=7 prev_prio=120 prev_state=0 next_pid=20 next_prio=120
0 38500 20 sched_switch prev_pid=20 prev_prio=120 prev_state=0 next_pid=7 next_prio=120
1 41000 8 sched_waking pid=7
0 41500 7 irq_handler_entry irq=24
0 42500 7 irq_handler_exit irq=24 ret=1
0 45000 7 sched_switch prev_pid=7 prev_prio=120 prev_state=1 next_pid=20 next_prio=120
0 46000 20 sched_switch prev_pid=20 prev_prio=120 prev_state=0 next_pid=7 next_prio=120
END_OF_PLAN
ringside slow wakeup still.dat --csv --columns total,self,irq,blocked,queued,preempted,cause,culprit
ringside slow wakeup still.dat -n 3
ringside sched still.dat --csv --columns comm,run,queued,blocked,preempted 2>/dev/null
echo '== each CPU has an idle task of its own: they run for 3000 on CPU 0 and for 5000 on CPU 1, although the pid of both is 0'
plan "$DATA/openat2.dat" idle.dat <<'END_OF_PLAN'
task 7 reader
task 8 writer
0 1000 7 sched_switch prev_pid=7 prev_prio=120 prev_state=1 next_pid=0 next_prio=120
1 2000 8 sched_switch prev_pid=8 prev_prio=120 prev_state=1 next_pid=0 next_prio=120
0 4000 0 sched_switch prev_pid=0 prev_prio=120 prev_state=0 next_pid=7 next_prio=120
1 7000 0 sched_switch prev_pid=0 prev_prio=120 prev_state=0 next_pid=8 next_prio=120
0 7500 7 sched_switch prev_pid=7 prev_prio=120 prev_state=1 next_pid=0 next_prio=120
1 8000 8 sched_switch prev_pid=8 prev_prio=120 prev_state=1 next_pid=0 next_prio=120
END_OF_PLAN
ringside funcs --pair run=sched_switch,sched_switch,next_pid=prev_pid run --by task --csv --columns task,calls,cut,total idle.dat
sums() { ringside "$@" --by cpu --json idle.dat 2>/dev/null | grep -oE '"cpu": [0-9]+, "count": [0-9]+, "sum": [0-9]+'; }
sums latency --from sched_switch --to sched_switch --on next_pid=prev_pid
sums dist --pair run=sched_switch,sched_switch,next_pid=prev_pid run
ringside sched --csv --columns comm,run idle.dat 2>/dev/null | grep swapper
echo '== a key that is the task of the event, and one that is a field of sched_switch: the idle task of CPU 1 goes on for 4000 after the read, and that of CPU 0 for 1000'
plan "$DATA/openat2.dat" idle.dat <<'END_OF_PLAN'
task 7 reader
0 1000 0 sys_enter id=0
0 2000 0 sched_switch prev_pid=0 prev_prio=120 prev_state=0 next_pid=7 next_prio=120
1 3000 0 sys_enter id=0
0 6000 7 sched_switch prev_pid=7 prev_prio=120 prev_state=0 next_pid=0 next_prio=120
0 6500 0 sched_switch prev_pid=0 prev_prio=120 prev_state=0 next_pid=7 next_prio=120
1 7000 0 sched_switch prev_pid=0 prev_prio=120 prev_state=0 next_pid=8 next_prio=120
END_OF_PLAN
sums latency --from sys_enter --to sched_switch --on pid=prev_pid
echo '== a wait of a task belongs to the CPU on which it ends: 7 is woken on CPU 1 and waits 1000 for CPU 0, 8 is woken on CPU 0 and waits 4000 for CPU 1, 9 is woken on CPU 1 and does not run'
plan "$DATA/openat2.dat" idle.dat <<'END_OF_PLAN'
event job start 3000 id:4 size:8
event job stop 3001 job:4
task 7 reader
task 8 writer
0 500 20 job:start id=1 size=8
1 1000 20 sched_waking pid=7
0 2000 0 sched_switch prev_pid=0 prev_prio=120 prev_state=0 next_pid=7 next_prio=120
0 3000 7 sched_waking pid=8
1 4000 20 job:stop job=1
1 7000 20 sched_switch prev_pid=20 prev_prio=120 prev_state=0 next_pid=8 next_prio=120
1 8000 8 sched_waking pid=9
END_OF_PLAN
sums latency wakeup
sums dist wakeup
ringside funcs wakeup --by cpu --csv --columns cpu,calls,cut,total idle.dat 2>/dev/null
ringside slow wakeup --csv --columns cpu,total -n 9 idle.dat 2>/dev/null
for cpu in 0 1; do
	echo "-- --cpu $cpu"
	ringside funcs --pair wakeup --csv --columns function,calls,cut,total --cpu $cpu idle.dat 2>/dev/null
	ringside dist wakeup --cpu $cpu --json idle.dat 2>/dev/null | grep -oE '"count": [0-9]+, "sum": [0-9]+'
	ringside graph --pair wakeup --min-percent 0 --csv --columns path,calls,cut,total --cpu $cpu idle.dat 2>/dev/null
	ringside slow wakeup --csv --columns cpu,total --cpu $cpu idle.dat 2>/dev/null
	ringside flame --folded --pair wakeup --cpu $cpu idle.dat 2>/dev/null
	ringside export --to chrome --pair wakeup --cpu $cpu -o out.json idle.dat 2>/dev/null
	grep -oE '"ph":"[be]".*"name":"wakeup"' out.json
done
echo '== another pair belongs to the CPU on which it begins'
sums dist --pair job=start,stop,id=job job
for cpu in 0 1; do ringside funcs --pair job=start,stop,id=job --csv --columns function,calls,total --cpu $cpu idle.dat 2>/dev/null; done
