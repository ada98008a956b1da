# shellcheck shell=bash disable=SC2154
# syscalls and count of what happens now: against strace, and against a recording made meanwhile.

# What differs by definition is made alike: addresses, strings, structures, comments, how wide the gap before the result is.
alike() {
	sed -E 's/0x[0-9a-f]{6,}/P/g; s/"[^"]*"(\.\.\.)?/P/g; s/[[{][^]}]*[]}]/P/g; s| /\*[^*]*\*/||g; s/ +=/ =/; s/ \(Timeout\)//; s/0x20, 0, P/32, 0, P/; s/(getpid\(\)|set_tid_address\(P\)) = .*/\1/;
		/^\+\+\+ /d; s/SOCK_CLOEXEC\|SOCK_NONBLOCK/SOCK_NONBLOCK|SOCK_CLOEXEC/; s/0xfa/250/' "$1"
}
syscalls_as_strace() {
	cc -O1 -o calls "$here/calls.c" && strace -o theirs ./calls && "$RINGSIDE" syscalls -q -o ours ./calls && alike theirs > theirs.alike && alike ours > ours.alike &&
		has '^openat\(AT_FDCWD, P, O_RDWR\|O_CREAT\|O_TRUNC\|O_CLOEXEC, 0640\) = 3$' ours.alike && diff theirs.alike ours.alike
}
syscalls_of_a_set() {
	local set
	cc -O1 -o calls "$here/calls.c" || return
	for set in %file %desc %memory %network %process %signal %creds %statfs %fstatfs %%stat %%statfs open,close '!mmap'; do
		strace -e trace="$set" -o theirs ./calls && "$RINGSIDE" syscalls -q -e trace="$set" -o ours ./calls && diff <(alike theirs) <(alike ours) && continue
		echo "of $set"
		return 1
	done
	# Without signals the kernel records these calls alone.
	strace -e trace=openat,close,lseek -e signal=none -o theirs ./calls && "$RINGSIDE" syscalls -q -e openat,close,lseek -e signal=none -o ours ./calls &&
		diff <(alike theirs) <(alike ours)
}
# A seccomp filter refuses calls before the kernel tells of their entry: their arguments are not known.
syscalls_refused() {
	cc -O1 -o refused "$here/refused.c" && strace -e getppid,getuid,dup -o theirs ./refused && "$RINGSIDE" syscalls -q -e getppid,getuid,dup -o ours ./refused &&
		is 9 "$(grep -c = ours)" && diff <(alike theirs | sed 's/^dup(2)/dup(...)/') <(alike ours) && "$RINGSIDE" syscalls -c --csv --columns syscall,calls,errors,cut,total -o table ./refused &&
		has '^dup,3,3,0,$' table && has '^getppid,3,3,0,$' table && has '^getuid,3,0,0,[0-9]+$' table
}
# Each call of the children too, and the same number of each.
syscalls_of_children() {
	local words='./calls; (./calls; true)'
	cc -O1 -o calls "$here/calls.c" && strace -f -c -o theirs sh -c "$words" && "$RINGSIDE" syscalls -f -c --csv -o ours sh -c "$words" &&
		diff <(awk '$NF ~ /^(close|openat|ftruncate|dup|epoll_ctl|socketpair|mprotect)$/ { print $NF, $4, NF == 6 ? $5 : 0 }' theirs | sort) \
			<(awk -F, '$NF ~ /^(close|openat|ftruncate|dup|epoll_ctl|socketpair|mprotect)$/ { print $NF, $4, $5 }' ours | sort)
}
# The same calls as perf trace counts them, recorded around it: as many, and as long. It may not know the name of dd; no other task calls these so often. dd writes
# 200 times and then three lines. Now and then perf has one write fewer: such a run only shows that we have them all, and there is another.
syscalls_as_perf() {
	local turn
	for turn in 1 2 3 4 5 6; do
		record -q -B "$buffer" -b 8192 -e raw_syscalls -o "x$turn.dat" perf trace -s -o theirs sh -c 'dd if=/dev/zero of=/dev/null bs=1M count=200; true' 2> said &&
			"$RINGSIDE" syscalls -c --comm dd --csv --columns syscall,calls,total "x$turn.dat" 2> /dev/null | tr -d '\r' > ours || { cat said; return 1; }
		grep -q '^write,203,' ours || { cat ours; return 1; }
		! awk '$1 == "write" && $2 == 203 { found = 1 } END { exit !found }' theirs || break
	done
	awk -F '[ ,]+' 'NR == FNR { calls[$1] = $2; total[$1] = $3; next }
		($2 == "read" || $2 == "write") && $3 >= 200 { n++; off = total[$2] / ($5 * 1e6); all += total[$2]; of += $5 * 1e6; print $2, $3, calls[$2], off; bad += $3 != calls[$2] }
		END { exit !(n == 2 && !bad && all < of * 1.05 && all > of * 0.95) }' ours theirs || { cat theirs; return 1; }
}
# How each task ended, and the signal that is sent to one that is traced.
syscalls_tell_ends() {
	local words='sh -c "exit 7"; sh -c "kill -TERM \$\$"; sh -c "kill -9 \$\$"; exit 3' status=0
	strace -f -e trace=none -o theirs sh -c "$words"
	"$RINGSIDE" syscalls -q -f -e trace=none -o ours sh -c "$words" || status=$?
	is 3 $status && diff <(grep -o '+++ .*' theirs | sort) <(grep -o '+++ .*' ours | sort) && has ' \+\+\+ killed by SIGTERM \+\+\+$' ours &&
		has '^[0-9]+ +--- SIGTERM \{si_signo=SIGTERM, si_code=SI_USER, si_pid=[0-9]+, ' ours
}
syscalls_of_a_process() {
	sh -c 'while [ ! -e go ]; do sleep 0.05; done; true' &
	local pid=$!
	"$RINGSIDE" syscalls -q -p $pid --duration 5 -o out; touch go; wait $pid
	has '^wait4\(-1, 0x[0-9a-f]+, ' out && hasnt 'nanosleep' out
}
# It comes with the end of its execve, often a round of the stream later than the beginning.
names_the_program() {
	local i
	for ((i = 0; i < 10; i++)); do
		"$RINGSIDE" syscalls -q -e execve true 2>> out || return
	done
	is 10 "$(grep -cE '^execve\("[^"]*/true", 0x[0-9a-f]+, 0x[0-9a-f]+\) = 0$' out)" || { cat out; return 1; }
}
no_folder() { [ ! -d "$1" ]; }
# The instance is of the process that traces: the guard takes it away when that is killed.
syscalls_killed() {
	"$RINGSIDE" syscalls -q -a -o out --duration 600 &
	local pid=$!
	wait_for test -d "$tracefs/instances/ringside-$pid" && sleep 0.3 && kill -9 $pid && wait_for no_folder "$tracefs/instances/ringside-$pid"
}
# What is counted while it happens is what a recording of the same command in another instance holds.
counts_as_recorded() {
	local some=',(openat|mmap|mprotect|munmap|epoll_ctl|ftruncate|socketpair|lseek|madvise|shutdown),calls,'	# the process does others before it becomes the command

	cc -O1 -o calls "$here/calls.c" && record -q -B "$buffer" -e raw_syscalls -e sched:sched_process_exec -F -c \
		"$RINGSIDE" count -q -e 'raw_syscalls,sched_process_exec' --by event,id.syscall,comm --csv --columns event,id.syscall,comm,count -o ours ./calls &&
		"$RINGSIDE" count 'raw_syscalls,sched_process_exec' --by event,id.syscall,comm --csv --columns event,id.syscall,comm,count trace.dat > theirs &&
		grep -E "$some" theirs | sort > theirs.calls && grep -E "$some" ours | sort > ours.calls &&
		has '^raw_syscalls:sys_enter,openat,calls,[0-9]+$' ours.calls && diff theirs.calls ours.calls
}
# Where the kernel has no histograms of events.
counts_the_stream() {
	"$RINGSIDE" count -q sched:sched_process_exec --columns event,count -- sh -c 'true; env true' 2> out && has '^From the stream: this kernel has no histograms of events' out && has '^sched:sched_process_exec +[2-4]$' out &&
		! "$RINGSIDE" count --in kernel sched:sched_process_exec -- true 2> out && has '^ringside: --in kernel: this kernel has no histograms' out
}
# Runs that load 2, 3 and 4 programs: the mean is 3, the deviation 1, and that of the mean 1 / sqrt(3), which is 19.245 % of it.
# A program that is started is started by execve, whoever counts.
counts_by_stack() {
	"$RINGSIDE" count -q -e sched:sched_process_exec --by stack --json -o out -- true && has '"stack": "[^"]*;[a-z0-9_]*execve[a-z0-9_.;]*", "count": 1,' out &&
		"$RINGSIDE" count -q -e sched:sched_process_exec --by stack -o out -- true && has '^=> [a-z0-9_]*execve' out || { cat out; return 1; }
}
counts_often() {
	echo 1 > n
	"$RINGSIDE" count -r 3 --csv -e sched:sched_process_exec -o out -- \
		sh -c 'read -r n < n; echo $((n + 1)) > n; while [ "$n" -gt 0 ]; do /bin/true; n=$((n - 1)); done' && is 4 "$(cat n)" &&
		has '^event,mean,error,stddev,min,max,runs$' out && has '^sched:sched_process_exec,3,19\.245[0-9]*,1,2,4,3$' out || { cat out; return 1; }
	! "$RINGSIDE" count -r 3 -e sched:sched_process_exec -- ./no-such-program 2> out && is 1 "$(grep -c no-such-program out)"
}
count_killed() {
	"$RINGSIDE" count -q -a sched_switch --duration 600 &
	local pid=$!
	wait_for test -d "$tracefs/instances/ringside-$pid" && sleep 0.3 && kill -9 $pid && wait_for no_folder "$tracefs/instances/ringside-$pid"
}

