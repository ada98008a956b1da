# shellcheck shell=bash disable=SC2154
# The screen of top, driven in tmux: each step waits until the screen shows what it should.

# On a machine whose tasks make no calls there is nothing to tell: one is there that does.
top_batch() {
	local pid status
	while :; do umask 077; umask 022; sleep 0.05; done &
	pid=$!
	timeout 300 "$RINGSIDE" top --batch 2 -d 1 --csv > out
	status=$?
	kill $pid
	wait $pid 2> /dev/null
	is 0 $status && is 2 "$(grep -c '^syscall,rate,percent,p50_now,p99_now,calls,total,p50,p99$' out)" &&
		has '^[a-z_0-9]+,[0-9.]+,[0-9.]+,' out
}
# As many calls of a command as it makes: the rows of a short one are told at its end.
top_of_a_command() {
	timeout 300 "$RINGSIDE" top --batch 5 -d 20 --csv --columns syscall,calls sh -c 'for i in 1 2 3 4 5 6 7 8 9; do env true; done' > out && awk -F, '$1 == "execve" { n = $2 } END { exit n < 10 }' out
}
# One byte at a time: so many writes, and a few of its report. Whose they are called does not matter.
top_of_latencies() {
	timeout 300 "$RINGSIDE" top --latency syscall:write --batch 3 -d 30 --csv --columns whose,calls,p50,p99 dd if=/dev/zero of=/dev/null bs=1 count=2000 > out 2> err &&
		awk -F, '$2 >= 2000 && $2 <= 2010 && $3 > 0 && $4 >= $3 { found = 1 } END { exit !found }' out || { cat out err; return 1; }
	timeout 300 "$RINGSIDE" top --latency wakeup --batch 1 -d 2 > out && has '^WHOSE +RATE/s +% +NOW P50' out && has '^wakeup, refresh 1 after' out &&
		! "$RINGSIDE" top --latency nosuch --batch 1 2> err && has 'there is wakeup, migrate, syscall' err && ! "$RINGSIDE" top --latency irq --tasks --batch 1 2> err &&
		has 'latency and --tasks do not go together' err && ! "$RINGSIDE" top --latency block -p $$ --batch 1 2> err && has 'may begin and end in different tasks' err
}
# What events cost, where the kernel lets it be measured; of functions that is not known.
top_cost() {
	timeout 300 "$RINGSIDE" top --cost --batch 1 -d 30 --csv --columns syscall,calls dd if=/dev/zero of=/dev/null bs=1 count=2000 > out 2> err &&
		has '^ringside: cost: (an event takes [0-9]+ ns in the kernel, as [0-9]+ system calls show .*; [1-9][0-9]* in [0-9.]+ s are [0-9.]+ % of a CPU|an event takes too little time in the kernel .*)$' err &&
		has '^ringside: cost: ringside itself used [0-9.]+ % of a CPU$' err || { cat err; return 1; }
	timeout 300 "$RINGSIDE" top --cost --batch 1 -d 30 true > out 2> err && { ! grep -q 'an event takes [0-9]' err || has ' of a CPU, the events [0-9.]+ %$' out; } || { cat out err; return 1; }
}
top_refused() {
	local option

	"$RINGSIDE" top > out 2>&1 < /dev/null
	is 2 $? && has 'a screen needs a terminal; --batch N' out || return
	for option in --csv --sort=calls --color=always -n3; do
		"$RINGSIDE" top "$option" > out 2>&1 < /dev/null
		is 2 $? && has 'are for --batch; --by sorts the screen' out || return
	done
}

