# shellcheck shell=bash disable=SC2154
# Files of CPUs as trace-cmd leaves them, and partial files of a machine.

# Has each CPU some whole sub-buffers, and all of them more than the 500 events (of some 70 bytes) that the tests want?
is_spooled() {
	local cpu
	for cpu in trace.dat.spool/"$buffer".cpu*[0-9]; do
		[ "$(stat -c %s "$cpu")" -ge 12288 ] || return
	done
	[ "$(cat trace.dat.spool/"$buffer".cpu*[0-9] | wc -c)" -ge 200000 ]
}
# Leaves the files FILE.cpuN of a recording that was killed, of its instance as those of the top and of another instance, and spool.txt: what is in them.
killed_recording() {
	local pid cpu
	"$RINGSIDE" record -q -B "$buffer" -e sched:sched_switch -e raw_syscalls:sys_enter -s 10000 --compression none sh -c 'for i in 1 2 3 4 5 6 7 8; do sleep 0.1; done
		echo $$ > begun; exec sleep 300' &
	pid=$!
	wait_for test -s begun && wait_for is_spooled && kill -KILL "$pid"
	wait "$pid" 2> /dev/null
	kill "$(cat begun)"
	wait_for gone || return
	# What the guard has saved of the kernel's buffer continues these files, and is none by itself.
	rm -f trace.dat.spool/*.rest
	for cpu in trace.dat.spool/"$buffer".cpu*; do
		cp "$cpu" "dead.dat.${cpu##*.}" && cp "$cpu" "dead.dat.extra.${cpu##*.}" || return
	done
	"$RINGSIDE" restore -q && report -q > spool.txt && events_of spool.txt > spool.events && [ "$(wc -l < spool.events)" -gt 500 ] && rm trace.dat begun
}
# events_of FILE: a report's lines without names of tasks, which are in no file of a CPU, and without the column of instances
events_of() { sed -E '/^cpus=/d; s/^.*-([0-9]+) +(\[[0-9]+\])/\1 \2/; s/^( *[a-z0-9-]+: +)?//' "$1"; }

same_text() { # same_text FILE FILE
	diff "$1" "$2" > difference || { head -n 5 difference; return 1; }
}
same_events() { # same_events FILE
	report -q "$1" > out && events_of out > events && same_text spool.events events
}

restores_files_of_cpus() {
	killed_recording || return
	rm dead.dat.extra.cpu*
	"$RINGSIDE" restore -o here.dat dead.dat.cpu* 2> said && has 'here.dat: [0-9]+ kB of events of [0-9]+ CPU' said && same_events here.dat &&
		"$RINGSIDE" restore -q dead.dat.cpu* && same_events trace.dat && is "$(nproc)" "$(find . -name 'dead.dat.cpu*' | wc -l)" || return
	"$RINGSIDE" restore -c -q && "$RINGSIDE" restore -i trace-partial.dat --file-version 6 -q dead.dat.cpu* && same_events trace.dat || return
	# Cut in the middle of a sub-buffer, and a file that is no CPU's.
	truncate -s -100 dead.dat.cpu0 && "$RINGSIDE" restore -o cut.dat dead.dat.cpu* 2> said && has '^ringside: 3996 bytes at the ends' said &&
		echo > dead.dat.cpu0 && "$RINGSIDE" restore -o no.dat dead.dat.cpu0 2> said
	is 1 $? && has 'dead.dat.cpu0: no whole sub-buffer' said && [ ! -e no.dat ] || return
	"$RINGSIDE" restore 2> said
	is 1 $? && has 'trace.dat.spool: .*name what was left' said || return
	"$RINGSIDE" restore '' 2> said
	is 1 $? && has '^ringside: the name of what is to be restored is empty' said
}
restores_instances() {
	killed_recording || return
	"$RINGSIDE" restore -q -o two.dat dead.dat.* && report -q two.dat > out && is "$(wc -l < spool.events)" "$(grep -c '^ *extra: ' out)" &&
		is "$((2 * $(wc -l < spool.events)))" "$(grep -vc '^cpus=' out)" && ! "$RINGSIDE" restore -q -o no.dat dead.dat.cpu0 dead.dat.cpu0 2> err &&
		has 'CPU 0 has a file already' err
}
restores_as_trace_cmd() {
	killed_recording && rm dead.dat.extra.cpu* && trace-cmd restore -c -o theirs-partial.dat && trace-cmd restore -i theirs-partial.dat -o theirs.dat dead.dat.cpu? > /dev/null 2>&1 &&
		"$RINGSIDE" restore -q -i theirs-partial.dat -o ours.dat dead.dat.cpu? && same_events ours.dat && same_events theirs.dat &&
		same_text <(trace-cmd report theirs.dat 2> /dev/null) <(trace-cmd report ours.dat 2> /dev/null) || return
	# And theirs with a partial file of ours.
	"$RINGSIDE" restore -q -c --compression none -o ours-partial.dat && trace-cmd restore -i ours-partial.dat -o both.dat dead.dat.cpu? > /dev/null 2>&1 &&
		[ "$(trace-cmd report both.dat 2> /dev/null | wc -l)" -gt 500 ] &&
		same_text <(trace-cmd report theirs.dat 2> /dev/null | events_of /dev/stdin) <(trace-cmd report both.dat 2> /dev/null | events_of /dev/stdin)
}
partial_of_a_copy() {
	killed_recording && rm dead.dat.extra.cpu* && mkdir copy && (cd "$tracefs" && cp --parents -r events/*/*/format events/header_page events/header_event printk_formats \
		saved_cmdlines trace_clock "$OLDPWD/copy") && cp /proc/kallsyms symbols && echo "ffffffffffff0000 t a_symbol_of_another_machine" >> symbols &&
		"$RINGSIDE" restore -q -c -t copy -k symbols -o box.dat && "$RINGSIDE" dump --kallsyms box.dat | has a_symbol_of_another_machine /dev/stdin &&
		"$RINGSIDE" restore -q -i box.dat dead.dat.cpu* && same_events trace.dat && "$RINGSIDE" dump --summary box.dat > copied || return
	# All formats of this machine are in it, and nothing that only this machine knows.
	"$RINGSIDE" restore -q -c -o here.dat && is "$("$RINGSIDE" dump --events here.dat | grep -c '^name: ')" "$("$RINGSIDE" dump --events box.dat | grep -c '^name: ')" &&
		! report --uname box.dat 2> /dev/null | grep "$(uname -r)" || return
	mkdir empty && ! "$RINGSIDE" restore -q -c -t empty -o no.dat 2> err && has 'empty/events' err && ! "$RINGSIDE" restore -q -c -t nowhere -o no.dat 2> err &&
		has '-t nowhere: No such' err && ! "$RINGSIDE" restore -q -c -k nowhere -o no.dat 2> err && has 'nowhere: No such' err && [ ! -e no.dat ] || return
	"$RINGSIDE" restore -c dead.dat.cpu0 2> err
	is 2 $? && "$RINGSIDE" restore -t copy 2> err
	is 2 $? && has '-t is for -c' err && "$RINGSIDE" restore -i box.dat 2> err
	is 2 $? && has '-i is for files of CPUs' err
}
restores_a_cut_file() {
	record -q -B "$buffer" -e sched --compression none sleep 0.3 && report -q > whole && head -c -200 trace.dat > cut.dat && ! "$RINGSIDE" restore -q cut.dat 2> err &&
		has 'name the file that is to be made of .* with -o' err && "$RINGSIDE" restore -q -o again.dat cut.dat 2> err && has 'the list of what is in buffer' err && report -q again.dat > again &&
		[ "$(wc -l < whole)" -gt 10 ] && same_text <(events_of whole) <(events_of again)
}
# Cut in the middle of a sub-buffer: what is whole of its events stays, and the mark that others are lost. The data of the last CPU are last in the file, so the
# command runs there.
keeps_the_last_loss_mark() {
	local how n
	record -q -B "$buffer" -e raw_syscalls --compression none taskset -c $(($(nproc) - 1)) dd if=/dev/zero of=/dev/null bs=1 count=3000 2> /dev/null &&
	for n in 1000 3000 5000 20000; do
		head -c -"$n" trace.dat > cut.dat
		report -q cut.dat > before 2> /dev/null
		[ "$n" -lt 20000 ] || has 'EVENTS DROPPED' before || return
		for how in "--compression zstd" "--compression none" "--file-version 6"; do
			# shellcheck disable=SC2086 # two words
			"$RINGSIDE" restore -q $how -o again.dat cut.dat 2> err && report -q again.dat > after && same_text before after || return
		done
	done
}
restore_all() {
	if [ -d "$tracefs/events/raw_syscalls" ]; then
		check "restore of files of CPUs" restores_files_of_cpus
		check "restore of files of CPUs, of instances too" restores_instances
		check "restore -c -t -k, -i" partial_of_a_copy
		if command -v trace-cmd > /dev/null; then
			check "restore as trace-cmd does it" restores_as_trace_cmd
		else
			skip "restore as trace-cmd does it" "no trace-cmd"
		fi
	fi
	check "restore of a file whose end is missing" restores_a_cut_file
	[ ! -d "$tracefs/events/raw_syscalls" ] || check "restore of a file whose end is missing, with its last loss" keeps_the_last_loss_mark
}
