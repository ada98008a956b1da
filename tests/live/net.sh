# shellcheck shell=bash disable=SC2154
# Recorders and listeners on this machine: what arrives is what was recorded.

# theirs ARG...: trace-cmd in a mount namespace in which the instance $buffer stands in the place of the tracing directory, as its -N records in no other; and
# plain files in the place of what this kernel refuses.
theirs() {
	mkdir -p "$tracefs/instances/$buffer"
	env here="$tracefs/instances/$buffer" top="$tracefs" unshare -m bash -c 'for file in /proc/sys/kernel/ftrace_enabled "$here"/set_ftrace_filter "$here"/set_ftrace_notrace \
		"$here"/set_ftrace_pid "$here"/set_graph_function "$here"/set_graph_notrace; do
			[ -e "$file" ] || continue
			copy=$(mktemp) && cat "$file" > "$copy" 2> /dev/null
			mount --bind "$copy" "$file" && rm "$copy"
		done
		mount --rbind "$here" "$top" && exec timeout 60 trace-cmd "$@"' trace-cmd "$@"
}
# Is there all that theirs() needs?
theirs_works() {
	command -v trace-cmd > /dev/null && theirs record -o works.dat -e sched:sched_process_exec true > /dev/null 2>&1
	local status=$?
	rmdir "$tracefs/instances/$buffer" 2> /dev/null
	rm -f works.dat*
	return $status
}

# A listener at a free port: $port, $listener; what it says is in the file listened.
listens() { # listens [OPTION...]
	timeout 60 "$RINGSIDE" listen -p 0 --bind 127.0.0.1 "$@" 2> listened &
	listener=$!
	wait_for grep -q 'listening on port' listened && port=$(sed -n 's/.*listening on port //p' listened)
}
# Waits for a file of it, which becomes received.dat, and ends it.
heard() {
	wait_for grep -q 'kB of events' listened || { cat listened; return 1; }
	kill "$listener" && wait "$listener"
	mv trace.*:*.dat received.dat
}

# Each of the numbers from 1 to 2000 goes into the kernel's buffer once, in its turn; more than fits when it is small.
numbered='i=0; while [ $i -lt 2000 ]; do i=$((i + 1)); echo "number $i" > MARKER; done'

# are_all_there FILE: the numbers that arrived, and those that the marks of losses tell of, are all of them
are_all_there() {
	report -q "$1" > out && awk '/number [0-9]+/ { sub(/.*number /, ""); n = $0 + 0; seen[n]++; count++ } /EVENTS DROPPED/ { lost = 1; match($0, /[0-9]+ EVENTS/); dropped += substr($0, RSTART) + 0 }
		END { for (n in seen) if (seen[n] > 1) { print n, "is there", seen[n], "times"; bad = 1 }; print count + 0, "are there,", dropped + 0, "are said to be lost"; exit bad || count + dropped != 2000 }' out
}

hears_trace_cmd() { # hears_trace_cmd [OPTION...]: of trace-cmd record
	listens && theirs record -N "127.0.0.1:$port" "$@" -e ftrace:nothing_here -i sh -c "${numbered//MARKER/"$tracefs/trace_marker"}" > said 2>&1 || { cat said; return 1; }
	rmdir "$tracefs/instances/$buffer"
	heard && are_all_there received.dat && trace-cmd report received.dat 2> /dev/null | is 2000 "$(grep -c 'number [0-9]*$' /dev/stdin)"
}

net_all() {
	if theirs_works; then
		check "listen takes what trace-cmd record -N sends" hears_trace_cmd -t
		check "listen takes what trace-cmd record -N sends, by UDP" hears_trace_cmd
	else
		skip "listen takes what trace-cmd record -N sends" "no trace-cmd that records in an instance"
	fi
}
