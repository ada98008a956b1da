# A switch with its stack tells where a task stops, the wakeup for how long.
help	where tasks wait and for how long, with the kernel's stacks
command	profile
option	-S
event	sched:sched_switch
event	sched:sched_wakeup
option	-T
