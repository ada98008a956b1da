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
		mount --rbind "$here" "$top" && exec timeout 300 trace-cmd "$@"' trace-cmd "$@"
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
	timeout 300 "$RINGSIDE" listen -p 0 --bind 127.0.0.1 "$@" > /dev/null 2> listened &
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

# held WHOSE: the same while those who record, children of WHOSE, stand still: some are lost when the buffer is small.
held() { printf '%s' "others=\$(pgrep -P \"$1\" | grep -vx \$\$); kill -STOP \$others; $numbered; kill -CONT \$others"; }

# are_all_there FILE: the numbers that arrived, and those that the marks of losses tell of, are all of them. With marks=1 there is one mark more, "begins", which is
# lost when it did not arrive.
are_all_there() {
	report -q "$1" > out && awk -v more="${marks:-0}" '/begins/ { more = 0 } /number [0-9]+/ { sub(/.*number /, ""); n = $0 + 0; seen[n]++; count++ } /EVENTS DROPPED/ { lost = 1; match($0, /[0-9]+ EVENTS/); dropped += substr($0, RSTART) + 0 }
		END { for (n in seen) if (seen[n] > 1) { print n, "is there", seen[n], "times"; bad = 1 }; print count + 0, "are there,", dropped + 0, "are said to be lost"; exit bad || count + dropped != 2000 + more }' out
}

sent_by_trace_cmd() { # sent_by_trace_cmd [OPTION...]: of trace-cmd record
	listens && theirs record -N "127.0.0.1:$port" "$@" -e ftrace:nothing_here -i sh -c "${numbered//MARKER/"$tracefs/trace_marker"}" > said 2>&1 || { cat said; return 1; }
	rmdir "$tracefs/instances/$buffer"
	heard && are_all_there received.dat && is "$(grep -c 'number [0-9]*$' out)" "$(trace-cmd report received.dat 2> /dev/null | grep -c 'number [0-9]*$')"
}
hears_trace_cmd() { sent_by_trace_cmd "$@" && hasnt 'EVENTS DROPPED' out; }
hears_trace_cmd_losing() { numbered=$(held '$PPID') sent_by_trace_cmd -t -b 8 && has 'EVENTS DROPPED' out; }

# sends [OPTION...]: our record sends the numbers to $port
sends() {
	record -q -B "$buffer" -p nop -N "127.0.0.1:$port" "$@" sh -c "${numbered//MARKER/"$tracefs/instances/$buffer/trace_marker"}" && [ ! -e trace.dat ] && [ ! -e trace.dat.spool ]
}
all_sent_arrive() { # all_sent_arrive [OPTION...]
	listens && sends "$@" && heard && are_all_there received.dat && has ' sh-[0-9]+ ' out && "$RINGSIDE" dump --validate received.dat > said && rm said out received.dat listened && left
}
theirs_is_whole() { "$RINGSIDE" dump --validate theirs/*.dat > /dev/null 2>&1; }
arrive_at_trace_cmd() { # arrive_at_trace_cmd [OPTION...]
	local free pid
	listens && free=$port && kill "$listener" && wait "$listener"
	mkdir theirs && { timeout 300 trace-cmd listen -p "$free" -d "$PWD/theirs" > heard 2>&1 & } && pid=$! && port=$free
	wait_for sends "$@" 2> said || { cat said heard; return 1; }
	wait_for theirs_is_whole
	kill "$pid"
	are_all_there theirs/*.dat && has ' sh-[0-9]+ ' out
}
arrive_at_trace_cmd_losing() { arrive_at_trace_cmd -b 8 -s 3000000 && has 'EVENTS DROPPED' out; }
# The listener ends while it records: each side keeps what it has, in one sentence.
listener_goes() {
	listens || return
	record -q -B "$buffer" -p nop -N "127.0.0.1:$port" sh -c "echo before > $tracefs/instances/$buffer/trace_marker; touch begun; exec sleep 500 > /dev/null 2>&1" 2> err &
	local pid=$! spool
	wait_for test -e begun && wait_for has_data && kill "$listener" && wait "$listener"
	wait "$pid"
	is 1 $? && is 1 "$(grep -c 'listener has gone' err)" && has 'the part that the listener has not received is in trace.dat' err && has 'was ended while it recorded' listened && report -q > /dev/null &&
		spool=$(echo trace.*:*.spool) && hasnt truncated listened && "$RINGSIDE" restore -q -o again.dat "$spool" && report -q again.dat > out && has 'before' out
}
# More than sockets hold, and a listener that takes nothing for a while: the spools keep it, and what was sent is what was recorded. On a busy machine the
# kernel's buffer may overrun, which is no line of an event.
listener_pauses() {
	listens || return
	record -B "$buffer" -b 8000 -e raw_syscalls -N "127.0.0.1:$port" sh -c 'touch begun; exec dd if=/dev/zero of=/dev/null bs=1 count=100000' 2> err &
	local pid=$! server
	wait_for test -e begun && server=$(pgrep -P "$(pgrep -P "$listener" | head -n 1)") && kill -STOP "$server" && sleep 1 && kill -CONT "$server"
	wait "$pid" && heard && "$RINGSIDE" dump --validate received.dat > said && report -q received.dat > out || { cat err; return 1; }
	is "$(awk -v buffer="$buffer" '$1 == buffer { n = $3 } $1 == "all" { n = $2 } END { print n }' err)" "$(grep -vcE '^cpus=|EVENTS DROPPED' out)"
}
has_data() { find . -name 'cpu[0-9]*' -path './trace.*:*' -size +0 | grep -q .; }
no_listener() {
	refused 1 'cannot connect to 127.0.0.1, port 1: .*ringside listen' -B "$buffer" -N 127.0.0.1:1 -e sched true &&
		refused 1 'say HOST:PORT' -B "$buffer" -N host -e sched true && refused 2 '-N sends one buffer' -N 127.0.0.1:1 -B "$buffer" -e sched -B "$buffer"2 -e irq true &&
		refused 2 'choose one' -B "$buffer" -N 127.0.0.1:1 -o - -e sched true
}

net_all() {
	check "record -N to ringside listen: all arrive" all_sent_arrive
	check "record -N to ringside listen, with losses" all_sent_arrive -b 8 -s 3000000
	check "record -N: the listener goes away" listener_goes
	[ ! -d "$tracefs/events/raw_syscalls" ] || check "record -N: a listener that pauses" listener_pauses
	check "record -N where nobody listens, and what it does not go with" no_listener
	if command -v trace-cmd > /dev/null; then
		check "record -N to trace-cmd listen: all arrive" arrive_at_trace_cmd
		check "record -N to trace-cmd listen, with losses" arrive_at_trace_cmd_losing
	else
		skip "record -N to trace-cmd listen: all arrive" "no trace-cmd"
	fi
	if theirs_works; then
		check "listen takes what trace-cmd record -N sends" hears_trace_cmd -t
		check "listen takes what trace-cmd record -N sends, by UDP" hears_trace_cmd
		check "listen takes what trace-cmd record -N sends, with losses" hears_trace_cmd_losing
	else
		skip "listen takes what trace-cmd record -N sends" "no trace-cmd that records in an instance"
	fi
}