screen() { tmux -L "$buffer" capture-pane -p -t top > screen 2> /dev/null; }
shows() { screen && grep -qE -e "$1" screen; }
hides() { screen && ! grep -qE -e "$1" screen; }
keys() { tmux -L "$buffer" send-keys -t top "$@"; }
see() { wait_for shows "$1" || { echo "no '$1' on:"; cat screen; return 1; }; }
gone_from_screen() { wait_for hides "$1" || { echo "still '$1' on:"; cat screen; return 1; }; }
# top_steps PID: a task that calls umask all the time, as hardly any other does
top_steps() {
	see '^ringside top: syscall, [0-9]+ s, [0-9]+ of [0-9]+ rows by time' && see '^costs [0-9.]+ % of a CPU, [0-9]+' && see ' RATE/s +% ' &&
		keys 2 && see 'rows by rate' && keys '>' && see 'rows by p50' && keys 1 && see 'rows by time' &&
		keys '?' && see 'record the row for 5 seconds' && keys '?' && gone_from_screen 'record the row for 5 seconds' &&
		keys / && see 'filter: _' && keys -l umas && see 'filter: umas_' && see '  umask$' && gone_from_screen '  (read|openat|futex)$' && keys Enter && see 'filter: umas$' &&
		keys Enter && see '^umask$' && see 'by whom, since it was opened' && see "-$1\$" && see '#' && keys Escape && see ' RATE/s ' &&
		tmux -L "$buffer" resize-window -t top -x 60 -y 12 && see '^ringside top: syscall' && is 12 "$(screen; wc -l < screen)" &&
		see 'filter: umas$' && keys Escape && gone_from_screen 'filter:' && keys / && keys -l umas && see 'filter: umas_' && keys Escape && gone_from_screen 'filter:' && keys Down && keys / && keys -l umas && keys Enter && see 'filter: umas$' && keys r && keys / Escape && see 'top-umask\.dat' &&
		see 'top-umask.dat is written' && "$RINGSIDE" report top-umask.dat | grep -q sys_enter && keys q && wait_for no_top
}
no_top() { ! tmux -L "$buffer" has-session -t top 2> /dev/null; }
top_screen() {
	local status pid
	while :; do umask 077; umask 022; sleep 0.05; done &
	pid=$!
	TERM=xterm tmux -L "$buffer" -f /dev/null new-session -d -s top -x 100 -y 30 "LC_ALL=C.UTF-8 '$RINGSIDE' top -d 0.5" && top_steps $pid
	status=$?
	tmux -L "$buffer" kill-server 2> /dev/null
	kill $pid
	wait $pid 2> /dev/null
	return $status
}
# Names are whole on a narrow screen: figures give way to them, and come back with the keys left and right. What r has written is told whole.
top_narrow_steps() {
	local name='  raw_syscalls:sys_enter$'
	see "$name" && see 'RATE/s +% +TIME +P50 +P99  NAME$' && see 'left and right show other figures' && keys Right Right Right && see '^ +P50 +P99 +ALL +P50 +P99  NAME$' && see "$name" &&
		keys Left Left Left && see 'RATE/s +% +TIME ' && tmux -L "$buffer" resize-window -t top -x 60 -y 12 && see "$name" && see 'RATE/s +% +TIME  NAME$' &&
		keys / && keys -l sys_enter && keys Enter && see 'filter: sys_enter$' && keys Down r Escape && wait_for report_is_whole && keys q && wait_for no_top
}
report_is_whole() { screen && tr -d '\n' < screen | grep -qF 'top-raw_syscalls-sys_enter.dat is written: `ringside report top-raw_syscalls-sys_enter.dat`'; }
top_narrow() {
	local status
	TERM=xterm tmux -L "$buffer" -f /dev/null new-session -d -s top -x 80 -y 24 "LC_ALL=C.UTF-8 '$RINGSIDE' top -d 0.5 --events -e raw_syscalls" && top_narrow_steps
	status=$?
	tmux -L "$buffer" kill-server 2> /dev/null
	return $status
}
# A terminal whose cursor cannot be moved.
top_dumb() {
	TERM=dumb script -qec "'$RINGSIDE' top" /dev/null < /dev/null > out
	is 1 $? && has 'cannot draw on this terminal \(TERM=dumb\); --batch N prints' out && is 1 "$(wc -l < out)"
}
# Of -p are the calls of a row that are recorded, too; and a call without a name is recorded by its number. Two tasks make it all the time.
top_records_of_p() {
	local status pids=() i
	for i in 1 2; do
		perl -e 'while (1) { syscall(600); select(undef, undef, undef, 0.02); }' &
		pids+=($!)
	done
	TERM=xterm tmux -L "$buffer" -f /dev/null new-session -d -s top -x 100 -y 30 "LC_ALL=C.UTF-8 '$RINGSIDE' top -d 0.5 -p ${pids[0]}" &&
		see ' syscall_600$' && keys / && keys -l syscall_6 && keys Enter && see 'filter: syscall_6$' && keys Down r Escape && see 'top-syscall_600.dat is written' && keys q && wait_for no_top &&
		"$RINGSIDE" count -q --csv --columns pid,id,count --by pid,id top-syscall_600.dat > out && is "pid,id,count ${pids[0]},600" "$(tr -d '\r' < out | sed '2s/,[0-9]*$//' | tr '\n' ' ' | sed 's/ $//')"
	status=$?
	tmux -L "$buffer" kill-server 2> /dev/null
	kill "${pids[@]}"
	wait "${pids[@]}" 2> /dev/null
	return $status
}
# The guard takes the instance away.
no_instance_of() { [ ! -d "$tracefs/instances/ringside-$1" ]; }
top_killed() {
	"$RINGSIDE" top --batch 1000 > out 2>&1 &
	local pid=$!
	wait_for has_events "ringside-$pid" && kill -9 $pid && wait_for no_instance_of $pid
}

top_all() {
	check "top --batch" top_batch
	check "top of a command" top_of_a_command
	check "top --latency" top_of_latencies
	check "top --cost" top_cost
	check "top without a terminal" top_refused
	check "top: nothing is left after kill -9" top_killed
	if ! command -v tmux > /dev/null; then
		skip "top: screen" "no tmux"
	elif ! ldd "$RINGSIDE" | grep -q ncursesw; then
		skip "top: screen" "no ncursesw in this build"
	else
		check "top: a narrow screen" top_narrow
		command -v script > /dev/null && check "top: a terminal without a screen" top_dumb
		check "top: keys, sort, filter, what is behind a row, resize, r" top_screen
		check "top -p: r records the row in these processes only" top_records_of_p
	fi
}
