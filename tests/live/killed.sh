# shellcheck shell=bash disable=SC2154
# What a recording that was killed leaves: all that it had recorded, and nothing in the kernel.

killed() {
	# A name of our own, many times, since the kernel may pass over one of them when it is busy.
	local pid name=nap-$$
	cp "$(command -v sleep)" "$name"
	"$RINGSIDE" record -q -B "$buffer" -e sched -s 10000 sh -c "echo \$\$ > begun; for i in \$(seq 500); do ./$name 0.1; done" &
	pid=$!
	wait_for test -s begun && wait_for grep -q " $name\$" trace.dat.spool/names && kill -KILL "$pid"
	wait "$pid" 2> /dev/null
	kill "$(cat begun)"
	wait_for gone && rm begun "$name" trace.dat."$buffer".cpu* && left trace.dat.spool || return
	record -B "$buffer" -e sched true > out 2>&1
	is 1 $? && has 'ringside restore' out && "$RINGSIDE" restore -q && report > out && has sched_ out &&
		"$RINGSIDE" dump --cmd-lines > out && has " $name$" out && rm out && left trace.dat
}
# At least so much that no_room_to_unpack() has no room for it: packing waits for an idle CPU, and little is packed at first when there is none.
enough_is_packed() { some_are_packed "$1" && [ "$(cat "$1"/*.packed | wc -c)" -gt 100000 ]; }
some_are_packed() { (cd "$1" && ls -s -- *.packed *.handed) > out && grep -q '^ *[1-9].*packed' out && grep -q '^ *[1-9].*handed' out; }
# Packed, on the way to be packed, spooled: all that was moved until then comes back, and the kernel is put back by who stays.
flood_killed() {
	local pid
	"$RINGSIDE" record -q -B "$buffer" -b 4096 -e raw_syscalls -F -c sh -c 'echo $$ > begun; dd if=/dev/zero of=/dev/null bs=1 count=300000 2> dd
		echo > ended; exec sleep 600' &
	pid=$!
	wait_for test -s ended && wait_for enough_is_packed trace.dat.spool && kill -KILL "$pid"
	wait "$pid" 2> /dev/null
	kill "$(cat begun)"
	wait_for gone && some_are_packed trace.dat.spool || return
	! "$RINGSIDE" restore trace.dat.spool/*.cpu0 2> err && has 'only a part .*`ringside restore trace.dat.spool`' err &&
		! "$RINGSIDE" restore trace.dat.spool/*.cpu1.handed 2> err && has 'only a part' err && rm err || return
	# What was packed is taken as it is, or unpacked for a file of another kind.
	cp -r --sparse=always trace.dat.spool six.spool && "$RINGSIDE" restore -q --file-version 6 six.spool -o six.dat && mv six.dat ../six.dat &&
		[ ! -e six.spool ] && no_room_to_unpack || return
	"$RINGSIDE" restore -q && rm begun ended dd out && left trace.dat && report -t > out && report -t ../six.dat > ../six.txt && same_text out ../six.txt || return
	# What a sub-buffer had that was not yet full was in the kernel still.
	awk '/EVENTS DROPPED/ { match($0, /\[[0-9]* *EVENTS/); n = substr($0, RSTART + 1) + 0; dropped += n; unknown += !n } /: sys_e/ { n_events++ }
		END { print n_events, dropped + 0; exit !unknown && n_events + dropped < 1199000 }' out && has ': sys_enter: *NR 1 ' out &&
		awk '/: sys_e/ { match($0, /[0-9]+\.[0-9]+: /); t = substr($0, RSTART, RLENGTH - 2) + 0; if (t < last) { print "time goes back: " $0; exit 1 } last = t }' out
}
# Where there is no room to unpack, that is said and takes none; what is compressed as it was needs no room.
no_room_to_unpack() {
	local status
	cp -r --sparse=always trace.dat.spool small.spool && rm -f small.spool/*.handed small.spool/*.rest && tmpfs "size=$(($(du -sk small.spool | cut -f1) + 300))k" || { rm -r small.spool; return 0; }
	mv small.spool "$mounted" && ! "$RINGSIDE" restore --file-version 6 -o no.dat "$mounted/small.spool" 2> err && has 'no space left to unpack' err && [ ! -e no.dat ] &&
		"$RINGSIDE" restore -q -o small.dat "$mounted/small.spool" && report -t small.dat > out && has ': sys_enter: *NR 1 ' out && rm err small.dat
	status=$?
	unmount
	return "$status"
}

# Slow ones: what the kernel held is there, by the guard or, when that was killed, too, by restore; names of tasks with it. By the name of the file, of its files of
# CPUs, or of the folder.
slow_killed() { # slow_killed WHO OPERAND...: who is killed
	local who=$1 pid victims
	shift
	"$RINGSIDE" record -q -B "$buffer" -e sched:sched_process_exec sh -c 'echo $$ > begun; sleep 0.2; exec sleep 300' &
	pid=$!
	wait_for test -s begun && wait_for grep -q '^sleep' "/proc/$(cat begun)/comm" && ls trace.dat."$buffer".cpu0 > out && victims=$pid || return
	[ "$who" = one ] || victims="$pid $(pgrep -P "$pid" ringside-guard)"
	# shellcheck disable=SC2086 # several
	kill -KILL $victims
	wait "$pid" 2> /dev/null
	kill "$(cat begun)"
	"$RINGSIDE" restore -q "$@" && { [ "$who" = one ] || reset --stale > out; } && wait_for gone && report > out && has 'sleep-[0-9]+ .*sched_process_exec: .*/sleep' out &&
		rm out begun && left trace.dat
}
slow_ones_killed() {
	slow_killed one && slow_killed one trace.dat && slow_killed one trace.dat."$buffer".cpu0 trace.dat."$buffer".cpu1 && slow_killed both && slow_killed both trace.dat
}
# While it records they are there, and when they are gone the file is; whatever lies in their place stays.
files_of_cpus() {
	local cpu pid
	cpu=trace.dat.$buffer.cpu0
	"$RINGSIDE" record -q -B "$buffer" -e sched sh -c 'echo yes > begun; while [ ! -e go ]; do sleep 0.1; done' &
	pid=$!
	wait_for test -s begun && [ -f "$cpu" ] && [ -r "$cpu" ] && is "$(nproc)" "$(ls trace.dat."$buffer".cpu* | wc -l)" && touch go
	while [ -e "$cpu" ]; do sleep 0.02; done
	report | has sched_ /dev/stdin && ended "$pid" 0 && rm begun go trace.dat && left || return
	# What is left of one whose folder was removed is replaced; what somebody else recorded is not.
	ln -s "trace.dat.spool/$buffer.cpu0" "$cpu" && record -q -B "$buffer" -e sched true && left trace.dat && rm trace.dat && echo precious > "$cpu" || return
	record -B "$buffer" -e sched true > out 2>&1
	is 1 $? && has "$cpu is there, maybe of a trace-cmd" out && is 1 "$(grep -c . out)" && is precious "$(cat "$cpu")" && rm "$cpu" out && left || return
	mkdir other && record -q -B "$buffer" --temp other -e sched sh -c 'readlink trace.dat.*.cpu0 > to' && is "$(realpath other)/trace.dat.spool/$buffer.cpu0" "$(cat to)" &&
		rmdir other && rm to && left trace.dat
}
at_random_instants() {
	RINGSIDE=$RINGSIDE "$here/kills" "${RINGSIDE_KILLS:-6}" -B "$buffer"
}

killed_all() {
	check "kill -9 of slow recordings: nothing is missing" slow_ones_killed
	check "FILE.cpuN while it records" files_of_cpus
	if command -v gcc > /dev/null; then
		check "kill -9 at random instants" at_random_instants
	else
		skip "kill -9 at random instants" "no gcc"
	fi
	check "kill -9, then restore" killed
	check "kill -9 in a flood, then restore" flood_killed
}
