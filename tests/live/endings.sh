# shellcheck shell=bash disable=SC2154
# How recordings end: by SIGINT in the background.

# ended PID STATUS: in a while, with that status
ended() {
	wait_for no_longer_runs "$1" || { echo "it has not ended"; kill -TERM "$1"; return 1; }
	wait "$1"
	is "$2" $?
}
no_longer_runs() { [ ! -e "/proc/$1" ] || grep -q '^State:.Z' "/proc/$1/status"; }

# As a script has it in the background: bash starts such jobs with SIGINT ignored.
ends_by_sigint() { # ends_by_sigint STATUS FILE ARG...: FILE has something in it when it has begun
	local want=$1 file=$2
	shift 2
	(trap '' INT; exec "$RINGSIDE" "$@") > out 2> err &
	wait_for test -s "$file" && sleep 0.3 && kill -INT $!
	ended $! "$want"
}
in_the_background() {
	ends_by_sigint 0 err record -B "$buffer" -e sched && report | has sched_ /dev/stdin && rm trace.dat &&
		ends_by_sigint 143 begun record -q -B "$buffer" -e sched sh -c 'echo yes > begun; sleep 61' && report | has sched_ /dev/stdin && rm begun trace.dat &&
		ends_by_sigint 0 out stream -q -B "$buffer" -e sched && ends_by_sigint 0 err profile -p nop -B "$buffer" && has 'sched_switch' out && rm out err && left
}
# A command that handles SIGINT goes on, until the second one.
by_the_second() {
	local pid
	"$RINGSIDE" record -q -B "$buffer" -e sched sh -c 'trap "echo yes > got" INT; echo yes > begun; while :; do sleep 0.1; done' &
	pid=$!
	wait_for test -s begun && sleep 0.2 && kill -INT "$pid" && wait_for test -s got && sleep 0.5 && [ -e "/proc/$pid" ] && kill -INT "$pid"
	ended "$pid" 143 && report | has sched_ /dev/stdin
}
endings_all() {
	check "SIGINT to a background job of a script" in_the_background
	check "a second SIGINT" by_the_second
}
