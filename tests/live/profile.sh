# shellcheck shell=bash disable=SC2154
# record --profile and profile. The top buffer, where function_graph is set as well, is tested in the guest.

profile() { timeout -k 5 60 "$RINGSIDE" profile "$@"; }

# slept FILE: did the task sleep sleep for 0.3 s and not much longer, with the stack of nanosleep?
slept() {
	awk '/task: / { of = $0 ~ /task: sleep-/ } of && /sched_switch:S/ { n++; if ($5 > 290000000 && $5 < 3000000000) good = 1 }
		of && /=> .*nanosleep/ { stack = 1 } END { exit !(n && good && stack) }' "$1" || { echo "no sleep of 0.3 s in $1"; grep -A3 "task: " "$1"; return 1; }
}
records_profile() {
	record -q -B "$buffer" --profile sleep 0.3 && report --profile > out && slept out && has 'Event: sys_enter:230 ' out &&
		has 'Event: sched_wakeup:' out && report --event 'irq:*' > irq && has 'softirq_raise' irq &&
		record -q -B "$buffer" --profile -S -e sched_switch sleep 0.3 && report > out && has 'sched_switch' out && hasnt 'sys_enter|kernel_stack' out || return
	record -S true 2> err
	is 2 $? && has 'for --profile' err
}
# The file says so to whoever reads it.
records_hooks() {
	local hook=timer:hrtimer_expire_entry,hrtimer/hrtimer_expire_exit,hrtimer,sp
	record -q -B "$buffer" -H "$hook" sleep 0.3 && report > plain && has 'hrtimer_expire_exit' plain && has 'kernel_stack' plain &&
		report --profile > out && has 'Event: hrtimer_expire_entry:0x[0-9a-f]+ \([0-9]+\) Total: ' out || return
	record -B "$buffer" -H timer:hrtimer_expire_entry,hrtimer true 2> err
	is 2 $? && has 'FIELD' err && [ ! -d "$tracefs/instances/$buffer" ]
}
profiles() {
	profile -q -B "$buffer" -p nop -o out sh -c 'sleep 0.3; echo said; exit 7' > said
	is 7 $? && is said "$(cat said)" && slept out && mkdir there &&
		profile -q -B "$buffer" --temp there --stderr sh -c 'ls there > during; echo said' > said 2> err && has "task: " err && is said "$(cat said)" &&
		has 'ringside-profile' during && is '' "$(ls there)" && profile -q -B "$buffer" -G sleep 0.3 > out && has "Global CPU.[0-9]+. Events" out &&
		profile -q -B "$buffer" -S -H timer:hrtimer_expire_entry,hrtimer/hrtimer_expire_exit,hrtimer,p sleep 0.3 > out &&
		has 'hrtimer_expire_entry:0x[0-9a-f]+ .*Total' out && hasnt 'sched_switch' out || return
	profile -B "$buffer" --verbose=loud true 2> err
	is 2 $? && has 'none, crit' err
}
profile_all() {
	check "record --profile, -S" records_profile
	check "record -H" records_hooks
	check "profile" profiles
}
