help	tasks that waited long for a CPU after they were woken
command	stream
argument	TIME the least time that counts as long
default	10ms
event	sched:sched_switch
event	sched:sched_wakeup
event	sched:sched_wakeup_new
column	time,cpu,next_comm,next_pid,took,prev_comm,prev_pid
option	--over $TIME
