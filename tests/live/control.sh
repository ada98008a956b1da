# shellcheck shell=bash
# Live tests of the commands that control tracing; tests/live/suite sources this.

ringside() { timeout -k 5 60 "$RINGSIDE" "$@"; }

# said STATUS PATTERN ARG...: one message, that status
said() {
	local want=$1 pattern=$2
	shift 2
	ringside "$@" > out 2>&1
	is "$want" $? && has "$pattern" out && is 1 "$(grep -c '^ringside' out)"
}

# Two instances, in which nothing happens but what a test does: their names in $a and $b, their folders in $da and $db.
two_instances() {
	a=$buffer-a b=$buffer-b
	da=$tracefs/instances/$a db=$tracefs/instances/$b
	mkdir "$da" "$db"
}
no_instances() { rmdir "$da" "$db"; }

on() { is "$2" "$(cat "$tracefs/instances/$1/tracing_on")"; }
entries() { cat "$tracefs/instances/$1"/per_cpu/cpu*/stats | awk '/^entries:/ { n += $2 } END { print n }'; }

stops_and_restarts() {
	local top
	top=$(cat "$tracefs/tracing_on")
	two_instances && ringside stop -B "$a" && on "$a" 0 && on "$b" 1 && ringside stop -B "$b" -B "$a" && on "$b" 0 &&
		ringside restart --instance "$a" && on "$a" 1 && on "$b" 0 && is "$top" "$(cat "$tracefs/tracing_on")" && no_instances
}
clears() {
	two_instances && echo one > "$da/trace_marker" && echo two > "$db/trace_marker" && is 1 "$(entries "$a")" &&
		ringside clear -B "$a" && is 0 "$(entries "$a")" && is 1 "$(entries "$b")" && on "$a" 1 && no_instances
}
shows_the_buffer() {
	two_instances && echo hello > "$da/trace_marker" && ringside show -B "$a" > out && diff out "$da/trace" && has 'hello$' out &&
		ringside show -B "$a" -f > out && is "$da/trace" "$(head -n 1 out)" &&
		is 1 "$(for cpu in $(seq 0 $(($(nproc) - 1))); do ringside show -B "$a" -c "$cpu"; done | grep -c hello)" && no_instances
}
shows_the_pipe() {
	two_instances && echo first > "$da/trace_marker" || return
	"$RINGSIDE" show -p -B "$a" > out &
	local pid=$!
	wait_for grep -q first out && echo second > "$da/trace_marker" && wait_for grep -q second out
	local status=$?
	kill "$pid"
	wait "$pid" 2> /dev/null
	is 0 "$status" && is 0 "$(entries "$a")" && no_instances
}
shows_settings() {
	local row
	two_instances && echo 1 > "$da/set_event_pid" && echo 1 > "$da/tracing_cpumask" && echo 0 > "$da/tracing_on" || return
	for row in tracing_on:tracing_on current_tracer:current_tracer buffer_size:buffer_size_kb buffer_total_size:buffer_total_size_kb \
		ftrace_filter:set_ftrace_filter ftrace_notrace:set_ftrace_notrace ftrace_pid:set_ftrace_pid graph_function:set_graph_function \
		graph_notrace:set_graph_notrace cpumask:tracing_cpumask; do
		[ -r "$da/${row#*:}" ] || continue
		is "$(cat "$da/${row#*:}" 2> /dev/null)" "$(ringside show -B "$a" "--${row%:*}" 2> /dev/null)" || return
	done
	is "$(cat "$da/per_cpu/cpu0/buffer_size_kb")" "$(ringside show -B "$a" -c 0 --buffer-size)" && no_instances
}
nearest_instance() {
	two_instances && said 1 "there is no trace instance '${a}a'; nearest: $a" stop -B "${a}a" && said 1 'nearest' show -B "${a}a" &&
		no_instances
}
# What others would lose through it, they are asked for first.
not_from_a_recording() {
	"$RINGSIDE" record -q -B "$buffer" -e sched sh -c 'echo > begun; sleep 30' &
	local pid=$! status=0 command
	wait_for test -e begun && rm begun
	for command in stop restart clear "show -p" "snapshot -s"; do
		# shellcheck disable=SC2086 # two words
		said 1 "in use: ringside of pid $pid" $command -B "$buffer" || status=1
	done
	ringside show -B "$buffer" | has sched_ /dev/stdin || status=1
	kill -TERM "$pid"
	wait "$pid"
	return "$status"
}
not_root_either() {
	cp "$RINGSIDE" ringside && chmod 755 "$tmp" && chmod 777 .
	for command in stop restart clear show; do
		setpriv --reuid 65534 --regid 65534 --clear-groups ./ringside "$command" > out 2>&1
		is 1 $? && is 1 "$(grep -c . out)" && has 'needs root' out || return
	done
}
plugin_options() {
	diff <(ringside options) <(ringside list -O) && ringside options | has 'option:.*parent' /dev/stdin
}

control_all() {
	check "stop and restart are for the instances that are named" stops_and_restarts
	check "clear empties the instance that is named" clears
	check "show prints trace, -f its name, -c one CPU's" shows_the_buffer
	check "show -p takes out what it prints and waits for more" shows_the_pipe
	check "show --tracing_on and the other settings" shows_settings
	check "an instance that does not exist" nearest_instance
	check "a recording is not disturbed by stop, restart, clear, show -p, snapshot -s" not_from_a_recording
	check "stop, restart, clear and show say that they need root" not_root_either
	check "options lists what list -O lists" plugin_options
}
