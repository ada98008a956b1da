# The event sched_process_exit does not tell the status. syscalls finds it from the arguments of exit and exit_group and from signals.
help	tasks that end, and their exit status
note	If a signal ends a task and no event shows how the signal was sent, the status is shown as ?.
command	syscalls
call	none
option	-e signal=none
option	-a
option	-Y
option	-tt
