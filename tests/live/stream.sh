# shellcheck shell=bash
# Live tests of ringside stream; tests/live/suite sources this.

stream() { timeout -k 5 300 "$RINGSIDE" stream "$@"; }

in_order() { awk -f "$here/../tools/stream-order.awk" "$@"; }

# The layout is report's: of a recording of one event by one command it is the same but for times and pids. The task keeps its name, as a stream prints
# the one that it has when its line is printed, and a report its last one.
streams() {
	stream -B "$buffer" -e sched:sched_process_exec -F sh -c 'exec sh -c :' > out 2> err && is '' "$(cat err)" && has 'filename=.*/sh' out && is 2 "$(wc -l < out)" &&
		record -q -B "$buffer" -e sched:sched_process_exec -F sh -c 'exec sh -c :' && report | sed 1d > want &&
		is "$(without_times want)" "$(without_times out)" && rm out err want && left trace.dat
}
without_times() { sed -E 's/-[0-9]+ +\[[0-9]+\] .....? +[0-9.]+:/-P [C] T:/; s/pid=[0-9]+/pid=P/g' "$1"; }

streams_until_head_ends() { # and it ends although nothing more happens: the second one gets one line only
	stream -B "$buffer" -e sched 2> err | head -n 3 > out
	is '0 0' "${PIPESTATUS[*]}" && is '' "$(grep -v until err)" && is 3 "$(wc -l < out)" || return
	SECONDS=0
	stream -B "$buffer" -e sched:sched_process_exec -F sh -c '/bin/true; exec sleep 200' 2> err | head -n 1 > out
	is '0 0' "${PIPESTATUS[*]}" && is '' "$(cat err)" && [ "$SECONDS" -lt 150 ] && rm out err && left
}
streams_until_ctrl_c() { # all that had happened is printed
	local signal=$1 pid
	env --default-signal=INT "$RINGSIDE" stream -q -B "$buffer" -e raw_syscalls:sys_enter -f 'id == 12345' --duration 300 > out 2> err &
	pid=$!
	wait_for is_armed "$buffer" && sleep 0.2 && echo "said before the $signal" > "$tracefs/instances/$buffer/trace_marker"
	kill -"$signal" "$pid"
	wait "$pid"
	is 0 $? && is '' "$(cat err)" && has 'said before the' out && rm out err && left
}
# In a write to a pipe that is full.
waits_for_its_reader() { cat "/proc/$1"/task/*/wchan | grep -q pipe_write; }
# Who reads has stopped reading: one signal waits for it, another ends it and puts the kernel back.
streams_to_nobody() {
	local pid reader
	mkfifo pipe
	sleep 500 < pipe &
	reader=$!
	env --default-signal=INT "$RINGSIDE" stream -B "$buffer" -e raw_syscalls > pipe 2> err &
	pid=$!
	wait_for is_armed "$buffer" && dd if=/dev/zero of=/dev/null bs=1 count=100000 2> /dev/null
	wait_for waits_for_its_reader "$pid"
	kill -INT "$pid" && wait_for grep -qs 0 "$tracefs/instances/$buffer/tracing_on" && waits_for_its_reader "$pid" && kill -INT "$pid" || return
	SECONDS=0
	wait "$pid"
	is 0 $? && [ "$SECONDS" -lt 400 ] && has 'second signal: [1-9][0-9]* of the events that were traced are not printed' err && kill "$reader" && rm err pipe && left
}
streams_with_the_commands_status() {
	stream -q -B "$buffer" -e sched:sched_process_exec sh -c 'exit 7' > out
	is 7 $? && stream -B "$buffer" -e sched:sched_process_exec nosuchcommand > out 2>&1
	is 127 $? && is 1 "$(wc -l < out)" && stream -B "$buffer" -e sched_swich > out 2>&1
	is 1 $? && has 'sched_switch' out && is 1 "$(wc -l < out)" && stream -B "$buffer" -e sched_switch --only 'nosuchevent: x' > out 2>&1
	is 2 $? && has '"nosuchevent"' out && is 1 "$(grep -c ^ringside out)" && rm out && left
}
streams_what_matches() {
	stream -q -B "$buffer" -e sched:sched_process_exec -e sched:sched_process_exit -F -c --only 'sched_process_exit: comm == "true"' \
		sh -c '/bin/true; exit 0' > out && is 1 "$(wc -l < out)" && has 'sched_process_exit: +comm=true' out &&
		stream -q -B "$buffer" -e sched:sched_process_exec -e sched:sched_process_exit -F -c --hide 'sched_process_exit' \
			sh -c '/bin/true; exit 0' > out && has 'exec:' out && hasnt 'exit:' out && rm out && left
}
kernel_lost() { cat "$1"/per_cpu/cpu*/stats | awk '/^(overrun|commit overrun|dropped events):/ { n += $NF } END { print n; exit !n }'; }
# Nothing is lost but what is said to be: what is printed and what is reported as lost are the kernel's own counts. The pipe is not read until
# something is lost.
streams_and_counts() {
	local dir=$tracefs/instances/$buffer events lost got
	mkdir "$dir" && stream -k -B "$buffer" -e raw_syscalls sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=600000' 2> err | (wait_for kernel_lost "$dir" > /dev/null; cat) > out
	is '0 0' "${PIPESTATUS[*]}" || return
	events=$(cat "$dir"/per_cpu/cpu*/stats | awk '/^(entries|read events):/ { n += $NF } END { print n }')
	lost=$(kernel_lost "$dir")
	rmdir "$dir"
	got=$(in_order out) || { echo "$got"; return 1; }
	echo "printed, late, lost: $got; the kernel's: $events, lost $lost"
	is "$events" "${got%% *}" && [ "$lost" -gt 0 ] && has "warning: $lost of $((events + lost)) events were lost" err && rm out err && left
}
# tap_of PID: the id of its thread that reads, once it is there; others on this machine may have such a thread as well.
tap_of() { grep -ls ringside/tap "/proc/$1"/task/*/comm | sed 's|.*/task/\([0-9]*\)/comm|\1|' | grep .; }
# What our own wake-ups do to an idle CPU is no event, so that nothing goes round and round; other switches are there.
streams_not_itself() {
	local pid tap
	"$RINGSIDE" stream -q -B "$buffer" -e sched_switch -e sched_waking -e sched_wakeup > out &
	pid=$!
	wait_for is_armed "$buffer" && wait_for tap_of "$pid" > /dev/null && tap=$(tap_of "$pid") && sleep 1 && wait_for grep -q sched_switch out && kill -INT "$pid" && wait "$pid" &&
		hasnt "sched_switch: .*swapper/[0-9]+:0 .*ringside/tap:$tap " out && hasnt "sched_waking: .*comm=ringside/tap pid=$tap " out &&
		stream -q -B "$buffer" -e sched_switch -f 'next_pid != 0' --duration 1 > out && has ' ==> ' out &&
		hasnt ' ==> swapper' out && rm out && left
}
# Of tasks that did not exist when it began. One that ends within a millisecond may stay without a name: the kernel keeps the names of 128 tasks of
# the whole machine, and misses some while the list is read.
streams_names() {
	local pid
	stream -q -B "$buffer" -e raw_syscalls:sys_enter -F -c sh -c 'cp /proc/self/exe ./newcomer 2>/dev/null || cp /bin/true newcomer; sleep 0.1;
		cp /bin/sleep newcomer && ./newcomer 0.3; rm newcomer' > out && has 'newcomer-[0-9]+' out && pid=$(sed -nE 's/^ *newcomer-([0-9]+) .*/\1/p;T;q' out) && hasnt "<\\.\\.\\.>-$pid " out && rm out && left
}
streams_a_probe() {
	gcc -g -O0 -o probed "$here/probed.c" && stream -q -B "$buffer" --probe 'uprobe:./probed:work n' ./probed > out &&
		has 'probed-[0-9]+ .* n=' out && rm out probed && left
}
# What is set is record's code; this shows that each is told to it, and undone.
streams_with_records_options() {
	local dir=$tracefs/instances/$buffer pid
	mkdir "$dir" && stream -q -B "$buffer" -b 900 -C mono -M 1 -O nooverwrite -T -i -e nosuch:event -e sched:sched_process_exec -e sched:sched_process_exit \
		-f 'comm == "nobody"' -v -e sched:sched_switch taskset -c 0 bash -c "grep -H . $dir/{buffer_size_kb,trace_clock,tracing_cpumask,options/overwrite}; /bin/true" > out
	grep -qE "$dir/buffer_size_kb:9[0-9][0-9]" out && has 'trace_clock:.*\[mono\]' out && has 'tracing_cpumask:0*1$' out && has 'overwrite:0' out &&
		has '=> .* \(' out && hasnt 'sched_process_exit: ' out && hasnt 'sched_switch: ' out && is 1 "$(cat "$dir/options/overwrite")" && has '\[local\]' "$dir/trace_clock" || return
	stream -q -B "$buffer" -M -1 -e sched:sched_process_exec -R stacktrace true > out && has '=> .* \(' out && rmdir "$dir" || return
	sleep 300 &
	pid=$!
	# Its own exec is none of those that are looked for.
	wait_for grep -q '^sleep' "/proc/$pid/comm" || return
	{ wait_for is_armed "$buffer"; kill "$pid"; } &
	stream -q -B "$buffer" -e sched:sched_process_exit -e sched:sched_process_exec -P "$pid" > out && ! kill -0 "$pid" 2> /dev/null &&
		is 1 "$(grep -c "exit: .*pid=$pid" out)" && hasnt 'exec: ' out || return
	stream -q -B "$buffer" -e sched:sched_process_exec -F -c --user nobody sh -c 'exec id -un' > out && has '^nobody$' out && rm out && left
}
# Ours goes to stderr, the command's stays; the levels.
streams_to_stderr() {
	stream -B "$buffer" --stderr -e sched:sched_process_exec -F sh -c 'echo of the command; exec true' > out 2> err && is 'of the command' "$(cat out)" &&
		has 'sched_process_exec: .*/true' err && stream -B "$buffer" --verbose=err -m 100 -e sched:sched_process_exec true > out 2> err && is '' "$(cat err)" &&
		has 'sched_process_exec: ' out && stream -B "$buffer" --verbose -m 100 -e sched:sched_process_exec true > out 2> err && has 'without effect: -m$' err &&
		rm out err && left
}
streams_a_profile() { # its events and no others with -S; those of a hook
	stream -q -B "$buffer" --profile -F -c sh -c '/bin/true; exit 0' > out && has ': sys_enter: ' out && has ': sched_process_exec: ' out && has ': sched_switch: ' out &&
		has '=> .* \(' out && stream -q -B "$buffer" --profile -S -G --by-comm -H 'raw_syscalls:sys_enter,common_pid/raw_syscalls:sys_exit,common_pid' -F true > out &&
		has ': sys_enter: ' out && has ': sys_exit: ' out && hasnt 'sched_' out && rm out && left
}
# What is about a file has no effect, and a line says so; of other machines there is a cure.
streams_without_a_file() {
	stream -B "$buffer" -m 100 --temp . --proc-map --file-version 6 --compression zlib -e sched:sched_process_exec true > out 2> err &&
		has 'sched_process_exec: ' out && is 1 "$(wc -l < err)" && has 'without effect: -m, --temp, --proc-map, --file-version, --compression$' err || return
	for option in -N -V -A; do
		stream $option 1:2 -e sched:sched_process_exec true > out 2>&1
		is 2 $? && has "$option: .*ssh HOST ringside stream" out || return
	done
	rm out err && left
}
# How often the reading thread looks while nothing happens, and its priority.
streams_at_a_pace() { # streams_at_a_pace LEAST MOST POLICY OPTION...
	local least=$1 most=$2 policy=$3 pid task before begun after now turns
	shift 3
	"$RINGSIDE" stream -q -B "$buffer" "$@" -e raw_syscalls:sys_enter -f 'id == 12345' --duration 300 > out 2>&1 &
	pid=$!
	# The thread that reads may get its name later than the events are armed.
	wait_for is_armed "$buffer" && wait_for tap_of "$pid" > /dev/null
	sleep 0.5
	task=/proc/$pid/task/$(tap_of "$pid")
	read -r before begun <<< "$(turns_of "$task")"
	sleep 2
	read -r after now <<< "$(turns_of "$task")"
	# On a busy machine two seconds are longer.
	turns=$(((after - before) * 200 / (now - begun)))
	echo "$*: $turns turns in 2 s, $(chrt -p "${task##*/}")"
	if ! { chrt -p "${task##*/}" | grep -q "$policy" && [ "$turns" -ge "$least" ] && [ "$turns" -le "$most" ]; }; then
		kill -INT "$pid"
		wait "$pid"
		return 1
	fi
	echo "a mark" > "$tracefs/instances/$buffer/trace_marker" && wait_for grep -q 'a mark' out && kill -INT "$pid" && wait "$pid" && rm out && left
}
# turns_of TASK: how often it has waited, and when that was, in 1/100 s. One program reads both, as between two programs others may have their turns for long.
turns_of() {
	awk 'FILENAME == "/proc/uptime" { sub(/\./, "", $1); print turns, $1 } /^voluntary_ctxt_switches/ { turns = $2 }' "$1/status" /proc/uptime
}
streams_as_often_as_told() {
	streams_at_a_pace 0 8 SCHED_OTHER -s 0 && streams_at_a_pace 9 21 SCHED_OTHER -s 100000 && streams_at_a_pace 100 2100 SCHED_FIFO --poll -r 3
}
# Events that others switch on have names with -a; the times are those of the day, or moved.
streams_as_record_would_save() {
	local dir=$tracefs/instances/$buffer now
	mkdir "$dir" && stream -q -a -B "$buffer" --date -e sched:sched_process_exit -f 'pid == 1' sh -c "echo 1 > $dir/events/sched/sched_process_exec/enable; /bin/true" > out &&
		has 'sched_process_exec: +filename' out || return
	now=$(date +%s)
	awk -v now="$now" 'match($0, /[0-9]+\.[0-9]+: /) { t = substr($0, RSTART, RLENGTH) + 0; n++; if (t < now - 600 || t > now + 1) exit bad = 1 } END { exit bad || !n }' out ||
		{ echo "not about $now:"; cat out; return 1; }
	rmdir "$dir" && stream -q -B "$buffer" -C mono --ts-offset 5000000000000000 -e sched:sched_process_exec true > out && has ' [5-9][0-9]{6}\.[0-9]+: sched_process_exec' out && rm out && left
}
streams_some_tasks() { # of a name that they have when it happens; of one thread; of one CPU
	local pid
	stream -q -B "$buffer" --comm 'tru*' -e sched:sched_process_exec -e sched:sched_process_exit sh -c '/bin/true; /bin/date; exit 0' > out && has 'exec: .*/true' out &&
		has 'exit: +comm=true' out && hasnt 'comm=(sh|date)|filename=.*/(sh|date)' out || return
	sleep 300 &
	pid=$!
	stream -q -B "$buffer" --tid $pid -e sched:sched_process_exit sh -c "/bin/true; kill $pid; while grep -qs '^State:.[^ZX]' /proc/$pid/status; do sleep 0.1; done" > out &&
		is 1 "$(wc -l < out)" && has "exit: .*pid=$pid" out || return
	stream -q -B "$buffer" --cpu 0 -e sched:sched_process_exec sh -c 'taskset -c 0 /bin/true; taskset -c 1 /bin/true' > out && has '\[000\].*/true' out && hasnt '\[001\]' out &&
		stream -B "$buffer" --cpu 4000 -e sched:sched_process_exec true > out 2>&1
	is 2 $? && has 'has the CPUs 0 to' out && rm out && left
}
streams_names_of_now() { # on the same CPU the task execs another program
	stream -q -B "$buffer" -e raw_syscalls:sys_enter -F taskset -c 0 sh -c 'sleep 0.5; sleep 0.5; exec bash -c "sleep 0.5; sleep 0.5; exit 0"' > out && has ' sh-[0-9]+ ' out && has ' bash-[0-9]+ ' out && rm out && left
}
# Each holds exactly its own events.
streams_beside_three_recordings() {
	local kind events=(exec exit fork) i pids=()
	for i in 0 1 2; do
		"$RINGSIDE" record -q -B "$buffer-$i" -e "sched:sched_process_${events[i]}" -o "$i.dat" &
		pids+=($!)
	done
	"$RINGSIDE" stream -q -B "$buffer-s" -e sched:sched_switch > s.out &
	pids+=($!)
	for kind in 0 1 2 s; do
		wait_for is_armed "$buffer-$kind" && echo "mark $kind" > "$tracefs/instances/$buffer-$kind/trace_marker"
	done
	sh -c '/bin/true; /bin/true'
	kill -INT "${pids[@]}"
	wait
	for i in 0 1 2; do
		report -i "$i.dat" | sed 1d > "$i.out"
		has "sched_process_${events[i]}:" "$i.out" && hasnt ' [a-z_]+: ' <(grep -vE "sched_process_${events[i]}:|mark $i" "$i.out") &&
			is 1 "$(grep -c 'mark' "$i.out")" || return
	done
	has 'sched_switch:' s.out && ! grep -vE 'sched_switch:|mark s' s.out && is 1 "$(grep -c 'mark' s.out)" && rm ./*.out && left 0.dat 1.dat 2.dat
}
stream_all() {
	check "stream" streams
	check "stream | head" streams_until_head_ends
	check "stream, SIGINT" streams_until_ctrl_c INT
	check "stream, SIGTERM" streams_until_ctrl_c TERM
	check "stream to a pipe that nobody reads, SIGINT twice" streams_to_nobody
	check "stream: the command's status" streams_with_the_commands_status
	check "stream --only, --hide" streams_what_matches
	check "stream to a pipe that cannot keep up" streams_and_counts
	check "stream leaves itself out" streams_not_itself
	check "stream: names of new tasks" streams_names
	if [ -e "$tracefs/uprobe_events" ]; then
		check "stream --probe" streams_a_probe
	else
		skip "stream --probe" "no uprobes"
	fi
	check "stream: options of record" streams_with_records_options
	check "stream --profile, -H" streams_a_profile
	check "stream --stderr, --verbose, -q" streams_to_stderr
	check "stream takes record's options of the file" streams_without_a_file
	check "stream -s, -r, --poll" streams_as_often_as_told
	check "stream -a, --date, --ts-offset" streams_as_record_would_save
	check "stream --comm, --tid, --cpu" streams_some_tasks
	check "stream: a task's new name" streams_names_of_now
	check "three recordings and a stream at once" streams_beside_three_recordings
}
