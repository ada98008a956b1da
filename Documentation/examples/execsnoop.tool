# A thread that starts a program gets the pid of its process; old_pid is the tid that it had before.
help	programs that are started
command	stream
event	sched:sched_process_exec
column	time,pid,old_pid,filename
