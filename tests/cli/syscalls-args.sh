# Arguments in words, by a plan: what strace prints of such calls, but for structures and texts in the memory of the program.
events() { # events NAME NUMBER VALUE...: a call with these arguments; what it is called, its number says
	local name=$1 number=$2 fields='' values='' i=0
	shift 2
	for value; do
		fields+=" a$i:8" values+=" a$i=$value" i=$((i + 1))
	done
	grep -qs "sys_enter_${name}_ " declared || echo "event syscalls sys_enter_${name}_ $((3100 + number)) __syscall_nr:4 pad:4$fields" >>declared
	echo "0 $((at += 100)) 7 sys_enter_${name}_ __syscall_nr=$number$values" >>happened
}
show() {
	cat declared happened | plan "$DATA/openat2.dat" args.dat && ringside syscalls -q args.dat | sed 's/ <unfinished ...>//; s/^[^]]*\] //'
	rm -f declared happened
}
at=1000 all=0xffffffffffffffff
echo '# int and unsigned int are 32 bits of the register'
events personality 135 $all
events personality 135 0xdead00000000
events alarm 37 $all
events poll 7 0 0xdead00000001 $all
events reboot 169 0xfffffffffee1dead 0x28121969 0x4321fedc 0
events fallocate 285 3 0xffffffff00000001 0 $all
events lseek 8 3 $all 0
show
echo '# modes of files, and devices'
events mknod 133 0 0010644 0
events mknod 133 0 0020600 0x103
events mknod 133 0 0100644 5
events mknodat 259 0xffffff9c 0 064755 0x100801
events mknod 133 0 0644 0
events mknod 133 0 0140000 0
show
echo "# System V's IPC"
events shmget 29 0 4096 01600
events shmget 29 0x1234 4096 07600
events shmget 29 0x12345 4096 0
events shmat 30 2 0 010000
events shmat 30 2 0 0
events shmctl 31 2 0 0
events shmctl 31 99 13 0
events shmctl 31 99 11 0
events semget 64 0 1 01600
events semctl 66 2 0 0 0
events semctl 66 99 0 16 5
events msgget 68 0 01600
events msgget 68 0x77 0
events msgctl 71 99 11 0
events msgrcv 70 99 0 0 0 04000
events msgsnd 69 99 0 0 04000
show
echo '# membarrier, prctl, mlockall, fallocate'
events membarrier 324 0 0 0
events membarrier 324 8 0 0
events prctl 157 38 1 0 0 0
events prctl 157 39 0 0 0 0
events prctl 157 22 1 7 7 7
events prctl 157 41 0 0 0 0
events prctl 157 1 9 7 7 7
events prctl 157 29 1000 7 7 7
events prctl 157 36 1 7 7 7
events prctl 157 7 7 7 7 7
events prctl 157 30 7 7 7 7
events mlockall 151 3
events fallocate 285 99 3 0 10
show
echo '# ioctl'
for words in '0x5451 0' '0x5450 5' '0x5413 0' '0x80047712 0' '0x40047712 5' '0xc0087712 5' '0x7712 5' '0x5421 0' '0x540e 1' '0x5422 0' '0x5401 0' '0x2400 0' '0x5425 3' \
	'0x5409 3' '0x4c00 3' '0x12345678 0' '0xae01 0' '0x400454ca 0'; do
	# shellcheck disable=SC2086 # two words
	events ioctl 16 3 $words
done
show
echo '# flags by the names of their own call, and the position of preadv2, whose upper half is no argument on machines of 64 bits'
events accept4 288 99 0 0 0x80800
events accept4 288 99 0 0 0x80001
events signalfd4 289 99 0 8 0x80800
events signalfd4 289 99 0 8 0
events inotify_init1 294 0x80800
events inotify_init1 294 0x801
events pidfd_open 434 77 0x800
events timerfd_settime 286 99 1 0 0
events timerfd_settime 286 99 3 0 0
events preadv2 327 99 0 5 100 0 9
events pwritev2 328 99 0 5 $all $all 0x16
events pwritev2 328 99 0 5 7 0 0x106
events close_range 436 3 0xffffffff 4
events close_range 436 3 9 0
show