asking() {
	if command -v strace > /dev/null; then
		check "syscalls: calls, flags and results as strace tells them" syscalls_as_strace
		check "syscalls: calls that a seccomp filter refuses" syscalls_refused
		check "syscalls -e: the same sets as strace's" syscalls_of_a_set
		check "syscalls -f: how tasks end, as strace tells it" syscalls_tell_ends
		check "syscalls -f -c: as many calls and errors as strace -f -c" syscalls_of_children
	else
		skip "syscalls beside strace" "no strace"
	fi
	if command -v perf > /dev/null && perf trace -s true > /dev/null 2>&1; then
		check "syscalls -c: as many calls as perf trace -s, and as long" syscalls_as_perf
	else
		skip "syscalls beside perf trace" "no perf trace (linux-perf)"
	fi
	check "syscalls -p" syscalls_of_a_process
	check "syscalls: the program that execve loads" names_the_program
	check "syscalls: nothing is left after kill -9" syscalls_killed
	check "count: as many as a recording of the same holds" counts_as_recorded
	if [ -e "$tracefs/events/sched/sched_process_exec/hist" ]; then
		skip "count: why in the stream" "lack of hist triggers"
	else
		check "count: the head says why it is the stream" counts_the_stream
	fi
	check "count --by stack" counts_by_stack
	check "count -r: mean and deviation of runs that differ by a plan" counts_often
	check "count: nothing is left after kill -9" count_killed
}
