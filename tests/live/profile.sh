# shellcheck shell=bash disable=SC2154
# record --profile and profile. The top buffer, where function_graph is set as well, is tested in the guest.

profile() { timeout -k 5 300 "$RINGSIDE" profile "$@"; }

# slept FILE: did a task sleep for 0.3 s and not much longer, with the stack of nanosleep? By the time, not by its name: on a busy machine
# the kernel may remember the one from before its exec.
slept() {
	awk '/task: / { long = 0 } /sched_switch:S/ { long = $5 > 290000000 && $5 < 30000000000 } long && /nanosleep \(0x/ { good = 1 }
		END { exit !good }' "$1" || { echo "no sleep of 0.3 s in $1"; grep -A3 "task: " "$1"; return 1; }
}
# While no CPU is idle: some kernels leave out switches from the idle task for which a stack is asked. Each CPU has a loop of its own, as loops
# that may move leave a CPU idle for a moment now and then, and it is to such a CPU that the kernel wakes a task.
while_busy() {
	local loops=() status cpu running
	mkfifo running && exec {running}<> running && rm running || return
	for cpu in $(seq 0 $(($(nproc --all) - 1))); do
		taskset -c "$cpu" true 2> /dev/null || continue
		taskset -c "$cpu" nice -n 19 sh -c 'echo; while :; do :; done' >&"$running" {running}>&- &
		loops+=($!)
	done
	for cpu in "${loops[@]}"; do read -r -u "$running"; done
	exec {running}>&-
	"$@"
	status=$?
	kill "${loops[@]}"
	wait "${loops[@]}" 2> /dev/null
	return "$status"
}
records_profile() {
	while_busy record -q -B "$buffer" -b 16384 --profile --by-comm sleep 0.3 && report --profile > out && slept out && has 'Event: sys_enter:230 ' out &&
		has 'Event: sched_wakeup:' out && report --only-event 'irq:*' > irq && has 'softirq_raise' irq &&
		record -q -B "$buffer" --profile -S -e sched_switch sleep 0.3 && report > out && has 'sched_switch' out && hasnt 'sys_enter|kernel_stack' out || return
	record -S true 2> err
	is 2 $? && has 'for --profile' err
}
# The file says so to whoever reads it.
records_hooks() {
	local hook=timer:hrtimer_expire_entry,hrtimer/hrtimer_expire_exit,hrtimer,sp
	# A timer that finds a CPU idle has no stack: one that is busy is wanted.
	record -q -B "$buffer" -H "$hook" sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done' && report > plain && has 'hrtimer_expire_exit' plain && has 'kernel_stack' plain &&
		report --profile > out && has 'Event: hrtimer_expire_entry:0x[0-9a-f]+ \([0-9]+\) Total: ' out || return
	record -B "$buffer" -H timer:hrtimer_expire_entry,hrtimer true 2> err
	is 2 $? && has 'FIELD' err && [ ! -d "$tracefs/instances/$buffer" ]
}
# Each is taken, and nothing but the profile comes out; what shapes a file shapes none.
profiles_with_all() {
	record_profile_with() {
		timeout -k 5 300 "$RINGSIDE" profile "$@" > out 2> err || { cat err; return 1; }
		has 'task: |^cpus=' out
	}
	record_profile_with -B "$buffer" -S -e sched:sched_switch -a -s 1000 -r 5 -m 4096 --date -T -O sym-offset -b 512 -M -1 -i -e nosuch:event sh -c true &&
		record_profile_with -q -B "$buffer" -S -e sched:sched_switch -f 'prev_pid > 0' -v -e sched:sched_waking -F -c --ts-offset 5 --poll --no-filter --temp . sh -c true &&
		record_profile_with -B "$buffer" -S -e sched:sched_switch -R 'traceon if prev_pid < 0' -P $$ -C mono --user root sh -c true && rm -f out err && left
}
# For who works on trace-cmd's ways to guests.
debug_without_effect() {
	record -q -B "$buffer" -e sched:sched_process_exec --debug --notimeout --nofifos true && report > out && has 'sched_process_exec: .*/true' out &&
		"$RINGSIDE" stream -q -B "$buffer" -e sched:sched_process_exec --debug true > out && has 'sched_process_exec: .*/true' out
}
profiles() {
	while_busy profile -q -B "$buffer" -b 16384 -p nop -o out sh -c 'sleep 0.3; echo said; exit 7' > said
	is 7 $? && is said "$(cat said)" && slept out && mkdir there &&
		profile -q -B "$buffer" --temp there --stderr sh -c 'ls there > during; echo said' > said 2> err && has "task: " err && is said "$(cat said)" &&
		has 'ringside-profile' during && is '' "$(ls there)" && profile -q -B "$buffer" -G sleep 0.3 > out && has "Global CPU.[0-9]+. Events" out &&
		profile -q -B "$buffer" --by-comm sh -c 'sleep 0.1; sleep 0.1' > out && has 'group: (sleep|sh)$' out && is '' "$(grep 'group: ' out | sort | uniq -d)" &&
		hasnt 'task: s' out &&
		profile -q -B "$buffer" -S -H timer:hrtimer_expire_entry,hrtimer/hrtimer_expire_exit,hrtimer,p sleep 0.3 > out &&
		has 'hrtimer_expire_entry:0x[0-9a-f]+ .*Total' out && hasnt 'sched_switch' out || return
	profile -B "$buffer" --verbose=loud true 2> err
	is 2 $? && has 'none, crit' err
}
# Waits for a CPU, also of a task with a real-time priority: what trace-cmd makes of the same file.
waits() {
	local rt=(chrt -f 10) file
	chrt -f 10 true 2> /dev/null || rt=()
	while_busy record -q -B "$buffer" -b 16384 -e sched_switch -e 'sched_wakeup*' "${rt[@]}" sh -c 'for i in 1 2 3 4 5; do sleep 0.01; done' && report -w > out &&
		hasnt DROPPED out && has 'sched_switch: .* Latency: [0-9]+[.][0-9]{3} usecs$' out && has '^Maximum Latency: ' out || return
	[ ${#rt[@]} = 0 ] || has '^RT task timings:' out || return
	! command -v trace-cmd > /dev/null ||
		diff <(trace-cmd report -w 2> /dev/null | grep -oE '[0-9.]+: sched_switch: .*|^(Average|Maximum|Minimum|RT).*') \
			<(grep -oE '[0-9.]+: sched_switch: .*|^(Average|Maximum|Minimum|RT).*' out) || return
	# sched_waking alone does as well.
	while_busy record -q -B "$buffer" -e sched_switch -e sched_waking sleep 0.01 && report -w > out && has 'sched_switch: .* Latency: ' out || return
	record -q -B "$buffer" -e sched_switch sleep 0.01 && report -w > out 2> err && has 'describes no wakeups' err && hasnt Latency out || return
	report -w --tree 2> err
	is 2 $? && has '^ringside report: -w is about' err
}
profile_all() {
	check "report -w" waits
	check "record --profile, -S" records_profile
	check "record -H" records_hooks
	check "profile" profiles
	check "profile takes record's options" profiles_with_all
	check "options without effect" debug_without_effect
}
