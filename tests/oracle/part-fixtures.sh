# shellcheck shell=bash disable=SC2154
# Files that trace-cmd recorded: both programs print the same, with any options.
for file in "$data"/*.dat; do
	same "$(basename "$file"): report" "$file"
done
while read -r name options; do
	# shellcheck disable=SC2086
	same "$name: report $options" $options "$data/$name.dat"
done <<'END'
events -t
events --ts-diff
events -t --ts-diff
events --raw-ts
events --nodate
events --cpu 1
events -R
events -l
events -F sched
events -F sched_switch:prev_pid<20
events -F irq.*
events -F sched/sched_switch,irq
events -F sched_switch,kmalloc:(common_pid>100&&!(CPU==0))||common_pid==15
events -F .*:COMM=="sh"
events -F .*:CPU==1&&common_pid!=0
events -F sys_enter:(id==1||id==3)&&common_flags!=1
events -F sched_switch -v -F .*:common_pid==0
events -v -F sched
events -N
openat2 -t
openat2 -R
openat2 -l
openat2 --cpu 0
openat2 -O fgraph:tailprint
openat2 -O fgraph:depth
openat2 -N
openat2 --ts-diff
openat2 -F funcgraph_entry:depth<2
function-stacks -O parent
function-stacks -O ftrace:offset
function-stacks -N
function-stacks -F sched_switch
instances -t
instances -R
instances --ts-diff
kprobes -R
kprobes -F open
kprobes -F open:file=~"lib"
marker -R
marker -t
marker -N
syscalls-v6 -R
syscalls-v6 --raw-ts
syscalls-v6 --stat
syscalls-v6 -w
events -w
events -w -l
events -w -F sched_switch:next_pid==15 -F sched_wakeup:pid==15
instances -w
syscalls-v6 -l -t
END
# ringside lists ftrace's own events as well, and sorts them.
comm -23 <(trace-cmd report --events "$data/syscalls-v6.dat" 2>/dev/null | sort -u) \
	<(ringside report --events "$data/syscalls-v6.dat" | sort -u) | nothing "syscalls-v6: report --events"
# Of a stack that is shorter than the format's array trace-cmd prints what comes behind the record as well.
recorded() { # what belongs to the record: 8 bytes for each of .size callers
	awk '!/kernel_stack:/ { print; next }
		{ match($0, /size=[0-9]+/); n = substr($0, RSTART + 5, RLENGTH - 5) * 8; split($0, part, /ARRAY\[|\]$/); count = split(part[2], byte, /, /)
		  printf "%sARRAY[", part[1]; for (i = 1; i <= n && i <= count; i++) printf "%s%s", (i > 1 ? ", " : ""), byte[i]; print "]" }'
}
diff <(theirs -R "$data/function-stacks.dat" | recorded) <(ours -R "$data/function-stacks.dat" | recorded) |
	nothing "function-stacks: report -R"
# Stacks go with their event. trace-cmd prints all stacks of a CPU once it has printed one of its events.
diff <(trace-cmd report -F function "$data/function-stacks.dat" 2>/dev/null | grep function:) \
	<(ringside report -F function "$data/function-stacks.dat" | tests/oracle/normalise ringside | tail -n +2) |
	nothing "function-stacks: report -F function"
# trace-cmd applies --cpu to the top buffer only, in which this file has nothing.
trace-cmd report "$data/instances.dat" 2>/dev/null | grep -v ' \[001\] ' | tests/oracle/normalise trace-cmd >"$tmp/theirs"
ours --cpu 0 "$data/instances.dat" >"$tmp/ours"
agree "instances: report --cpu 0"
# Several files: their names, their offsets. Of the first file trace-cmd ignores --ts-offset.
same "three files" -i "$data/marker.dat" -i "$data/kprobes.dat" -i "$data/openat2.dat"
same "two files, the second shifted" -i "$data/marker.dat" -i "$data/kprobes.dat" --ts-offset 1000000000
same "two files of different versions" -i "$data/syscalls-v6.dat" -i "$data/openat2.dat"
