# shellcheck shell=bash disable=SC2154
# report --profile: what both programs pair alike. Idle tasks are one for each CPU in ours; waking and leaving the CPU is paired
# differently, and times of calls are those that the kernel has measured.
pairs() { # pairs NAME REGEX ARGUMENT...
	local events=$2
	diff <(trace-cmd report --profile "${@:3}" 2>/dev/null | of_tasks "$events") <(ringside report --profile "${@:3}" | of_tasks "$events") |
		nothing "$1"
	trace-cmd report --profile "${@:3}" 2>/dev/null | of_tasks "$events" | grep -q . || echo "trace-cmd tells nothing" | not_ok "$1: any"
}
# The numbers of interrupts are hexadecimal in trace-cmd's; func: without times.
of_tasks() {
	awk -v events="$1" '/^(task|group): / { task = $2 }
		$0 ~ "Event: (" events ")" && task !~ /^swapper/ {
			sub(/irq_handler_entry:0x19 /, "irq_handler_entry:25 ")
			if (/Event: func: /) sub(/ Total: .*/, "")
			print task, $0 }' | sort
}
pairs "events: report --profile" 'sys_enter|softirq|irq_handler' "$data/events.dat"
pairs "events: report --profile --by-comm" sys_enter --by-comm "$data/events.dat"
pairs "openat2: report --profile" func: "$data/openat2.dat"
