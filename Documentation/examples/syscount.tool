help	system calls, how often, how long, and how many failed
command	syscalls
option	-a
option	-c
