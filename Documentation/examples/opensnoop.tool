# Each call is printed as strace prints it.
help	files that programs open, and with which result
note	Where the kernel has no kprobes, the names of files are shown as addresses.
command	syscalls
call	open,openat,openat2,creat
option	-e signal=none
option	-e quiet=exit
option	-a
option	-Y
