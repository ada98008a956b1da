# shellcheck shell=bash disable=SC2154
# record --hosts: "hosts" that are this kernel, each in an instance of its own, reached by a shell that is a local one.

# The shell: it is called with a host's name and a command line.
hosts_shell() {
	printf '#!/bin/sh\nPATH=%s:$PATH exec sh -c "$2"\n' "$(dirname "$RINGSIDE")" > shell && chmod +x shell
}
# A program that nobody else on this machine starts.
hosts_program() { cp /bin/true "only-$buffer"; }
# hosts_begin HOST,... [OPTION...]: in the background until hosts_end(); returns when all of them record
hosts_begin() {
	local hosts=$1 host
	shift
	hosts_shell
	"$RINGSIDE" record --hosts "$hosts" --rsh "$PWD/shell" -B "$buffer-%h" "$@" > said 2>&1 &
	recorder=$!
	for host in ${hosts//,/ }; do
		wait_for is_armed "$buffer-$host" || { cat said; return 1; }
	done
}
hosts_end() { # hosts_end: its status
	kill -INT "$recorder" && wait "$recorder"
}
hosts_error() { # hosts_error FILE: the error of its clock, in us, rounded up
	report --stat "$1" | sed -n 's/^clock: .* at [0-9]*, error \([0-9]*\) ns.*/\1/p' | awk '{ print int($1 / 1000) + 1 }'
}

# A message that goes to and fro a hundred times: all events that are farther apart than both errors are in their order, and no time is farther off than the error says.
hosts_in_order() {
	local i mark="$tracefs/instances/$buffer"
	hosts_begin there,back -e sched:sched_process_exec -f 'pid == -7' || return
	for ((i = 0; i < 100; i++)); do
		echo "trip $((2 * i))" > "$mark-there/trace_marker"
		echo "trip $((2 * i + 1))" > "$mark-back/trace_marker"
	done
	hosts_end || { cat said; return 1; }
	report -q -i trace-there.dat -i trace-back.dat | sed -n 's/.* \([0-9]*\)\.\([0-9]*\): print: .*trip \([0-9]*\)$/\1\2 \3/p' > out
	awk -v errors="$(($(hosts_error trace-there.dat) + $(hosts_error trace-back.dat)))" '
		{ n++; at[$2] = $1 }
		END { for (i = 1; i < 200; i++) if (at[i - 1] > at[i] + errors) { print i - 1, at[i - 1], i, at[i], errors; bad = 1 } print n, "came"; exit bad || n != 200 }' out || return
	rm said shell out trace-there.dat trace-back.dat
	left
}

# hosts_one_time HOST HOST N: N executions of the program, each seen by both in turn, are at one time as far as the errors say. What comes between the two
# views of one (an interrupt, another virtual machine's turn) only makes the second later: so all may be too far apart on one side only, and not half of them.
hosts_one_time() {
	local host
	for host in "$1" "$2"; do
		report -q "trace-$host.dat" | sed -n 's/.* \([0-9]*\)\.\([0-9]*\): sched_process_exec: .*pid=\([0-9]*\) .*/\3 \1\2/p' | sort > "$host"
	done
	is "$3" "$(grep -c . "$1")" && join "$1" "$2" | awk -v want="$3" -v errors="$(($(hosts_error "trace-$1.dat") + $(hosts_error "trace-$2.dat")))" '
		{ n++; off = $2 - $3; before += off < -errors; after += off > errors; said = said " " off }
		END { print n, "are the same, errors", errors, "us, distances" said; exit (before && after) || 2 * (before + after) >= n || n != want }' && rm "$1" "$2"
}

# The same system calls of one task, seen by both.
hosts_same_events() {
	hosts_program && hosts_begin there,localhost -e sched:sched_process_exec -f "filename == \"./only-$buffer\"" || return
	for _ in {1..50}; do "./only-$buffer"; done
	hosts_end || { cat said; return 1; }
	hosts_one_time there localhost 50 || return
	rm said shell trace-*.dat "only-$buffer"
	left
}

# One of three is killed: the others go on, what it had sent is readable, and one sentence names it.
hosts_one_dies() {
	hosts_program && hosts_begin a,b,c -e sched:sched_process_exec -s 10000 || return
	for _ in {1..20}; do "./only-$buffer"; done
	wait_for eval 'cat trace-b.dat.spool/cpu* | grep -aq "/only-$buffer"' || return
	kill -9 "$(pgrep -fo -- "--wire=b .*$buffer-%h")"
	wait_for grep -q 'b has gone' said
	for _ in {1..20}; do "./only-$buffer"; done
	hosts_end
	is 1 $? && is 1 "$(grep -c 'warning: b has gone while it recorded: .*kept here' said)" || { cat said; return 1; }
	for host in a b c; do "$RINGSIDE" dump --validate trace-$host.dat > out || return; done
	report -q trace-b.dat > out && has "sched_process_exec.*/only-$buffer" out || return
	is 40 "$(report -q trace-a.dat | grep -c "filename=[^ ]*/only-$buffer ")" && "$RINGSIDE" reset --stale > out 2>&1
	rm -rf "$(sed -n 's/.*be there in //p' said)"* said shell out trace-*.dat "only-$buffer"
	wait_for eval '! ls -d "$tracefs/instances/$buffer"* 2> /dev/null' && left
}

# The front is killed: what had come is made a file of, and what was known of the clocks is in it.
hosts_front_dies() {
	local host
	hosts_program && hosts_begin there,back -e sched:sched_process_exec -f "filename == \"./only-$buffer\"" -s 10000 || return
	for _ in {1..20}; do "./only-$buffer"; done
	for host in there back; do
		wait_for eval "[ \$(cat trace-$host.dat.spool/cpu* | grep -aoF ./only-$buffer | wc -l) -eq 20 ] && grep -qx end trace-$host.dat.spool/clocks" || return
	done
	kill -9 "$recorder" && wait "$recorder"
	wait_for eval '! ls -d "$tracefs/instances/$buffer"* 2> /dev/null' || return
	for host in there back; do
		"$RINGSIDE" restore trace-$host.dat.spool > out 2>&1 && [ "$(hosts_error trace-$host.dat)" -ge 1 ] && report --stat trace-$host.dat | grep -qx "Host: $host" || { cat out; return 1; }
	done
	hosts_one_time there back 20 || return
	"$RINGSIDE" reset --stale > out 2>&1
	rm -rf "$(sed -n 's/.*be there in //p' said)"* said shell out trace-*.dat "only-$buffer"
	left
}

# A command runs on each, its status is ours; and one that cannot record says why.
hosts_commands() {
	hosts_shell
	record --hosts a,b --rsh "$PWD/shell" -B "$buffer-%h" -e sched:sched_process_exec sh -c 'echo here; exit 7' > said 2>&1
	is 7 $? && is 2 "$(grep -c '^[ab]: here$' said)" || { cat said; return 1; }
	record --hosts a,b --rsh "$PWD/shell" -B "$buffer-%h" -e sched:no_such_event true > said 2>&1
	is 1 $? && is 2 "$(grep -c 'warning: [ab] is not recorded: .*no_such_event' said)" && has 'none of the hosts can' said || { cat said; return 1; }
	record --hosts a,localhost --rsh "$PWD/shell" -B "$buffer-%h" -e sched:sched_process_exec no-such-command > said 2>&1
	is 1 $? && is 2 "$(grep -c "is not recorded: there is no command 'no-such-command'" said)" || { cat said; return 1; }
	rm said shell trace-*.dat
	left
}

# Where there is no ringside it is copied, with its libraries, and nothing of that is left; where that cannot be, it is said.
hosts_push() {
	printf '#!/bin/sh\nPATH=/usr/bin:/bin exec sh -c "$2"\n' > shell && chmod +x shell
	TMPDIR=$PWD record --hosts a,b --push --rsh "$PWD/shell" -B "$buffer-%h" -e sched:sched_process_exec true > said 2>&1
	is 0 $? && report -q trace-a.dat | grep -q sched_process_exec && report -q trace-b.dat | grep -q sched_process_exec || { cat said; return 1; }
	printf '#!/bin/sh\nPATH=/nowhere exec /bin/sh -c "$2"\n' > shell
	record --hosts a --push --rsh "$PWD/shell" -B "$buffer-%h" -e sched:sched_process_exec true > said 2>&1
	is 1 $? && has 'cannot be copied there: .*mktemp: not found' said && rm said shell trace-*.dat && left
}

# A host that is reached by a terminal, as by a guest's console: a raw one is as good as a pipe, and another one is refused, as it changes what is sent.
hosts_console() {
	cat > console <<-'END'
	import os, pty, select, subprocess, sys, tty
	ours, theirs = pty.openpty()
	sys.argv[1] == "raw" and tty.setraw(theirs)
	program = subprocess.Popen(["sh", "-c", sys.argv[2]], stdin=theirs, stdout=theirs)
	os.close(theirs)
	try:
	    while True:
	        for fd, to in ((ours, 1), (0, ours)):
	            if select.select([ours, 0], [], [])[0].count(fd):
	                data = os.read(fd, 4096)
	                data or sys.exit(program.wait())
	                while data:
	                    data = data[os.write(to, data):]
	except OSError:
	    sys.exit(program.wait())
	END
	printf '#!/bin/sh\nPATH=%s:$PATH exec python3 %s/console "$@"\n' "$(dirname "$RINGSIDE")" "$PWD" > shell && chmod +x shell
	record --hosts raw --rsh "$PWD/shell" -B "$buffer-%h" -e sched:sched_process_exec true > said 2>&1
	is 0 $? && report -q trace-raw.dat | grep -q sched_process_exec || { cat said; return 1; }
	record --hosts cooked --rsh "$PWD/shell" -B "$buffer-%h" -e sched:sched_process_exec true > said 2>&1
	is 1 $? && has 'cooked is not recorded: .*stty raw -echo' said || { cat said; return 1; }
	rm said shell console trace-*.dat
	left
}

hosts_all() {
	if [ -e "$tracefs/events/sched/sched_process_exec" ]; then
		check "record --hosts: a message to and fro is in order" hosts_in_order
		check "record --hosts: one event at one time in both" hosts_same_events
		check "record --hosts: one is killed" hosts_one_dies
		check "record --hosts: the front is killed" hosts_front_dies
		check "record --hosts: commands, and what cannot be recorded" hosts_commands
		if command -v python3 > /dev/null; then
			check "record --hosts: by a terminal" hosts_console
		else
			skip "record --hosts: by a terminal" "no python3"
		fi
		if (PATH=/usr/bin:/bin && type -P ringside > /dev/null); then
			skip "record --hosts: ringside is copied" "there is a ringside on this machine"
		else
			check "record --hosts: ringside is copied" hosts_push
		fi
	else
		skip "record --hosts" "no scheduler events"
	fi
}
