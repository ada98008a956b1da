# The number of a thread that starts a program becomes that of its process; the one that it had is old_pid.
help	programs that are started
command	stream
event	sched:sched_process_exec
column	time,pid,old_pid,filename
