# The stack of a switch tells where a task stops running. The wakeup tells when it could run again.
help	where tasks wait and for how long, with the kernel's stacks
command	profile
option	-S
event	sched:sched_switch
event	sched:sched_wakeup
option	-T
