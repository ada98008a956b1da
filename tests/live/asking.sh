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
# Two buffers have recorded the same calls: it is said that each call is told twice, once in all, and not where one buffer is chosen.
syscalls_of_two_buffers() {
	local said='several buffers of two.dat have system calls, and a call that is in two of them is shown twice; -B chooses a buffer'
	record -q -B "$buffer" -e raw_syscalls -B "$buffer-2" -e raw_syscalls -F -o two.dat dd if=/dev/zero of=/dev/null bs=1 count=100 2> err || { cat err; return 1; }
	"$RINGSIDE" syscalls -c two.dat > table && is 1 "$(grep -cFx "$said" table)" && has ' 20[0-9] .* write$' table && "$RINGSIDE" syscalls two.dat > out 2> err &&
		is 1 "$(grep -cFx "ringside: $said" err)" && "$RINGSIDE" syscalls -C two.dat > out 2> err && is 1 "$(cat out err | grep -cF "$said")" || return
	"$RINGSIDE" syscalls -C -B "$buffer-2" two.dat > out 2> err && has ' 10[0-9] .* write$' out && hasnt 'several buffers' out && hasnt 'several buffers' err
}
# The same calls as perf trace counts them, recorded around it: as many, and as long. It may not know the name of dd; no other task calls these so often. dd writes
# 200 times and then three lines. Now and then perf has one write fewer, or a host takes the CPU away between perf's look at the clock and the recording's: such
# a run only shows that we have them all, and there is another.
syscalls_as_perf() {
	local turn
	for turn in 1 2 3 4 5 6; do
		record -q -B "$buffer" -b 8192 -e raw_syscalls -o "x$turn.dat" perf trace -s -o theirs sh -c 'dd if=/dev/zero of=/dev/null bs=1M count=200; true' 2> said &&
			"$RINGSIDE" syscalls -c --comm dd --csv --columns syscall,calls,total "x$turn.dat" 2> /dev/null | tr -d '\r' > ours || { cat said; return 1; }
		grep -q '^write,203,' ours || { cat ours; return 1; }
		awk -F '[ ,]+' 'NR == FNR { calls[$1] = $2; total[$1] = $3; next }
			($2 == "read" || $2 == "write") && $3 >= 200 {
				n++; off = total[$2] / ($5 * 1e6); all += total[$2]; of += $5 * 1e6; print $2, $3, calls[$2], off; bad += $3 != calls[$2] }
			END { exit !(n == 2 && !bad && all < of * 1.05 && all > of * 0.95) }' ours theirs && return
	done
	cat theirs
	return 1
}
# How each task ended, and the signal that is sent to one that is traced.
syscalls_tell_ends() {
	local words='sh -c "exit 7"; sh -c "kill -TERM \$\$"; sh -c "kill -9 \$\$"; exit 3' status=0
	strace -f -e trace=none -o theirs sh -c "$words"
	"$RINGSIDE" syscalls -q -f -e trace=none -o ours sh -c "$words" || status=$?
	is 3 $status && diff <(grep -o '+++ .*' theirs | sort) <(grep -o '+++ .*' ours | sort) && has ' \+\+\+ killed by SIGTERM \+\+\+$' ours &&
		has '^[0-9]+ +--- SIGTERM \{si_signo=SIGTERM, si_code=SI_USER, si_pid=[0-9]+, ' ours
}
# into_old STATUS COMMAND...: what becomes of a file that -o names, in the file old
into_old() {
	local status=0
	echo keep > old
	"$RINGSIDE" "${@:2}" > said 2>&1 || status=$?
	is "$1" "$status" || { cat said; return 1; }
}
# The second signal comes before all has been read.
ended_twice() {
	local pid
	echo keep > old
	env --default-signal=INT "$RINGSIDE" syscalls -a -o old > said 2>&1 &
	pid=$!
	# It stands still meanwhile, so that its buffer, which holds 100,000 calls, is full when the signals come. It goes on to print until tracing is off, for which
	# it waits for all CPUs, and must not be done by then.
	wait_for is_armed "ringside-$pid" && kill -STOP $pid && dd if=/dev/zero of=/dev/null bs=1 count=50000 2> /dev/null &&
		kill -INT $pid && kill -TERM $pid && kill -CONT $pid
	wait $pid
	is 1 $? && has 'second signal: old is not written' said && is keep "$(cat old)"
}
# The exit status is that of the command, and says nothing of the file: it is replaced when all is in it, and only then.
output_kept() {
	for status in 3 141; do
		into_old $status syscalls -q -o old sh -c "exit $status" && has "\\+\\+\\+ exited with $status" old && hasnt keep old &&
			into_old $status count -q --csv -o old -e raw_syscalls:sys_enter -- sh -c "exit $status" && has '^event,count' old &&
			into_old $status count -q --csv -r 2 -o old -e raw_syscalls:sys_enter -- sh -c "exit $status" && has '^event,mean' old &&
			into_old $status latency syscall -q --csv -o old -- sh -c "exit $status" && hasnt keep old &&
			into_old $status top --batch 1 -d 20 -q --csv -o old sh -c "exit $status" && has '^syscall,rate' old || return
	done
	for words in 'syscalls -o old ./nosuch' 'count -o old -e sched ./nosuch' 'count -r 2 -o old -e sched -- ./nosuch' 'latency wakeup -o old -- ./nosuch' 'top --batch 1 -o old ./nosuch'; do
		# shellcheck disable=SC2086
		into_old 127 $words && is keep "$(cat old)" || { echo "$words"; return 1; }
	done
	into_old 1 top --batch 1 -o old --events -e nosuch && is keep "$(cat old)" && ended_twice && rm old said && left
}
# waits_for_task PID TASKS: does the process have a descriptor that tells when one of these tasks (in a pattern) has ended?
waits_for_task() { grep -qsE "^Pid:[[:space:]]+($2)\$" /proc/"$1"/fdinfo/*; }
# -p with the id of a thread: it ends with the thread, and where the whole process is measured, with that. The thread ends when ringside waits for its end. The
# process then goes on until it is told to end, or for a while where ringside has to wait for it.
ends_with_a_thread() {
	local command pid tid gone asking
	for command in 'syscalls 0' 'syscalls -f 1' 'count -e raw_syscalls:sys_enter 1' 'latency syscall 1'; do
		gone=${command##* }
		python3 -c '
import os, sys, threading, time
def wait_for(name):
    while not os.path.exists(name):
        time.sleep(0.05)
t = threading.Thread(target=wait_for, args=("awaited",))
t.start()
open("tid", "w").write("%d" % t.native_id)
t.join()
time.sleep(1.5) if sys.argv[1] == "1" else wait_for("go")' "$gone" &
		pid=$!
		wait_for test -s tid && tid=$(cat tid) || { kill "$pid"; return 1; }
		# shellcheck disable=SC2086 # several words
		"$RINGSIDE" ${command% *} -p "$tid" > out 2>&1 &
		asking=$!
		wait_for waits_for_task "$asking" "$tid|$pid" && touch awaited && ended "$asking" 0 || {
			echo "of $command:"
			cat out
			kill "$pid" "$asking" 2> /dev/null
			return 1
		}
		kill -0 "$pid" 2> /dev/null
		is "$gone" $? || { echo "of $command"; touch go; return 1; }
		touch go
		wait "$pid"
		rm tid out awaited go
	done
}
syscalls_of_a_process() {
	sh -c 'while [ ! -e go ]; do sleep 0.05; done; true' &
	local pid=$!
	"$RINGSIDE" syscalls -q -p $pid --duration 5 -o out; touch go; wait $pid
	has '^wait4\(-1, 0x[0-9a-f]+, ' out && hasnt 'nanosleep' out
}
# It comes with the end of its execve, often a round of the stream later than the beginning.
# A program of 32 bits calls its exit, which has the number of another call of 64 bits: nobody can know, and it is said.
small_program() {
	echo 'void _start(void) { __asm__ volatile("movl $1, %eax; xorl %ebx, %ebx; int $0x80"); }' | cc -m32 -nostdlib -static -o small -xc - 2> /dev/null && ./small
}
syscalls_of_32_bits() {
	small_program && "$RINGSIDE" syscalls -o ours ./small 2> said && has '^write\(' ours && has '^ringside: warning: \./small is a program of 32 bits, .*; strace shows them right$' said &&
		"$RINGSIDE" syscalls -o ours true 2> said && ! grep '32 bits' said
}
# Two buffers tell of the same switches, at slightly different times. One begins a little earlier than the other, so with both more calls can be complete, but not fewer.
switches_in_two_buffers() {
	"$RINGSIDE" record -q -B "$buffer-a" -e sched:sched_switch -e sched:sched_waking -B "$buffer-b" -e sched:sched_switch -e sched:sched_waking -e raw_syscalls \
		sh -c 'for i in 1 2 3; do sleep 0.05; ls / > /dev/null; done' || return
	for command in 'syscalls -c --columns syscall,calls,cut' 'funcs --columns function,calls,cut' 'graph --columns path,calls,cut'; do
		$RINGSIDE $command --csv -B "$buffer-b" > one 2>> said
		$RINGSIDE $command --csv > both 2>> said
		awk -F, 'NR == FNR { calls[$1] = $2; cut[$1] = $3; next } FNR > 1 && ($2 < calls[$1] || $3 > cut[$1]) { print $0 ", with one buffer " calls[$1] "," cut[$1]; bad = 1 }
			END { exit bad || FNR < 5 }' one both || { echo "$command"; return 1; }
	done
	has 'nanosleep,[1-9]' one
}
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
	wait_for has_events "ringside-$pid" && kill -9 $pid && wait_for no_folder "$tracefs/instances/ringside-$pid"
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
# What a program wakes is its own doing, but for the thread that reads what is recorded of it: with --self that one counts.
counts_no_reader() {
	"$RINGSIDE" stream -q -F --self -e sched:sched_waking perl -e '1 for 1 .. 2e7' > out && has ': sched_waking: .*ringside/tap' out || { echo "not once woken"; return 1; }
	"$RINGSIDE" count -q --in stream sched:sched_waking --by args.comm -o out -- perl -e '1 for 1 .. 2e7' && has '^all +[1-9]' out && ! grep ringside/tap out
}
# What helps against losses is an option that the command has. A machine that loses nothing says nothing.
losses_have_a_cure() {
	local work=(dd if=/dev/zero of=/dev/null bs=1 count=1000000 status=none)
	"$RINGSIDE" count --in stream raw_syscalls -o out -- "${work[@]}" 2> said && "$RINGSIDE" latency --in stream syscall -o out -- "${work[@]}" 2>> said &&
		! grep 'events were lost' said | grep -v '(--in bpf)' || return
	"$RINGSIDE" syscalls -c -o out "${work[@]}" 2> said && ! grep 'events were lost' said | grep -v '(-e signal=none)'
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
# lasted NS FILE: the JSON in FILE is of the running kernel, and of at least this time
lasted() {
	local ns
	ns=$(sed -nE 's/.*"meta": \{"file": "the running kernel",.* "span": ([0-9]+), .*/\1/p' "$2" | tail -n 1)
	[ "${ns:-0}" -ge "$1" ] && [ "$ns" -lt 100000000000 ] || { echo "the span is ${ns:-not there} of:"; grep -o '"meta".*' "$2"; return 1; }
}
tells_how_long() {
	local command in_bpf=''
	"$RINGSIDE" count -q --in bpf -o /dev/null -e task:task_rename -- true 2> /dev/null && in_bpf='--in bpf'
	# No task calls swapoff, so that no event tells how long it was.
	for command in "count sched_switch" "latency wakeup" "latency syscall:swapoff" "latency syscall:swapoff $in_bpf" "count sched_switch $in_bpf" "syscalls -c"; do
		# shellcheck disable=SC2086 # several words
		"$RINGSIDE" $command -q --json -o out -- sleep 0.3 && lasted 300000000 out || { echo "of $command"; return 1; }
	done
	"$RINGSIDE" count -q -r 3 sched_switch --json -o out -- sleep 0.2 && lasted 600000000 out && "$RINGSIDE" top -q --batch 1 -d 60 --json sleep 0.3 > out && lasted 300000000 out
}
# Each assignment of $0 renames the task once, and so does each exec: of the shell, and of three perls that it starts.
bpf_counts_by_plan() {
	local at plan=(sh -c 'for i in 1 2 3; do perl -e "\$0 = \"n\$_\" for 1 .. 500"; done')

	"$RINGSIDE" count -q --in bpf -e task:task_rename,sched:sched_process_fork --csv --columns event,count -o out -- "${plan[@]}" &&
		has '^task:task_rename,1504$' out && has '^sched:sched_process_fork,3$' out || return
	"$RINGSIDE" count -q --in bpf -r 3 -e task:task_rename --csv -o out -- "${plan[@]}" && has '^task:task_rename,1504,0,0,1504,1504,3$' out || return
	"$RINGSIDE" count -q --in bpf -e task:task_rename --by cpu --every 10ms --csv --columns count -o out -- "${plan[@]}" &&
		is 1504 "$(awk '{ n += $1 } END { print n }' out)" || return
	for at in 'kmem:kmalloc --by comm' 'syscalls:sys_enter_openat' 'kmem:kmalloc -f bytes_req>1' 'kmem:kmalloc --sum bytes_req'; do
		# shellcheck disable=SC2086
		! "$RINGSIDE" count --in bpf $at -- true 2> out && has '^ringside: --in bpf: .*; --in stream counts the events as they come$' out || return
	done
}
# What BPF programs cost is measured without an instance.
bpf_costs() {
	local pid made=''
	"$RINGSIDE" latency -q --cost --in bpf syscall:getpgid -o out -- sleep 0.2 2> said &
	pid=$!
	while kill -0 "$pid" 2> /dev/null; do
		[ ! -e "$tracefs/instances/ringside-cost-$pid" ] || made="ringside-cost-$pid"
	done
	wait "$pid" && is '' "$made" && has '^ringside: cost: a pair of events takes (too little time|[0-9]+ ns)' said || { cat said; return 1; }
}
# What a program that nobody else has does 2000 times: as often, and as long, as a recording of the same says. The kernel looks at its clock once for
# each of the two, so that their times differ by what lies between. That may be the turn of another virtual machine: sums are compared without the longest time.
bpf_measures_as_recorded() {
	record -q -B "$buffer" -e raw_syscalls -F -c "$RINGSIDE" latency -q --in bpf syscall:getpgid --json -o ours -- perl -e 'getpgrp($$) for 1 .. 2000' &&
		"$RINGSIDE" export --to jsonl -i trace.dat > theirs && has '"in": "kernel"' ours && perl -MJSON::PP -e '
		my ($path, %at, @took, $bad) = shift;
		for (<STDIN>) {
			my $e = decode_json($_);
			next unless $e->{system} eq "raw_syscalls" && $e->{fields}{id} == 121;
			$at{$e->{pid}} = $e->{ts}, next if $e->{event} eq "sys_enter";
			push @took, $e->{ts} - delete $at{$e->{pid}} if $at{$e->{pid}};
		}
		local (@ARGV, $/) = $path;
		my $ours = decode_json(<>)->{summary}[0];
		@took = sort { $a <=> $b } @took;
		my ($n, $sum) = (scalar @took, 0);
		$sum += $_ for @took;
		printf "recorded: %d calls, sum %d, least %d, median %d; measured: %d calls, sum %d, least %d, median %d\n", $n, $sum, $took[0], $took[999], @$ours{qw(count sum min p50)};
		my $off = $ours->{sum} - $ours->{max} - ($sum - $took[-1]);
		exit !($n == 2000 && $ours->{count} == $n && abs($off) < 1000 * $n && abs($ours->{min} - $took[0]) < 1000 && abs($ours->{p50} - $took[999]) < 1000 + $took[999] / 100 &&
			$ours->{max} >= $ours->{p50} && $ours->{min} > 0)' ours < theirs
}
# All times of the same kind together are those of each CPU; only long ones are long; and what cannot be measured is said.
bpf_measures_parts() {
	"$RINGSIDE" latency -q --in bpf syscall:clock_nanosleep --over 150ms --json -o out -- perl -e 'sleep 1' && has '"count": 1, "sum": 1[0-9]{9},' out || { cat out; return 1; }
	"$RINGSIDE" latency --in bpf syscall:clock_nanosleep --over 900s -- perl -e 'select undef, undef, undef, 0.01' 2> out && has '^ringside: no syscall:clock_nanosleep took as long as --over says$' out &&
		"$RINGSIDE" latency --in bpf syscall:swapoff -- true 2> out && has '^ringside: no syscall:swapoff was measured$' out || { cat out; return 1; }
	"$RINGSIDE" latency -q --in bpf syscall:getpgid --by cpu --json -o out -- perl -e 'getpgrp($$) for 1 .. 500' && has '"cpu": ' out &&
		is 500 "$(grep -o '"count": [0-9]*, "sum"' out | tr -dc '0-9\n' | awk '{ n += $1 } END { print n }')" || { cat out; return 1; }
	"$RINGSIDE" latency --in bpf wakeup -a --duration 0.3 -o out && has '^From the kernel$' out && has '^The longest, [0-9.]+ us: .*next_comm=.* next_pid=[0-9]+' out &&
		! "$RINGSIDE" latency --in bpf wakeup -a --by comm --duration 0.1 2> out && has '^ringside: --in bpf: BPF programs measure separately by CPU only; --in stream' out &&
		bpf_own_cpu &&
		! "$RINGSIDE" latency --in bpf block -a --duration 0.1 2> out && has '^ringside: --in bpf: BPF programs do not read the field dev of block:block_rq_issue; ' out
}
# The field cpu of this event is the CPU that it is sent to, and not the one on which it happens.
bpf_own_cpu() {
	[ ! -e "$tracefs/events/ipi/ipi_send_cpu" ] || { ! "$RINGSIDE" latency --in bpf --from ipi:ipi_send_cpu --to irq:softirq_entry --on cpu=common_cpu -a --duration 0.1 2> out &&
		has '^ringside: --in bpf: BPF programs do not read the field cpu of ipi:ipi_send_cpu; ' out; }
}
sigreturns=(perl -e '$SIG{USR1} = sub {}; kill USR1 => $$ for 1 .. 1000')
measures_sigreturn() {
	[ "$(uname -m)" = x86_64 ] || return 0
	record -q -B "$buffer" -e raw_syscalls -F -c "${sigreturns[@]}" && "$RINGSIDE" latency -q syscall:rt_sigreturn --json trace.dat > out &&
		has '"count": 1000, "sum"' out || { cat out; return 1; }
	"$RINGSIDE" latency -q --in stream syscall:rt_sigreturn --json -o out -- "${sigreturns[@]}" && has '"count": [1-9][0-9]{3,}, "sum"' out || { cat out; return 1; }
}
# A handler of a signal ends with rt_sigreturn (15), whose end does not have its number. Others on this machine have handlers, too.
bpf_measures_sigreturn() {
	[ "$(uname -m)" = x86_64 ] || return 0
	"$RINGSIDE" latency -q --in bpf --from 'sys_enter/id == 15/' --to sys_exit --on common_pid --json -o out -- "${sigreturns[@]}" &&
		has '"count": [1-9][0-9]{3,}, "sum"' out || { cat out; return 1; }
	"$RINGSIDE" latency -q --in bpf syscall:rt_sigreturn --json -o out -- "${sigreturns[@]}" && has '"count": [1-9][0-9]{3,}, "sum"' out || { cat out; return 1; }
}
# Of two processes, one makes the call all the time, and the other one never does.
bpf_measures_a_process() {
	local busy idle status

	perl -e 'open my $begun, ">", "begun"; getpgrp($$), select undef, undef, undef, 0.001 while 1' &
	busy=$!
	sleep 1000 &
	idle=$!
	wait_for test -e begun && "$RINGSIDE" latency -q --in bpf syscall:getpgid -p $busy --duration 0.3 --json -o busy &&
		"$RINGSIDE" latency -q --in bpf syscall:getpgid -p $idle --duration 0.3 --json -o idle &&
		"$RINGSIDE" latency -q --in bpf syscall:getpgid -p $busy,$idle --duration 0.3 --json -o both
	status=$?
	kill $busy $idle
	wait $busy $idle 2> /dev/null
	is 0 $status && has '"count": [1-9][0-9]*, "sum"' busy && has '"count": [1-9][0-9]*, "sum"' both && hasnt '"count": [1-9]' idle
}
# latency_of_threads PLACE N STATUS: The first thread does nothing, and N others do.
latency_of_threads() {
	local pid status

	cc -O1 -pthread -o threads "$here/threads.c" || return
	rm -f ready # of an earlier call: the shell empties a file only when the process begins
	./threads "$2" > ready &
	pid=$!
	wait_for grep -q ready ready && "$RINGSIDE" latency -q --in "$1" syscall:getpgid -p $pid --duration 0.5 --json -o out 2> said
	status=$?
	kill $pid
	wait $pid 2> /dev/null
	is "$3" $status
}
measures_threads() { latency_of_threads stream 100 0 && has '"count": [1-9][0-9]{2,}, "sum"' out; }
bpf_measures_threads() {
	latency_of_threads bpf 100 0 && has '"count": [1-9][0-9]{2,}, "sum"' out && latency_of_threads bpf 1100 1 &&
		has '^ringside: --in bpf: BPF programs do not know the condition .* of raw_syscalls:sys_enter; --in stream' said && [ "$(wc -c < said)" -lt 300 ]
}
# The programs go with the process that has loaded them, as nobody else holds their links to the tracepoints.
bpf_killed() {
	local command links pid

	for command in 'count --in bpf sched_switch' 'latency --in bpf wakeup'; do
		# shellcheck disable=SC2086
		"$RINGSIDE" $command -q -a --duration 600 &
		pid=$!
		wait_for holds_links "$pid" && links=$(links_of "$pid") && kill -9 $pid && wait_for no_folder "$tracefs/instances/ringside-$pid" &&
			wait_for nobody_holds "$links" || return
	done
}
links_of() { cat "/proc/$1/fdinfo"/* 2> /dev/null | sed -n 's/^link_id:[[:space:]]*//p'; }
holds_links() { [ -n "$(links_of "$1")" ] && [ -d "$tracefs/instances/ringside-$1" ]; }
nobody_holds() { ! cat /proc/[0-9]*/fdinfo/* 2> /dev/null | sed -n 's/^link_id:[[:space:]]*//p' | grep -qxF -e "$1"; }
# Does the process $1 count already? Where the kernel has no histograms of events, it does so from the stream.
is_counting() { grep -qs '^hist:' "$tracefs/instances/ringside-$1/events/sched/sched_switch/trigger" || has_events "ringside-$1"; }
count_killed() {
	"$RINGSIDE" count -q -a sched_switch --duration 600 &
	local pid=$!
	wait_for is_counting "$pid" && kill -9 $pid && wait_for no_folder "$tracefs/instances/ringside-$pid"
}

asking() {
	check "syscalls: that several buffers have the calls is said" syscalls_of_two_buffers
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
	check "syscalls, count, latency and top -o: a file is replaced only when all is in it" output_kept
	check "syscalls -p" syscalls_of_a_process
	check "calls, with the same switches in two buffers" switches_in_two_buffers
	if command -v python3 > /dev/null; then
		check "syscalls, count and latency -p of a thread" ends_with_a_thread
	else
		skip "syscalls, count and latency -p of a thread" "no python3"
	fi
	check "syscalls: the program that execve loads" names_the_program
	if small_program; then
		check "syscalls of a 32-bit program: a warning" syscalls_of_32_bits
	else
		skip "syscalls of a 32-bit program" "a kernel and a linker for these"
	fi
	check "syscalls: nothing is left after kill -9" syscalls_killed
	check "count: as many as a recording of the same holds" counts_as_recorded
	if [ -e "$tracefs/events/sched/sched_process_exec/hist" ]; then
		skip "count: why in the stream" "lack of hist triggers"
	else
		check "count: the head says why it is the stream" counts_the_stream
	fi
	check "count: not what ringside does while it counts" counts_no_reader
	check "count, latency, syscalls: what helps against losses" losses_have_a_cure
	check "count --by stack" counts_by_stack
	check "count -r: mean and deviation of runs that differ by a plan" counts_often
	check "count, latency, syscalls and top --json: of which kernel, and of how long" tells_how_long
	check "count: nothing is left after kill -9" count_killed
	check "latency -p: of all threads" measures_threads
	check "latency: rt_sigreturn" measures_sigreturn
	if "$RINGSIDE" count -q --in bpf -o /dev/null -e task:task_rename -- true 2> /dev/null; then
		check "count --in bpf: what a plan did" bpf_counts_by_plan
		check "latency --in bpf --cost: no instance" bpf_costs
		check "latency --in bpf: as many and as long as a recording of the same holds" bpf_measures_as_recorded
		check "latency --in bpf: long ones, each CPU, and what it cannot measure" bpf_measures_parts
		check "latency --in bpf: rt_sigreturn" bpf_measures_sigreturn
		check "latency --in bpf: of one process" bpf_measures_a_process
		check "latency --in bpf: of a process with many threads" bpf_measures_threads
		check "count and latency --in bpf: nothing is left after kill -9" bpf_killed
	else
		skip "count and latency with BPF programs" "BPF programs at tracepoints"
	fi
}
