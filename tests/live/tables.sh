# shellcheck shell=bash
# Live tests of tables that are shown while it happens: funcs --live, graph --live; tests/live/suite sources this.

live_table() { timeout -k 5 300 "$RINGSIDE" "$@"; }

# What dd does is known to the call: as many reads and writes as blocks, and a few that its start takes.
counts_live() {
	live_table funcs --live -q -B "$buffer" -e raw_syscalls -F --csv --columns function,calls dd if=/dev/zero of=/dev/null bs=1 count=5000 > out 2> err &&
		has '^write,500[0-9].?$' out && has '^read,50[01][0-9].?$' out && is 'function,calls' "$(head -n 1 out | tr -d '\r')" || { cat err; return 1; }
	live_table graph --live -q -B "$buffer" -e raw_syscalls -F --match write --json --columns function,calls dd if=/dev/zero of=/dev/null bs=1 count=500 > out 2> err &&
		has '"function": "write", "calls": 50[0-9]}' out && is 1 "$(grep -c '"calls"' out)" && rm out err && left
}
# Without a terminal only the last state is printed, at a signal too; the status is the command's.
ends_live() {
	local pid
	env --default-signal=INT "$RINGSIDE" funcs --live -q -B "$buffer" -e raw_syscalls --match nanosleep,clock_nanosleep,read > out 2> err &
	pid=$!
	wait_for is_armed "$buffer" && dd if=/dev/zero of=/dev/null bs=1 count=1000 2> /dev/null
	sleep 1.2
	kill -INT "$pid"
	wait "$pid"
	is 0 $? && is 1 "$(grep -c FUNCTION out)" && has '^read ' out && ! grep -q $'\033' out || return
	live_table funcs --live -q -B "$buffer" -e raw_syscalls -F sh -c 'exit 7' > out 2> err
	is 7 $? && live_table funcs --live -B "$buffer" -e raw_syscalls -F --match nosuch true > out 2> err
	is 1 $? && has "no call of 'nosuch'" err && live_table graph --live -e raw_syscalls --callers true > out 2> err
	is 2 $? && has 'of which function' err && live_table funcs true --live > out 2> err
	is 2 $? && has "in front of the command, and 'true' is taken for .*; with --live, functions are named by --match" err &&
		live_table funcs --columns --live > out 2> err
	is 2 $? && has '--live was taken for the value of the option in front of it' err || return
	live_table graph --live -B "$buffer" -e raw_syscalls nosuchcommand > out 2> err
	is 127 $? && has "^ringside: 'nosuchcommand' was taken for the command; with --live, functions are named by --match$" err && rm out err && left
}
# What the kernel counts as lost, or read, is what is said.
loses_live() {
	local dir=$tracefs/instances/$buffer lost events
	mkdir "$dir" && live_table funcs --live -k -B "$buffer" -b 64 -e raw_syscalls --json --columns function,calls \
		dd if=/dev/zero of=/dev/null bs=1 count=300000 > out 2> err || { cat err; return 1; }
	lost=$(cat "$dir"/per_cpu/cpu*/stats | awk '/^(overrun|commit overrun|dropped events):/ { n += $NF } END { print n }')
	events=$(cat "$dir"/per_cpu/cpu*/stats | awk '/^(entries|read events):/ { n += $NF } END { print n }')
	rmdir "$dir"
	echo "kept $events, lost $lost"
	if [ "$lost" -gt 0 ]; then has "$lost of $((events + lost)) events were lost" err || return; else hasnt 'events were lost' err || return; fi
	rm out err && left
}
# On a terminal it is drawn in place on a screen of its own; q ends it, and the last state stays.
draws_live() {
	mkfifo keys && mkfifo screen
	TERM=xterm script -qec "stty rows 20 cols 150; '$RINGSIDE' funcs --live -q -B '$buffer' -e raw_syscalls" /dev/null < keys > screen &
	local pid=$!
	exec 7> keys
	cat screen > out &
	wait_for grep -q 'q or Ctrl-C ends it' out && printf q >&7
	SECONDS=0
	wait "$pid"
	exec 7>&-
	[ "$SECONDS" -lt 200 ] && wait && has $'\033\\[\\?1049h\033\\[H' out && is 1 "$(grep -c $'\033\\[?1049l' out)" &&
		sed $'1,/\033\\[?1049l/!d; s/.*\033\\[?1049l/left/' out | has_ left && rm out keys screen && left
}
# On 80 and on 50 columns each row is a line, names are whole, the first line stays, and long notes take several lines. (see, screen and keys are in top.sh.) How
# many columns have room depends on the tasks' names, ids and times; on 50 columns the note's first line has room for one name.
rows_are_lines() {
	screen && awk 'NR == 1 && !/^ringside: [0-9]+ s, [0-9]+ events, [0-9]+ lost; / { exit } /^\.\.\./ { exit } head { n++; if (!/^[^ ].* [0-9]+( +[0-9.-]+)+$/) { n = 0; exit } } /^COMM +PID +RUN / { head = 1 }
		END { exit n < 2 }' screen
}
fits_live() {
	local status
	TERM=xterm tmux -L "$buffer" -f /dev/null new-session -d -s top -x 80 -y 24 "LC_ALL=C.UTF-8 '$RINGSIDE' sched --live -q -B '$buffer' -e sched_switch -e sched_waking" &&
		see '^ringside: [0-9]+ s, [0-9]+ events, [0-9]+ lost; q or Ctrl-C ends it$' && see '^\.\.\. and columns that have no room: .*, max, ts$' && wait_for rows_are_lines &&
		tmux -L "$buffer" resize-window -t top -x 50 -y 24 && see '^\.\.\. and columns that have no room: [a-z]+,$' && wait_for rows_are_lines && keys q && wait_for no_top
	status=$?
	tmux -L "$buffer" kill-server 2> /dev/null
	rm -f screen
	left && return $status
}
# The line that record shows while it records takes one line of 40 columns: a line that wraps would not be overwritten.
fits_record() {
	TERM=xterm script -qec "stty rows 20 cols 40; '$RINGSIDE' record -B '$buffer' -e sched_process_exec --duration 2.5" /dev/null > out < /dev/null
	is 0 $? && tr '\r' '\n' < out | sed -n $'s/^\033\\[K\\( *[0-9.]* s .*\\)/\\1/p' > lines && has '^[0-9.]+ s [0-9]+ events !?[0-9]+ lost$' lines &&
		! grep -E '^.{40}' lines && rm out lines trace.dat && left
}
has_() { grep -q -e "$1"; }
tables_all() {
	check "funcs --live, graph --live: calls are counted" counts_live
	check "funcs --live: without a terminal the last state" ends_live
	check "funcs --live: what was lost" loses_live
	if command -v script > /dev/null; then
		check "funcs --live on a terminal" draws_live
		check "record: its line on a narrow terminal" fits_record
	else
		skip "funcs --live on a terminal" "no script(1)"
		skip "record: its line on a narrow terminal" "no script(1)"
	fi
	if command -v tmux > /dev/null; then
		check "sched --live: a narrow screen" fits_live
	else
		skip "sched --live: a narrow screen" "no tmux"
	fi
}
