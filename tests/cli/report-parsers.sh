# What scripts take report's lines apart with, each formulated anew: trappy and LISA, WA and devlib, mmtests, gpuvis' text lines.
# All lines of records match each, and what is taken out of them comes to the same.
cd "$DATA" || exit
records() { ringside report "$@" | sed 1d | grep -vE '^(=> |CPU:)|^$'; }
task='^ *(?<comm>[^ ].{0,32}?)-(?<pid>[0-9]+) +'
wa="$task"'\[(?<cpu>[0-9]+)\] +(?<ts>[0-9]+\.[0-9]+): +(?<event>[^ :]+): +(?<body>.*)'
trappy="$task"'(\( *[-0-9]+\) +)?\[(?<cpu>[0-9]+)\]( +[^ ]{4,7})? +(?<ts>[0-9]+(\.[0-9]+)?): (?<event>\w+): *(?<data>.*)'
gpuvis="$task"'\[(?<cpu>[0-9]{3})\]( [^ ]{5,7})? +(?<sec>[0-9]+)\.(?<usec>[0-9]{6,9}): (?<event>\S+):'
# Of mmtests and of the kernel's own scripts in Documentation/trace/postprocess: without flags, and with them and the letters that were added since.
mmtests='(?<who>[-A-Za-z0-9]*)\s*\[(?<cpu>[0-9]*)\]\s*(?<ts>[0-9.]+):\s*(?<event>[A-Za-z_]+):\s*(?<rest>.*)'
flagged='(?<who>[-A-Za-z0-9]*)\s*\[(?<cpu>[0-9]*)\]\s*(?<flags>[bBDdX.][BNnp.][Hhs.][.0-9a-fA-F]*)?\s*(?<ts>[0-9.]+):\s*(?<event>[A-Za-z_]+):\s*(?<rest>.*)'
for file in events.dat openat2.dat; do
	lines=$(records "$file" | wc -l)
	for parser in "--no-flags $wa" "--no-flags $trappy" " $trappy" "--no-flags $gpuvis" " $gpuvis" "--no-flags $mmtests" "--no-flags $flagged" " $flagged"; do
		flags=${parser%% *}
		# shellcheck disable=SC2086 # one option or none
		[ "$(records $flags "$file" | grep -cP -- "${parser#* }")" = "$lines" ] || echo "$file, $flags: not all lines match ${parser#* }"
	done
done
# WA's form does not know the flags of trace-cmd 3.3: --no-flags is for it.
records events.dat | grep -cP -- "$wa"
# What comes out of a line: comm, pid, CPU, time, event, and the fields of sched_switch in trappy's and in the kernel's form.
records --no-flags events.dat | grep -P ': sched_switch:' | head -2 | sed -E 's/^ *(.+)-([0-9]+) +\[([0-9]+)\] +([0-9.]+): ([a-z_]+): +(.*)$/\1|\2|\3|\4|\5|\6/'
records --no-flags -R events.dat | grep -P ': sched_switch:' | head -1 | grep -oE '(prev_pid|next_pid|prev_state)=[^ ]+'
ringside report events.dat | head -1 | grep -cP '^cpus=[0-9]+$'
