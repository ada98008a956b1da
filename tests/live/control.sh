# shellcheck shell=bash
# Live tests of the commands that control tracing; tests/live/suite sources this.

ringside() { timeout -k 5 300 "$RINGSIDE" "$@"; }

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
	mkdir -p "$da" "$db"
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
# A text of the kernel's without the names of tasks: it forgets a name, and remembers it, between two readings.
nameless() { sed -E 's/^ *[^ ]+-([0-9]+) /\1 /'; }
shows_the_buffer() {
	two_instances && echo hello > "$da/trace_marker" && ringside show -B "$a" > out && diff <(nameless < out) <(nameless < "$da/trace") && has 'hello$' out &&
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
		graph_notrace:set_graph_notrace cpumask:tracing_cpumask buffer_subbuf_size:buffer_subbuf_size_kb buffer_percent:buffer_percent \
		max_latency:tracing_max_latency; do
		[ -r "$da/${row#*:}" ] || continue
		is "$(cat "$da/${row#*:}" 2> /dev/null)" "$(ringside show -B "$a" "--${row%:*}" 2> /dev/null)" || return
	done
	is "$(cat "$da/per_cpu/cpu0/buffer_size_kb")" "$(ringside show -B "$a" -c 0 --buffer-size)" && no_instances
}
# The file of one event as it is; of several, those that have any, with their names.
shows_triggers() {
	two_instances && ringside show -B "$a" --trigger sched_wakeup > out && diff out "$da/events/sched/sched_wakeup/trigger" &&
		echo 'traceoff:5 if pid == 1' > "$da/events/sched/sched_wakeup/trigger" && echo 'stacktrace:2 if next_pid == -7' > "$da/events/sched/sched_switch/trigger" &&
		ringside show -B "$a" --trigger sched:sched_wakeup > out && diff out "$da/events/sched/sched_wakeup/trigger" &&
		ringside show -B "$a" --trigger 'sched_*' > out && is '# sched:sched_switch # sched:sched_wakeup' "$(grep '^#' out | sort | paste -sd' ')" &&
		is 2 "$(grep -cE '^(traceoff:count=5 if pid == 1|stacktrace:count=2 if next_pid == -7)$' out)" && said 1 'nearest: .*sched_wakeup' show -B "$a" --trigger sched_wakup &&
		{ [ -e "$da/events/sched/sched_wakeup/hist" ] || said 1 CONFIG_HIST_TRIGGERS show -B "$a" --hist sched_wakeup; } && no_instances
}
larger_subbuffers() {
	ringside record -q -B "$buffer" --subbuf-size 8 -e sched true && ringside dump --summary trace.dat > out && has "buffer \"$buffer\".* 8192 page size" out
}
# What is set in the instance is recorded, with what its buffer holds, and is as it was afterwards.
records_as_it_is() {
	two_instances && echo 1 > "$da/events/sched/sched_process_exec/enable" && echo 'pid > 0' > "$da/events/sched/sched_process_exit/filter" &&
		echo before > "$da/trace_marker" && ringside record -q -K -B "$a" -e sched:sched_process_exit sh -c 'echo meanwhile > "$0"/trace_marker; exec true' "$da" &&
		ringside report > out && has 'sched_process_exec: .*filename=.*/true' out && has 'sched_process_exit:' out && has 'before$' out && has 'meanwhile$' out &&
		on "$a" 1 && is 1 "$(cat "$da/events/sched/sched_process_exec/enable")" && is 0 "$(cat "$da/events/sched/sched_process_exit/enable")" &&
		is 'pid > 0' "$(cat "$da/events/sched/sched_process_exit/filter")" && is '' "$(cat "$da/set_event_notrace_pid")" &&
		ringside stop -B "$a" && ringside record -q -K -B "$a" true && on "$a" 0 && said 2 'do not go with that' record -K --force true && no_instances
}
goes_on_behind_a_missing_one() {
	two_instances && said 1 "there is no trace instance '${a}a'" stop -B "${a}a" -B "$b" && on "$b" 0 && on "$a" 1 && no_instances
}
nearest_instance() {
	two_instances && said 1 "there is no trace instance '${a}a'; nearest: $a" stop -B "${a}a" && said 1 'nearest' show -B "${a}a" &&
		no_instances
}
# --- start, set, reset ----------------------------------------------------------------------------------------

snapshot() { "$here/../vm/snapshot-tracefs" "$1"; }
# How many journals speak of our instances: files, as a journal is binary and may hold any byte.
journals() { grep -l -a -e "$buffer" /run/ringside/journal-* 2> /dev/null | wc -l; }

# One of everything in the instance whose folder is named.
his_settings() {
	echo mono > "$1/trace_clock" && echo 700 > "$1/buffer_size_kb" && echo 1 > "$1/tracing_cpumask" && echo 0 > "$1/options/overwrite" &&
		echo 99999 > "$1/set_event_pid" && echo 'prev_pid > 77' > "$1/events/sched/sched_switch/filter" &&
		echo 'stacktrace if pid == 99999' > "$1/events/sched/sched_process_exec/trigger" && echo 1 > "$1/events/irq/enable" &&
		echo 1 > "$1/events/sched/sched_wakeup/enable" && echo 0 > "$1/tracing_on"
}
starts_and_goes() {
	ringside start -B "$buffer" -e sched:sched_process_exec -b 512 > out 2>&1 && is '' "$(cat out)" && on "$buffer" 1 && /bin/true &&
		ringside stop -B "$buffer" && on "$buffer" 0 && ringside show -B "$buffer" > out && has 'sched_process_exec: filename=/bin/true' out &&
		ringside reset -B "$buffer" && rm out && left
}
start_is_not_dead() {
	ringside start -B "$buffer" -e sched:sched_process_exec && record -B "$buffer-b" -e sched -o x.dat true > out 2>&1 && hasnt 'died' out &&
		ringside reset --stale --dry-run > out && hasnt "$buffer" out && ringside reset --stale > out && on "$buffer" 1 &&
		has "1 *$" <(journals) && ringside reset -B "$buffer" && is 0 "$(journals)"
}
puts_back_what_it_found() {
	two_instances && echo his > "$da/trace_marker" && his_settings "$da" && snapshot "$da" > before || return
	ringside start -B "$a" -e sched:sched_switch -f 'prev_pid == 1' -e irq:irq_handler_entry -R stacktrace -b 300 -C boot -O nomarkers -O sym-offset 2> err &&
		has "instance $a was in use: events are enabled.*reset -B $a" err && on "$a" 1 && has '\[boot\]' "$da/trace_clock" &&
		is 'prev_pid == 1' "$(cat "$da/events/sched/sched_switch/filter")" && is 0 "$(cat "$da/events/irq/softirq_entry/enable")" &&
		ringside start -B "$a" -e sched:sched_waking -M 2 2> err && is '' "$(cat err)" &&
		is '0*' "$(cat "$da/events/irq/irq_handler_entry/enable")" &&
		is 2 "$(cat "$da/tracing_cpumask")" && has '\[boot\]' "$da/trace_clock" && ringside set -B "$a" -e sched:sched_stat_runtime -O nooverwrite &&
		is 1 "$(cat "$da/events/sched/sched_stat_runtime/enable")" && is 1 "$(cat "$da/events/sched/sched_waking/enable")" &&
		ringside stop -B "$a" && ringside reset -B "$a" && snapshot "$da" > after && diff before after && is 0 "$(journals)" && no_instances
}
reset_of_one_of_two() {
	two_instances && snapshot "$da" > before-a && snapshot "$db" > before-b || return
	ringside start -B "$a" -e sched -B "$b" -e irq && ringside reset -B "$a" && snapshot "$da" | diff before-a - && is 1 "$(cat "$db/events/irq/enable")" &&
		is 1 "$(journals)" && ringside reset -B "$b" && snapshot "$db" | diff before-b - && is 0 "$(journals)" && no_instances
}
reset_of_one_that_start_made_has_no_size() {
	ringside start -q -B "$buffer" -e sched && ringside reset -B "$buffer" -b 64 2> err && gone && has 'is removed: -b has no effect' err && is 0 "$(journals)"
}
reset_off_and_delete() {
	two_instances && his_settings "$da" && his_settings "$db" && ringside start -q -B "$a" -e sched -B "$b" -e sched &&
		ringside reset --off -B "$a" && is 0 "$(cat "$da/events/enable")" && is none "$(cat "$da/events/sched/sched_switch/filter")" &&
		ringside reset -B "$b" -d -B "$a" -d -b 64 && gone && is 0 "$(journals)"
}
sets_only_that() {
	two_instances && echo his > "$da/trace_marker" && his_settings "$da" && snapshot "$da" > before || return
	ringside set -B "$a" -e sched:sched_switch -b 300 && on "$a" 0 && is 'prev_pid > 77' "$(cat "$da/events/sched/sched_switch/filter")" &&
		is 1 "$(cat "$da/events/irq/enable")" && is 99999 "$(cat "$da/set_event_pid")" && has '\[mono\]' "$da/trace_clock" &&
		is 7 "$(ringside set -B "$b" -C mono sh -c 'exit 7'; echo $?)" && ringside reset -B "$a" && snapshot "$da" | diff before - &&
		ringside reset -B "$b" && no_instances
}
set_removes() {
	two_instances && ringside set -v -B "$a" -B "$b" -e irq && [ ! -d "$da" ] && is X "$(cut -c1 "$db/events/enable")" &&
		said 1 'there is no trace instance' set -v -B "$a" && said 1 'no event .nosuch' set -v -B "$b" -B "$a" -e nosuch && [ -d "$db" ] && ringside reset -B "$b" && is 0 "$(cat "$db/events/enable")" && rmdir "$db"
}
no_functions() {
	ringside start -B "$buffer" -d -e irq && is 0 "$(cat "$tracefs/instances/$buffer/options/function-trace")" && ringside reset -B "$buffer" &&
		said 1 'turns function tracing off' start -B "$buffer" -D -p function && gone
}
levels() {
	two_instances && echo 1 > "$da/events/irq/enable" && ringside start --verbose=error -B "$a" -e sched 2> err && is '' "$(cat err)" &&
		ringside reset -B "$a" && ringside start --stderr --verbose=info -B "$a" -e sched 2> err && has 'was in use' err && ringside reset -B "$a" &&
		said 2 'none, crit' start --verbose=loud -B "$a" -e sched && no_instances
}
starts_with_a_command() {
	ringside start -B "$buffer" -e sched:sched_process_exec -F sh -c 'exec sh -c "exit 9"'
	is 9 $? && on "$buffer" 1 && ringside show -B "$buffer" > out && is 2 "$(grep -c 'sched_process_exec' out)" && ringside reset -B "$buffer" || return
	ringside start -B "$buffer" -e sched nosuchcommand 2> err
	is 127 $? && gone && local begin=$SECONDS && ringside start -B "$buffer" -e sched --fork sh -c 'sleep 60; touch ended' > out 2>&1 &&
		[ $((SECONDS - begin)) -lt 50 ] && ! test -e ended && ringside reset -B "$buffer" && gone
}
a_failed_start_leaves_nothing() {
	two_instances && his_settings "$da" && snapshot "$da" > before &&
		said 1 'prev_pit' start -q -B "$a" -e sched:sched_switch -f 'prev_pit == 1' -B "$buffer-c" -e sched && snapshot "$da" | diff before - &&
		said 1 'nothing to trace' start -B "$a" && said 1 'no event' start -B "$a" -e sched:sched_swich && snapshot "$da" | diff before - &&
		no_instances && gone && is 0 "$(journals)"
}
a_killed_start_leaves_nothing() {
	two_instances && his_settings "$da" && snapshot "$da" > before || return
	RINGSIDE_TEST_STOP_AT=9 "$RINGSIDE" start -B "$a" -e sched -C boot > /dev/null 2>&1 &
	local pid=$!
	wait_for grep -q '^State:.T' "/proc/$pid/status" && kill -KILL "$pid"
	wait "$pid" 2> /dev/null
	wait_for no_journal && snapshot "$da" | diff before - && no_instances
}
no_journal() { is 0 "$(journals)" > /dev/null; }
start_with_a_probe() {
	gcc -g -O0 -o probed "$here/probed.c" && cp "$tracefs/dynamic_events" before && ringside start -B "$buffer" --probe "uprobe:./probed:work name=live$$/work" -e sched:sched_process_exec &&
		has "live$$/work" "$tracefs/dynamic_events" && ./probed && ringside stop -B "$buffer" && ringside show -B "$buffer" > out &&
		has ': work:' out && ringside reset -B "$buffer" && hasnt "live$$" "$tracefs/dynamic_events" && gone
}

# --- extract --------------------------------------------------------------------------------------------------

# The time, CPU and event of each line of the kernel's text, or of a report's.
moments() { sed -nE 's/.*-[0-9]+ +(\([^)]*\) +)?\[([0-9]+)\].* ([0-9]+\.[0-9]{6,9}): ([A-Za-z0-9_]+): .*/\3 \2 \4/p' "$@" | sort -n; }

extracts_what_is_there() {
	local n
	ringside start -B "$buffer" -e sched -e irq -b 8192 && sleep 0.2 && ringside stop -B "$buffer" && ringside show -B "$buffer" > shown &&
		n=$(entries "$buffer") && [ "$n" -gt 10 ] && ringside extract -B "$buffer" -o x.dat 2> err && has " all +$n " err && report x.dat > out &&
		is "$n" "$(moments out | wc -l)" && diff <(moments shown) <(moments out) && has "^$buffer: " out && is 0 "$(entries "$buffer")" &&
		on "$buffer" 0 && ringside extract -B "$buffer" -o x.dat 2> err && has 'nothing in the buffer' err && ringside reset -B "$buffer" || return
	! command -v trace-cmd > /dev/null || diff <(trace-cmd report x.dat 2> /dev/null) <(report x.dat)
}
extracts_into_little() { # an empty buffer's file takes 1 MB
	two_instances && mkdir small && mount -t tmpfs -o size=8m tmpfs small || return
	ringside extract -B "$a" -o small/x.dat 2> err && "$RINGSIDE" dump --validate small/x.dat > out
	local status=$?
	cat err
	umount small && no_instances && is 0 $status && has 'valid' out
}
shows_visibly() { # what a task writes into a marker is shown on a terminal, and stays as it is in a pipe
	two_instances && printf 'red\033[31m\302\233\377' > "$da/trace_marker" || return
	TERM=dumb script -qec "$RINGSIDE show -B $a" /dev/null > out < /dev/null && has 'red.x1b\[31m.u009b.xff' out &&
		ringside show -B "$a" > out && grep -aq "$(printf 'red\033.31m\302\233')" out && no_instances
}
# The kernel sometimes saves "<...>" as the name of a task, because it keeps one name for several tasks. trace-cmd takes that for the name, while ringside learns
# the name from events. So tasks that trace-cmd calls "<...>" are compared without their names.
without_unknown() { # without_unknown THEIRS FILE
	awk '
		match($0, /-[0-9]+ +\[/) { task = substr($0, RSTART, RLENGTH); rest = substr($0, RSTART + RLENGTH) }
		NR == FNR { if (index($0, "<...>" task)) unknown[task]; next }
		task in unknown { print task rest; next }
		{ print }' "$1" "$2"
}
extracts_as_trace_cmd_reads_it() {
	command -v trace-cmd > /dev/null || return 0
	ringside start -B "$buffer" -e sched && sleep 0.1 && ringside stop -B "$buffer" && ringside extract -q -B "$buffer" --file-version 6 -o x.dat &&
		trace-cmd report x.dat 2> /dev/null | "$here/../oracle/normalise" trace-cmd > theirs && report x.dat | "$here/../oracle/normalise" ringside > ours &&
		diff <(without_unknown theirs theirs) <(without_unknown theirs ours) && ringside reset -B "$buffer"
}
extracts_several() {
	two_instances && echo one > "$da/trace_marker" && echo two > "$db/trace_marker" && ringside extract -q -B "$a" -B "$b" && report > out &&
		has "$a: .* one" out && has "$b: .* two" out && echo three > "$da/trace_marker" && ringside extract -q -B "$a" --date && report > out &&
		has "three" out && hasnt one out && no_instances
}
extracts_while_it_is_traced() { # what extracting itself does is traced as well: it must come to an end
	local cpu first second any=''
	ringside start -B "$buffer" -e raw_syscalls && true && ringside extract -B "$buffer" -q -o 1.dat && ringside extract -B "$buffer" -q -o 2.dat &&
		on "$buffer" 1 || return
	for cpu in $(seq 0 $(($(nproc) - 1))); do
		first=$(report -t --cpu "$cpu" 1.dat | moments | tail -n 1)
		second=$(report -t --cpu "$cpu" 2.dat | moments | head -n 1)
		[ -z "$second" ] || awk -v first="${first%% *}" -v second="${second%% *}" 'BEGIN { exit !(first + 0 < second + 0) }' || { echo "CPU $cpu: $first, then $second"; return 1; }
		any+=$first
	done
	[ -n "$any" ] && ringside reset -B "$buffer"
}
says_what_was_lost() {
	ringside start -B "$buffer" -b 8 -e raw_syscalls:sys_enter dd if=/dev/zero of=/dev/null bs=1 count=20000 2> err && ringside stop -B "$buffer" &&
		ringside extract -B "$buffer" 2> err && has 'events were lost' err && ringside reset -B "$buffer"
}
# Runs ringside where the tracer wakeup is set in the instance $a. This kernel need not have the tracer.
waking() {
	echo wakeup > tracer && echo 'wakeup wakeup_rt nop' > tracers || return
	# shellcheck disable=SC2016 # of the inner shell
	unshare -m sh -c 'mount --bind tracer "$0/current_tracer" && mount --bind tracers "$0/available_tracers" && exec "$@"' "$da" timeout 300 "$RINGSIDE" "$@"
}
extracts_text() { # what a latency tracer has is the text of the file "trace"
	two_instances && echo one > "$da/trace_marker" && waking extract -B "$a" -p wakeup -O noirq-info -o x.dat 2> err && has 'x.dat: .* of text' err &&
		has '\] +[0-9]+\.[0-9]+: tracing_mark_write: one' <(report x.dat) && is 1 "$(cat "$da/options/irq-info")" && is 1 "$(entries "$a")" &&
		waking extract -q -B "$a" -p wakeup -o x.dat && nameless < "$da/trace" > trace &&
		report x.dat | sed -n '/^# tracer/,$p' | nameless | diff - trace || return
	! command -v trace-cmd > /dev/null || trace-cmd report x.dat 2> /dev/null | sed -n '/^# tracer/,${/./p}' | nameless | diff - trace || return
	# A file is not replaced by the text of another tracer.
	echo keep > x.dat && said 1 'wakeup' extract -B "$a" -p wakeup -o x.dat && is keep "$(cat x.dat)" &&
		! waking extract -B "$a" -p wakeup_rt -o x.dat 2> err && has 'the tracer of .* is wakeup, so there is no text of wakeup_rt' err && is keep "$(cat x.dat)" || return
	ringside extract -q -B "$a" -p function -o x.dat && has ' print: .* one' <(report x.dat) && no_instances
}
extract_refusals() {
	two_instances && said 1 "there is no trace instance '${a}a'; nearest" extract -B "${a}a" && said 1 'is a folder' extract -B "$a" -o /tmp || return
	[ -e "$da/snapshot" ] || said 1 'CONFIG_TRACER_SNAPSHOT' extract -B "$a" -s || return
	no_instances && rm -f out && left
}

# --- stat -----------------------------------------------------------------------------------------------------

# What the lines with this label say, without who it was, sorted.
says() { # says LABEL
	awk -v label="$1" '
		/^  [^ ]/ { is = index($0, "  " label "  ") == 1 || $0 ~ "^  " label "$" }
		is && (/^  [^ ]/ || (substr($0, 1, 19) ~ /^ *$/ && substr($0, 20, 1) != " ")) { text = substr($0, 20); sub(/  \(pid .*/, "", text); print text }' out | sort | paste -sd'|'
}
stat_of_nothing_set() {
	local n
	two_instances && ringside stat -B "$a" > out && is on "$(says tracing)" && is "Instance: $a" "$(head -n 1 out)" &&
		is "tracing buffer" "$(sed -nE 's/^  ([a-z]+) .*/\1/p' out | paste -sd' ')" && is "$(nproc)" "$(grep -cE '^ +[0-9]+ +0 +0 +0% of' out)" &&
		ringside stat -B "$a" -B "$b" | has "^instance $b:" /dev/stdin &&
		n=$(find "$da/options" -type f | wc -l) && ringside stat -B "$a" -o > out && is "$n" "$(says option | tr '|' '\n' | wc -l)" && no_instances
}
stat_of_his_settings() {
	two_instances && his_settings "$da" && echo 1 > "$da/options/stacktrace" && ringside stat -B "$a" > out && is off "$(says tracing)" && is mono "$(says clock)" &&
		is 1 "$(says 'CPUs (mask)')" && is 'irq (all 7)|sched:sched_wakeup' "$(says event | sed -E 's/all [0-9]+/all 7/')" &&
		is 'sched:sched_switch: prev_pid > 77' "$(says filter)" && is 'sched:sched_process_exec: stacktrace:unlimited if pid == 99999' "$(says trigger)" &&
		is 99999 "$(says 'events of')" && is 'nooverwrite|stacktrace' "$(says option)" && is "$(cat "$da/buffer_size_kb") kB on each CPU" "$(says buffer)" &&
		hasnt 'pid [0-9]' out && no_instances
}
stat_names_who_it_was() {
	two_instances && echo mono > "$da/trace_clock" && "$RINGSIDE" start -B "$a" -e sched -O sym-offset && "$RINGSIDE" set -B "$a" -O nooverwrite &&
		ringside stat -B "$a" > out && has '^  clock +mono$' out && has '^  set up by +pid [0-9]+: ringside start -B .* -e sched -O sym-offset$' out &&
		has '^ +pid [0-9]+: ringside set -B .* -O nooverwrite$' out && has "sched \(all [0-9]+\)  \(pid $(sed -nE 's/.*pid ([0-9]+): ringside start.*/\1/p' out)\)" out &&
		has "nooverwrite  \(pid $(sed -nE 's/.*pid ([0-9]+): ringside set.*/\1/p' out)\)" out && ringside reset -B "$a" || return
	"$RINGSIDE" record -q -B "$a" -e sched sh -c 'echo > begun; exec sleep 300' &
	local pid=$! status
	wait_for test -e begun && ringside stat -B "$a" > out && has "^  recorded by +pid $pid: ringside record" out && has "sched \(all [0-9]+\)  \(pid $pid\)" out
	status=$?
	kill -TERM "$pid"
	wait "$pid"
	is 0 "$status" && no_instances
}
stat_counts() {
	ringside start -B "$buffer" -b 64 -e sched:sched_process_exec sh -c 'for i in 1 2 3 4 5; do /bin/true; done' && ringside stop -B "$buffer" && ringside stat -B "$buffer" > out &&
		is "$(entries "$buffer")" "$(awk '$1 == "all" { print $2 }' out)" && ringside reset -B "$buffer" && [ ! -d "$tracefs/events/raw_syscalls" ] && return
	ringside start -B "$buffer" -b 8 -e raw_syscalls:sys_enter dd if=/dev/zero of=/dev/null bs=1 count=20000 2> /dev/null && ringside stop -B "$buffer" &&
		ringside stat -B "$buffer" > out && is "$(awk '/^overrun:/ { n += $2 } END { print n }' "$tracefs/instances/$buffer"/per_cpu/cpu*/stats)" \
		"$(awk '$1 == "all" { print $4 }' out)" && ringside reset -B "$buffer"
}

# What others would lose through it, they are asked for first.
not_from_a_recording() {
	"$RINGSIDE" record -q -B "$buffer" -e sched sh -c 'echo > begun; exec sleep 300' &
	local pid=$! status=0 command words
	wait_for test -e begun && rm begun
	# Events come behind the instance: before it they would be the top's.
	for command in stop restart clear show:-p snapshot:-s extract:-ox.dat start:-eirq set:-eirq; do
		IFS=: read -ra words <<< "$command"
		said 1 "in use: ringside of pid $pid" "${words[0]}" -B "$buffer" "${words[@]:1}" || status=1
	done
	ringside show -B "$buffer" | has sched_ /dev/stdin || status=1
	kill -TERM "$pid"
	wait "$pid"
	return "$status"
}
not_root_either() {
	cp "$RINGSIDE" ringside && chmod 755 "$tmp" && chmod 777 .
	# shellcheck disable=SC2086 # several words
	for command in stop restart clear show "start -e sched" "set -e sched" extract stat; do
		setpriv --reuid 65534 --regid 65534 --clear-groups ./ringside $command > out 2>&1
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
	if [ -e "$tracefs/buffer_subbuf_size_kb" ]; then
		check "--subbuf-size" larger_subbuffers
	else
		skip "--subbuf-size" "buffer_subbuf_size_kb"
	fi
	check "record -K records what is set, and leaves it" records_as_it_is
	check "show --trigger prints triggers of an event or of several" shows_triggers
	check "one instance that does not exist does not keep the others" goes_on_behind_a_missing_one
	check "an instance that does not exist" nearest_instance
	check "start, and reset of the instance that it made" starts_and_goes
	check "what start has left is not taken for a dead recording's" start_is_not_dead
	check "reset puts back what the first start found" puts_back_what_it_found
	check "reset -B puts back one buffer of a start" reset_of_one_of_two
	check "reset -B of an instance that start made: -b has no effect" reset_of_one_that_start_made_has_no_size
	check "reset --off, reset -d" reset_off_and_delete
	check "set changes what it is told, and nothing else" sets_only_that
	check "set -v -B removes an instance" set_removes
	check "start -d, -D" no_functions
	check "start --verbose, --stderr, -q" levels
	check "start COMMAND, -F, --fork" starts_with_a_command
	check "a start that fails leaves nothing" a_failed_start_leaves_nothing
	check "a start that is killed leaves nothing" a_killed_start_leaves_nothing
	if [ -w "$tracefs/uprobe_events" ]; then
		check "start --probe, and reset takes the probe away" start_with_a_probe
	else
		skip "start --probe" "no uprobe_events"
	fi
	check "extract holds what show prints, and counts what the kernel counts" extracts_what_is_there
	check "extract's file is read by trace-cmd as by report" extracts_as_trace_cmd_reads_it
	check "extract of several instances, --date" extracts_several
	check "extract of an empty buffer into 8 MB" extracts_into_little
	check "control characters in show, on a terminal and not" shows_visibly
	[ ! -d "$tracefs/events/raw_syscalls" ] || {
		check "extract while tracing goes on" extracts_while_it_is_traced
		check "extract says what was lost" says_what_was_lost
	}
	check "extract -p of a latency tracer takes the text, -O" extracts_text
	check "extract: refusals" extract_refusals
	check "stat of an instance in which nothing is set, stat -o" stat_of_nothing_set
	check "stat tells what is set" stat_of_his_settings
	check "stat names the start, set or record that has set it" stat_names_who_it_was
	check "stat counts events and what was overwritten" stat_counts
	check "a recording is not disturbed by stop, restart, clear, show -p, snapshot -s, start, set, extract" not_from_a_recording
	check "the control commands say that they need root" not_root_either
	check "options lists what list -O lists" plugin_options
}
