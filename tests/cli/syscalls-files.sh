# What file descriptors are (-y), by a plan: which name must stand behind which number follows from what the plan says that the kernel did.
cwd=0xffffffffffffff9c
cloexec=0x80000
now=1000
# A call takes 200 ns. The names of files come from a probe, as the kernel reads them.
enter() { # enter PID NUMBER ARGS...
	local pid=$1 number=$2; shift 2
	now=$((now + 100))
	echo "0 $now $pid sys_enter_any __syscall_nr=$number a=${1-0} b=${2-0} c=${3-0} d=0"
}
name() { now=$((now + 50)); echo "0 $now $1 getname uptr=$2 path=$3"; } # name PID ADDRESS NAME
leave() { now=$((now + 100)); echo "0 $now $1 sys_exit_any __syscall_nr=$2 ret=$3"; } # leave PID NUMBER RESULT
open() { enter "$1" 257 "$2" 0x7000 "$3"; name "$1" 0x7000 "$4"; leave "$1" 257 "$5"; } # open PID DIR FLAGS NAME RESULT
call() { local pid=$1 number=$2 result=$3; shift 3; enter "$pid" "$number" "$@"; leave "$pid" "$number" "$result"; } # call PID NUMBER RESULT ARGS...
chdir() { enter "$1" 80 0x7000; name "$1" 0x7000 "$2"; leave "$1" 80 "${3-0}"; } # chdir PID NAME
read_() { call "$1" 0 10 "$2"; } # read_ PID FD
close_() { call "$1" 3 "${3-0}" "$2"; } # close_ PID FD
birth() { now=$((now + 10)); echo "0 $now $1 task_newtask pid=$2 clone_flags=$3"; } # birth PARENT CHILD FLAGS
events='
event syscalls sys_enter_any 3000 __syscall_nr:4 pad:4 a:8 b:8 c:8 d:8
event syscalls sys_exit_any 3001 __syscall_nr:4 pad:4 ret:8
event ringside getname 3002 uptr:8 path:text
event task task_newtask 3012 pid:4 comm:8 clone_flags:8 oom_score_adj:2'
show() { { echo "$events"; cat; } | plan "$DATA/openat2.dat" files.dat && ringside syscalls -q -y files.dat; }

echo '# opened, used, copied, closed'
{
	open 100 $cwd 0 /etc/passwd 3
	read_ 100 3
	call 100 32 4 3			# dup
	close_ 100 3
	read_ 100 3
	read_ 100 4
	open 100 $cwd 0 '/tmp/a<b>' 3
	call 100 33 4 3 4		# dup2
	call 100 33 4 4 4
	call 100 33 0xfffffffffffffff7 9 4	# EBADF
	read_ 100 4
	call 100 72 7 4 0 5		# fcntl(F_DUPFD)
	read_ 100 7
	call 100 291 8 0		# epoll_create1
	read_ 100 8
	call 100 41 9 2 1 0		# a socket: which, only the kernel knows
	read_ 100 9
	close_ 100 8 0xfffffffffffffffb	# EIO, and closed for all that
	read_ 100 8
	close_ 100 7 0xfffffffffffffff7	# EBADF: it was not this one
	read_ 100 7
	call 100 436 0 3 0xffffffff 0	# close_range
	read_ 100 7
	open 100 $cwd 0x410002 /tmp 3	# O_TMPFILE: without a name
	read_ 100 3
	open 100 $cwd 0 /nowhere 0xfffffffffffffffe
} | show
echo '# where names begin'
{
	open 100 $cwd 0 passwd 3	# from where?
	chdir 100 /usr/share/../lib
	open 100 $cwd 0 ./a//b/. 4
	open 100 $cwd 0x10000 /etc 5
	open 100 5 0 ../passwd 6
	open 100 9 0 passwd 7		# below something that is not known
	call 100 81 0 5			# fchdir
	open 100 $cwd 0 .. 8
	chdir 100 /nowhere 0xfffffffffffffffe
	open 100 $cwd 0 x 9
	call 100 161 0 0		# chroot
	open 100 $cwd 0 /x 10
	read_ 100 9
} | show
echo '# programs and children: 101 is forked, 102 is a thread, 103 a thread that makes no call'
{
	open 100 $cwd $cloexec /a 3
	open 100 $cwd 0 /b 4
	open 100 $cwd $cloexec /c 5
	call 100 72 0 5 2 0		# fcntl(F_SETFD)
	enter 100 56 0x1200011
	birth 100 101 0x1200000
	leave 101 56 0
	leave 100 56 101
	close_ 100 4
	read_ 101 4
	call 101 59 0 0 0 0
	read_ 101 3
	read_ 101 4
	read_ 101 5
	enter 100 56 0x3d0f00
	birth 100 102 0x3d0f00
	leave 102 56 0
	leave 100 56 102
	read_ 102 3
	enter 100 0 3
	close_ 102 3			# 100 still reads what it was
	open 102 $cwd 0 /d 3
	leave 100 0 10
	read_ 100 3
	birth 100 103 0x3d0f00
	read_ 100 3			# it may have closed it
	open 100 $cwd 0 /e 6
	read_ 100 6
	read_ 101 5
} | show
echo '# 201 was there before: it may be a thread of 200'
{
	open 200 $cwd 0 /a 3
	open 200 $cwd 0 /b 4
	read_ 201 3
	close_ 201 3
	read_ 200 3
	read_ 200 4
} | show
echo '# what was lost may have closed it; a call that began before may be any'
{
	open 100 $cwd 0 /a 3
	read_ 100 3
	echo 0 lost 2
	read_ 100 3
	open 100 $cwd 0 /b 4
	leave 101 3 0
	read_ 100 4
} | show
echo '# without -y'
ringside syscalls -q files.dat
echo '# what a program says of its use of a file'
{
	for advice in 0 1 2 3 4 5 6; do
		now=$((now + 100))
		echo "0 $now 100 sys_enter_any __syscall_nr=221 a=3 b=0 c=4096 d=$advice"
		leave 100 221 0
	done
} | show
