# shellcheck shell=bash disable=SC2154
# Options of trace-cmd record that no other test of the suite uses.

all_formats() {
	record -q -B "$buffer" -e sched:sched_switch -a true && "$RINGSIDE" dump --systems > out && has '^[[:space:]]+irq [0-9]+ ' out &&
		[ "$(grep -c 'system, events' out)" -gt 10 ] && rm out trace.dat &&
		record -q -B "$buffer" -e sched:sched_switch true && "$RINGSIDE" dump --systems > out && is 1 "$(grep -c 'system, events' out)"
}
ignores_missing() {
	record -q -B "$buffer" -i -e nosuch:event -e sched:sched_switch true && report > out && has 'sched_switch' out &&
		! record -q -B "$buffer" -e nosuch:event -e sched:sched_switch true 2> /dev/null
}
stored_offset() {
	record -q -B "$buffer" -e sched:sched_process_exec --ts-offset 1000000000000000 true && report > out &&
		report --raw-ts > raw && has 'sched_process_exec' raw &&
		awk 'FNR > 1 { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+\.?[0-9]*:$/) { t[FILENAME] = $i + 0; nextfile } }
		     END { exit !(t["out"] > 1000000 && t["out"] > t["raw"]) }' out raw
}
elsewhere() {
	mkdir there && record -q -B "$buffer" --temp there -e sched sh -c 'ls there/trace.dat.spool > during' && has 'cpu[0-9]' during &&
		is '' "$(ls there)" && report > out && has sched_switch out
}
keeps_settings() {
	local dir=$tracefs/instances/$buffer
	mkdir "$dir" && record -q -B "$buffer" -k -C mono -e sched:sched_switch true && has '\[mono\]' "$dir/trace_clock" &&
		is 1 "$(cat "$dir/events/sched/sched_switch/enable")" && is 50 "$(cat "$dir/buffer_percent")" && is '' "$(cat "$dir/set_event_notrace_pid")"
	local status=$?
	"$RINGSIDE" reset -B "$buffer" -d > /dev/null && gone && return "$status"
}
named_output() {
	record -q -B "$buffer" -e sched -o other.dat true && left other.dat && report -q -i other.dat > out && has sched out
}
option_of_an_instance() {
	local dir=$tracefs/instances/$buffer
	mkdir "$dir" && record -q -B "$buffer" -O nooverwrite -O print-parent -e sched sh -c "cat $dir/options/overwrite > during" &&
		is 0 "$(cat during)" && is 1 "$(cat "$dir/options/overwrite")"
	local status=$?
	rmdir "$dir" && return "$status"
}
lists_the_rest() {
	local what
	for what in "-e ^sched:sched_w -l" "-e ^sched:sched_w -R"; do
		# shellcheck disable=SC2086 # several words
		diff <(list $what) <(trace-cmd list $what) || return
	done
	# Ours leaves out the system of the tracers' own records, which cannot be switched on.
	diff <(list -p) <(trace-cmd list -p) && diff <(list -s) <(trace-cmd list -s | grep -vx 'ftrace\|') && list -c | has '^zstd, [0-9]' /dev/stdin && list -P | has '\.so$' /dev/stdin || return
	if grep -qw function "$tracefs/available_tracers"; then
		diff <(list -f vfs_read) <(grep -w vfs_read "$tracefs/available_filter_functions" | cut -d' ' -f1)
	else
		list -f vfs_read 2>&1 | has 'no function tracer|refuses function tracing|not in this kernel' /dev/stdin
	fi
}
doctor() {
	local name
	"$RINGSIDE" doctor > out || return
	for name in function function_graph blk wakeup hwlat; do
		if grep -qw "$name" "$tracefs/available_tracers"; then has "^  $name +yes" out; else has "^  $name +no +needs CONFIG_" out; fi || return
	done
	for name in kprobe_events:kprobe uprobe_events:uprobe snapshot:snapshot options/userstacktrace:user\ stacks; do
		if [ -e "$tracefs/${name%%:*}" ]; then has "^  ${name#*:}.* yes" out; else has "^  ${name#*:}.* no +needs CONFIG_" out; fi || return
	done
	has "^  events +yes +$(wc -l < "$tracefs/available_events")$" out && has '^This user can record here' out &&
		"$RINGSIDE" doctor --json > json && is "$(grep -cE '^  [^ ]' out)" "$(grep -c '"group": ' json)" &&
		has '"group": "access", "name": "tracefs", "there": true, "detail": "/' json && [ "$(head -c 1 json)$(tail -n 1 json)" = '{]}' ] &&
		"$RINGSIDE" doctor --csv > csv && is 'group,name,there,detail,cure,needed' "$(head -n 1 csv)" || return
	! command -v jq > /dev/null || jq -e '.rows | all(.[]; has("there"))' json > /dev/null
}
# What is set, and the buffer of each CPU, in the same columns as JSON and CSV.
stat_as_a_table() {
	local dir=$tracefs/instances/$buffer cpus
	mkdir "$dir" && echo mono > "$dir/trace_clock" && cpus=$(find "$dir/per_cpu" -name 'cpu*' | wc -l) &&
		"$RINGSIDE" stat -B "$buffer" --csv > csv && "$RINGSIDE" stat -B "$buffer" --json > json &&
		"$RINGSIDE" stat -B "$buffer" --columns setting,value > out
	local status=$?
	rmdir "$dir" && is 0 "$status" && has "^SETTING +VALUE$" out && has '^clock +mono$' out && has "^$buffer,clock,mono,,,,,,,," csv &&
		is 'instance,setting,value,pid,command,cpu,events,bytes,size,overwritten,lost' "$(head -n 1 csv)" &&
		is "$cpus" "$(grep -c "^$buffer,cpu,," csv)" && is "$(($(wc -l < csv) - 1))" "$(grep -c '^{"instance": ' json)" &&
		has "\"instance\": \"$buffer\", \"setting\": \"clock\", \"value\": \"mono\"" json
}
doctor_of_a_user() {
	cp "$RINGSIDE" ringside && chmod 755 "$tmp" . && setpriv --reuid 65534 --regid 65534 --clear-groups ./ringside doctor > out 2> /dev/null
	is 1 $? && has '^  root +no +user id 65534; needs sudo, as in `sudo ringside doctor`$' out &&
		has '^  CAP_SYS_ADMIN +no +needs the host, or a container that has this capability$' out && has "^  tracefs +yes +$tracefs$" out &&
		has "^  tracefs can be opened +no +$tracefs: Permission denied; needs sudo, as in " out && has '^  kprobe.* \?' out && has '^This user cannot record here' out
}
checks_events() {
	local n events
	# The formats of the tracers' own records are checked as well.
	n=$(find "$tracefs/events" -mindepth 3 -maxdepth 3 -name format | wc -l)
	"$RINGSIDE" check-events > out 2> err
	is "$?" "$([ -s err ] && echo 22 || echo 0)" && events=$(sed -nE 's/^[0-9]+ of ([0-9]+) events are printed .*/\1/p' out) &&
		[ $((n - events)) -ge -2 ] && [ $((n - events)) -le 2 ] && hasnt '^sched: ' out || return
	"$RINGSIDE" check-events -N --verbose=info > out 2> err
	is "$?" "$([ -s err ] && echo 22 || echo 0)" && has "^sched: $(find "$tracefs/events/sched" -name format | wc -l)$" out || return
	"$RINGSIDE" check-events --verbose=loud 2> err
	is 2 $? && has 'none, crit' err
}
# So few events fill no buffer: they are read because the time has come.
polls() {
	record -q -B "$buffer" -b 65536 -e raw_syscalls --compression none -F -c --poll sh -c 'dd if=/dev/zero of=/dev/null bs=1 count=20000
		until cat trace.dat.spool/cpu* "trace.dat.spool/$1".cpu* 2> /dev/null | wc -c > during; [ "$(cat during)" -gt 100000 ]; do sleep 0.1; done' sh "$buffer" 2> /dev/null
	[ "$(cat during)" -gt 100000 ] && report > out && [ "$(grep -c 'sys_enter: *NR 1 ' out)" -ge 20000 ]
}
# The recording goes on when the command that began it has ended, and a signal to the process of the pid file ends it.
daemonizes() {
	local dir=$tracefs/instances/$buffer pid
	record -q -B "$buffer" -e sched:sched_process_exec --daemonize --pidfile pid > said 2>&1 && pid=$(cat pid) && is '' "$(cat said)" || return
	has '^1$' "$dir/tracing_on" && /bin/true && [ ! -e trace.dat ] && ! record -B other --daemonize --pidfile pid -e sched 2> err &&
		has "process $pid records in the background" err && is 1 "$(wc -l < err)" && [ ! -e "$tracefs/instances/other" ]
	local status=$?
	kill "$pid"
	wait_for gone && wait_for test ! -e pid && is 0 "$status" && report > out && has 'sched_process_exec: .*filename=.*/true' out
}
daemonizes_with_a_command() {
	# A pipe that stayed open in the background would keep the substitution waiting.
	is 'off' "$(record -B "$buffer" -e sched:sched_process_exec --fork --pidfile pid sh -c 'exec > /dev/null; until [ -e go ]; do sleep 0.1; done; exec true' 2> said; echo off)" &&
		has 'recording in the background' said && [ -d "$tracefs/instances/$buffer" ] && touch go && wait_for test -e trace.dat && wait_for test ! -e pid &&
		report > out && has 'sched_process_exec: .*filename=.*/true' out && wait_for gone && rm out go && left said trace.dat
}
daemon_that_cannot() {
	refused 1 'sched_switch' -B "$buffer" --daemonize --pidfile pid -e sched:sched_swich && echo text > notes &&
		! record -B "$buffer" --daemonize --pidfile notes -e sched 2> err && has 'notes is not a file with a process id' err &&
		is text "$(cat notes)" && refused 127 "no command 'nosuchcommand'" -B "$buffer" --daemonize --pidfile pid -e sched nosuchcommand
	rm -f notes err
	left
}
other_machines() {
	refused 1 "^ringside: 'guest:1': say CID:PORT" -V guest:1 -e sched true && refused 2 '^ringside: --proxy host:1: CID:PORT is wanted' --proxy host:1 -e sched true &&
		refused 2 '^ringside: --tsync-interval five: a number of milliseconds is wanted' --tsync-interval five -e sched true &&
		refused 2 '^ringside: --name is the name of the agent of the -A before it' --name guest -e sched true
}
without_effect() {
	local dir=$tracefs/instances/$buffer some=(-a -k -m 1000 -r 5 -s 100 --poll --no-filter --date --tsc2nsec --proc-map --ts-offset 5 --temp /nowhere
		--file-version 6 --compression none)
	mkdir "$dir" && "$RINGSIDE" set -B "$buffer" "${some[@]}" -C mono && has '\[mono\]' "$dir/trace_clock" &&
		"$RINGSIDE" start -B "$buffer" "${some[@]}" -e sched:sched_switch && is 1 "$(cat "$dir/events/sched/sched_switch/enable")"
	local status=$?
	"$RINGSIDE" reset -B "$buffer" -d > /dev/null && gone && return "$status"
}
starts_a_profile() {
	local dir=$tracefs/instances/$buffer
	"$RINGSIDE" start -q -B "$buffer" --profile -G --by-comm && has "^1" "$dir/events/sched/sched_wakeup/enable" && is 1 "$(cat "$dir/events/raw_syscalls/enable")" &&
		has '^stacktrace' "$dir/events/sched/sched_switch/trigger" && "$RINGSIDE" reset -B "$buffer" -d > /dev/null &&
		"$RINGSIDE" start -q -B "$buffer" --profile -S -H sched_waking,pid,prio/sched_switch,next_pid && has "^1" "$dir/events/sched/sched_waking/enable" &&
		is 0 "$(cat "$dir/events/raw_syscalls/enable")"
	local status=$?
	"$RINGSIDE" reset -B "$buffer" -d > /dev/null && gone && is 0 "$status" && ! "$RINGSIDE" start -B "$buffer" -S -e sched 2> err && has '-S is for --profile' err && gone
}
# What scripts write before they record: several events behind one -e, an option with an underscore, processes, what is not to be traced any more.
sets_as_scripts_do() {
	local dir=$tracefs/instances/$buffer
	"$RINGSIDE" start -q -B "$buffer" -e sched_switch,sched_waking -O sym_offset -P 1 && is 'sched:sched_switch sched:sched_waking' "$(paste -sd' ' "$dir/set_event")" &&
		is 1 "$(cat "$dir/options/sym-offset")" && is 1 "$(cat "$dir/set_event_pid")" &&
		"$RINGSIDE" set -B "$buffer" -P "1,$$" && is "1 $$" "$(sort -n "$dir/set_event_pid" | paste -sd' ')" &&
		"$RINGSIDE" stat > out && has '^Instances:' out && has "^ $buffer\$" out &&
		"$RINGSIDE" set -B "$buffer" -v -e sched && is '' "$(cat "$dir/set_event")"
	local status=$?
	"$RINGSIDE" reset -B "$buffer" > /dev/null && gone && return "$status"
}
tells_of_the_wrong_buffer() {
	record -b 100 -T -B "$buffer" -C mono -e sched:sched_switch true 2> err && is 2 "$(grep -c 'in front of the first -B' err)" && has '-b in front' err &&
		has '-O .or -T. in front' err && record -B "$buffer" -b 100 -T -C mono -e sched:sched_switch true 2> err && hasnt 'in front of' err
}
parity_all() {
	check "-e a,b, -O with an underscore, set -P, set -v, and Instances of stat" sets_as_scripts_do
	check "an option in front of the first -B that does nothing there is told of" tells_of_the_wrong_buffer
	check "--duration 0" refused 2 'has to be more than 0' -B "$buffer" -e sched --duration 0
	check "--daemonize" daemonizes
	check "--daemonize with a command, --fork" daemonizes_with_a_command
	check "--daemonize that cannot" daemon_that_cannot
	check "-V, --proxy and the like: what to do instead" other_machines
	check "start and set: what has no effect there" without_effect
	check "start --profile, -H" starts_a_profile
	check "-a saves the formats of all events" all_formats
	check "-i passes over events that are not there" ignores_missing
	check "--ts-offset is added to all times" stored_offset
	check "--temp" elsewhere
	check "-k leaves the settings" keeps_settings
	check "-o" named_output
	check "--poll" polls
	check "--tsc2nsec is for the TSC" refused 1 "the clock 'mono' does not count the TSC" -B "$buffer" -e sched -C mono --tsc2nsec true
	check "-O sets options and puts them back" option_of_an_instance
	check "check-events of this kernel" checks_events
	check "doctor says what there is" doctor
	check "stat as JSON, CSV, columns" stat_as_a_table
	check "doctor of a user who may not trace" doctor_of_a_user
	check "list -l, -R, -s, -f, -P, -c" lists_the_rest
}
