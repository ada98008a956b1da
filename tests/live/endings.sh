# shellcheck shell=bash disable=SC2154
# How recordings end: by SIGINT in the background.

# ended PID STATUS: in a while, with that status
ended() {
	wait_for no_longer_runs "$1" || { echo "it has not ended: $(ps -o args= -p "$1")"; kill -TERM "$1"; return 1; }
	wait "$1"
	is "$2" $?
}
no_longer_runs() { [ ! -e "/proc/$1" ] || grep -q '^State:.Z' "/proc/$1/status"; }

# As a script has it in the background: bash starts such jobs with SIGINT ignored.
ends_by_sigint() { # ends_by_sigint STATUS FILE ARG...: FILE has something in it when it has begun
	local want=$1 file=$2
	rm -f out err
	shift 2
	(trap '' INT; exec "$RINGSIDE" "$@") > out 2> err &
	wait_for test -s "$file" && wait_for has_events "$buffer" && kill -INT $!
	ended $! "$want"
}
in_the_background() {
	ends_by_sigint 0 out record -B "$buffer" -e sched && report | has sched_ /dev/stdin && rm trace.dat &&
		ends_by_sigint 143 begun record -q -B "$buffer" -e sched sh -c 'echo yes > begun; sleep 61' && report | has sched_ /dev/stdin && rm begun trace.dat &&
		ends_by_sigint 0 out stream -q -B "$buffer" -e sched && ends_by_sigint 0 err profile -S -B "$buffer" -e sched_switch && has 'sched_switch' out && rm out err && left
}
# Also one that comes as soon as we are there: bash, too, holds SIGINT back for a moment before it runs us, and drops it.
holds_sigint() { [ "/proc/$1/exe" -ef "$RINGSIDE" ] && grep -q '^SigBlk:.*[2367abef]$' "/proc/$1/status"; }
at_once() {
	local i pid
	for i in 1 2 3 4 5 6; do
		(trap '' INT; exec "$RINGSIDE" record -q -B "$buffer" -e sched) 2> err &
		pid=$!
		wait_for holds_sigint "$pid" && kill -INT "$pid"
		wait_for no_longer_runs "$pid" || { kill -TERM "$pid"; return 1; }
	done
}
# A command that handles SIGINT goes on, until the second one.
by_the_second() {
	local pid
	# A job of a script has SIGINT ignored, and a shell cannot trap what was ignored when it began.
	env --default-signal=INT "$RINGSIDE" record -q -B "$buffer" -e sched sh -c 'trap "echo yes > got" INT; echo yes > begun; while :; do sleep 0.1; done' &
	pid=$!
	if wait_for test -s begun && kill -INT "$pid" && wait_for test -s got && kill -0 "$pid"; then
		kill -INT "$pid"
	else
		echo "the first SIGINT has not come to the command, or has ended the recording"
		kill -TERM "$pid"
		return 1
	fi
	ended "$pid" 143 && report | has sched_ /dev/stdin
}
# Numbers of processes are others there than those of tracing.
in_a_pid_namespace() {
	local there=(unshare -pf --mount-proc timeout 60 "$RINGSIDE") other="a process cannot be chosen from inside of a PID namespace"
	! "${there[@]}" record -q -B "$buffer" -e sched -F -o inside.dat true 2> said && has "$other" said && [ ! -e inside.dat ] && [ ! -e "$tracefs/instances/$buffer" ] || return
	! "${there[@]}" record -q -B "$buffer" -e sched -P 1 -o inside.dat true 2> said && has "$other" said && ! "${there[@]}" count -e sched:sched_switch true 2> said && has "$other" said || return
	! "${there[@]}" latency -p 1 wakeup --duration 1 2> said && has "$other" said || return
	"${there[@]}" record -q -B "$buffer" -e sched:sched_process_exec -o inside.dat true && "$RINGSIDE" report -q inside.dat | grep -q 'sched_process_exec:.*filename=[^ ]*true'
}

# A command that outlives --duration is waited for, and all commands say so. The command ends when it has seen the sentence.
outlives_the_duration() {
	local command sentence='^ringside: the command still runs, no longer recorded: waiting for its end$'
	# shellcheck disable=SC2016 # for the inner shell
	local command_line=(sh -c 'for i in $(seq 300); do if grep -q "still runs" said; then exit 7; fi; sleep 0.1; done')
	for command in "record -B $buffer -e sched:sched_process_exec" "stream -B $buffer -e sched:sched_process_exec" "profile -p nop -B $buffer -o profile" \
		"count -e sched:sched_process_exec" "latency syscall:getpgid" "syscalls -e trace=getpgid" "top --events -e sched:sched_process_exec --batch 1000" \
		"funcs --live -B $buffer -e raw_syscalls -f id==121" "graph --live -B $buffer -e raw_syscalls -f id==121" "sched --live -B $buffer"; do
		# shellcheck disable=SC2086 # several words
		"$RINGSIDE" $command --duration 0.2 -- "${command_line[@]}" > out 2> said
		is 7 $? && has "$sentence" said && hasnt 'still runs' out || { echo "of $command"; return 1; }
	done
	# shellcheck disable=SC2016 # for the inner shell
	"$RINGSIDE" stream -q -B "$buffer" -e sched:sched_process_exec --duration 0.2 sh -c 'sleep 0.6' > out 2> said && is '' "$(cat said)"
}

endings_all() {
	check "SIGINT to a background job of a script" in_the_background
	check "SIGINT to one that has just begun" at_once
	check "a second SIGINT" by_the_second
	check "a command that outlives --duration" outlives_the_duration
	if unshare -pf true 2> /dev/null; then
		check "in a PID namespace: tasks cannot be chosen, and all can be recorded" in_a_pid_namespace
	else
		skip "in a PID namespace" "unshare -p"
	fi
}
