help	system calls: how often they were made, how long they took, and how many failed
command	syscalls
option	-a
option	-c
