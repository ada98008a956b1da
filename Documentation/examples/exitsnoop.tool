help	tasks that end
command	stream
event	sched:sched_process_exit
column	time,pid,comm,prio
