# shellcheck shell=bash
# shellcheck disable=SC2154 # here, buffer: of the suite
# The live tests of user stacks; `suite` sources this.

frames=(-g -O0 -fno-omit-frame-pointer)

build_chain() {
	gcc "${frames[@]}" -pthread -o chain "$here/chain.c" -ldl && g++ "${frames[@]}" -fPIC -shared -o liblate.so "$here/chain-lib.cc"
}
# Records the stacks of getppid, one of which each chain makes.
chain() { chain_by record -q "$@"; }
chain_by() {
	local number command=$1
	shift
	number=$(printf '#include <sys/syscall.h>\nSYS_getppid\n' | gcc -E - | tail -n 1)
	"$command" -B "$buffer" --ustack -e raw_syscalls:sys_enter -f "id == $number" -F -c "$@"
}
# chains REPORT: each stack as one line "LAST<CALLER<...", without offsets, as far as main or the thread
chains() {
	awk '
		/user stack trace/ { if (line) print line; line = ""; next }
		/^=> / { sub(/^=> /, ""); sub(/\+0x[0-9a-f]+ \(.*\/(.*)\)$/, ""); line = line (line ? "<" : "") $0; next }
		END { if (line) print line }' "$1" | sed -E 's/(main|in_thread)<.*/\1/'
}
user_stacks() {
	build_chain && chain ./chain ./liblate.so && report > out && are_the_chains out || return
	has "^=> middle\+0x[0-9a-f]+ \($PWD/chain\)\$" out && has "^=> library_step\+0x[0-9a-f]+ \($PWD/liblate.so\)\$" out ||
		return
	# The offsets are those that the program's own table gives.
	local at
	at=$(nm chain | awk '$3 == "middle" { print $1 }')
	objdump -d --start-address="0x$at" chain | grep -A 1 -m 1 'call .*<leaf>' | tail -n 1 | cut -d: -f1 > after
	has "^=> middle\+0x$(printf '%x' $((0x$(tr -d ' ' < after) - 0x$at))) " out
}
are_the_chains() {
	chains "$1" > got && cat > want <<- 'END' && diff want got
		leaf<middle<outer<main
		leaf<middle<in_thread
		leaf<late::Caller::call(long (*)(int))<library_step<from_library<main
		leaf<in_child<main
		leaf<became<main
	END
}
# The same while it happens, of processes that have ended by the time they are printed; and of one that was there before.
streamed_stacks() {
	local pid
	build_chain && chain_by stream -q ./chain ./liblate.so > out && are_the_chains out && has "^=> library_step\+0x[0-9a-f]+ \($PWD/liblate.so\)\$" out || return
	sh -c 'while [ ! -e stop ]; do sleep 0.1; done' &
	pid=$!
	{ wait_for has_events "$buffer"; echo > stop; } &
	stream -q -B "$buffer" --ustack -e raw_syscalls -P "$pid" > out && has " sh-$pid " out && has '^=> .*\+0x[0-9a-f]+ \(.*/libc.so.6\)$' out || return
	stream -q -B "$buffer" --ustack -e raw_syscalls:sys_enter -f 'id < 2' sh -c 'echo a; cat /dev/null' > out && has '^=> .*\+0x[0-9a-f]+ \(.*/libc.so.6\)$' out
}
no_pie() { # addresses of such a program are the same each time
	gcc "${frames[@]}" -no-pie -pthread -o chain "$here/chain.c" -ldl && chain ./chain && report > out && chains out > got &&
		is 'leaf<middle<outer<main' "$(head -n 1 got)" && is 4 "$(grep -c . got)"
}
trace_cmd_reads_it() {
	build_chain && chain ./chain && chain -o six.dat --file-version 6 --compression none ./chain && report -i six.dat > out &&
		chains out > got && is 'leaf<middle<outer<main' "$(head -n 1 got)" && local file || return
	for file in trace.dat six.dat; do
		trace-cmd report -i "$file" > theirs 2> err && has 'sys_enter: ' theirs && has user_stack theirs && ! [ -s err ] || { cat err; return 1; }
	done
}
# A file that is another now must not lend its names.
changed() {
	build_chain && chain ./chain && report > out && has '=> middle\+' out &&
		sed 's/long leaf(int n)/long filler(int n) { return n * n; } NOINLINE long leaf(int n)/' "$here/chain.c" > other.c &&
		gcc "${frames[@]}" -pthread -o chain other.c -ldl && report > out && hasnt '=> (leaf|middle|filler)\+' out &&
		has "^=> [0-9a-f]+ \($PWD/chain\+0x[0-9a-f]+\)\$" out
}
changed_without_id() { # told by its size and time
	gcc "${frames[@]}" -Wl,--build-id=none -pthread -o chain "$here/chain.c" -ldl && chain ./chain && report > out &&
		has '=> middle\+' out && touch chain && report > out && hasnt '=> (leaf|middle)\+' out &&
		has "^=> [0-9a-f]+ \($PWD/chain\+0x[0-9a-f]+\)\$" out
}
# The program is gone, its debug file is there.
by_build_id() {
	build_chain && cp chain copy && chain ./chain && rm chain && with_debug_file copy report > out && chains out > got &&
		is 'leaf<middle<outer<main' "$(head -n 1 got)"
}
other_clocks() {
	local clock
	for clock in mono global boot perf counter; do
		build_chain && chain -C "$clock" ./chain ./liblate.so && report > out && chains out > got &&
			is 'leaf<in_child<main leaf<became<main' "$(tail -n 2 got | tr '\n' ' ' | sed 's/ $//')" || { echo "clock $clock"; return 1; }
	done
}
# A process that was there before, and whatever else runs.
whole_system_stacks() {
	build_chain && record -q -B "$buffer" --ustack -e raw_syscalls:sys_enter -f 'id < 2' sh -c 'echo a; cat /dev/null' > said && report > out &&
		has '^=> .*\+0x[0-9a-f]+ \(.*/libc.so.6\)$' out
}

# One that was there before, which -P names.
process_before() {
	local pid
	sh -c 'while [ ! -e stop ]; do sleep 0.1; done' &
	pid=$!
	{ wait_for is_armed "$buffer"; echo > stop; } &
	record -q -B "$buffer" --ustack -e raw_syscalls -P $pid && report > out && has "-$pid " out && has '^=> .*\+0x[0-9a-f]+ \(.*/libc.so.6\)$' out
}
has_entries() { [ "$(entries "$1")" -ge "$2" ]; }
# Of those that are still there when the buffer is taken.
extracted_stacks() {
	local pid
	sh -c 'while :; do sleep 0.1; done' &
	pid=$!
	"$RINGSIDE" start -B "$buffer" --ustack -e raw_syscalls -P $pid > /dev/null && wait_for has_entries "$buffer" 100 && "$RINGSIDE" stop -B "$buffer" &&
		"$RINGSIDE" extract -q -B "$buffer" -o taken.dat
	kill $pid
	"$RINGSIDE" reset -B "$buffer" -d > /dev/null && report -i taken.dat > out && has '^=> .*\+0x[0-9a-f]+ \(.*/libc.so.6\)$' out
}
without_perf() {
	build_chain && record -B "$buffer" --ustack -e sched:sched_process_exit true 2> err && hasnt 'warning' err || return
	setpriv --bounding-set=-perfmon,-sys_admin --inh-caps=-perfmon,-sys_admin "$RINGSIDE" record -B "$buffer" --ustack \
		-e sched:sched_process_exit true 2> err && has 'warning: --ustack: the kernel does not tell us' err && report > out &&
		has user_stack out && hasnt '\+0x[0-9a-f]+ \(/' out
}
other_files() {
	build_chain && chain ./chain && report > out && ringside_convert --file-version 6 --compression none six.dat &&
		report -i six.dat > six && diff <(sed 1d out) <(sed 1d six)
}
ringside_convert() { "$RINGSIDE" convert -i trace.dat "${@:1:$#-1}" -o "${@: -1}" > said 2>&1 || { cat said; return 1; }; }

run_stacks() {
	if [ ! -e "$tracefs/options/userstacktrace" ] || [ ! -d "$tracefs/events/raw_syscalls" ]; then
		skip "user stacks" "no userstacktrace option, or no raw_syscalls"
		return
	fi
	if ! command -v g++ > /dev/null; then
		skip "user stacks" "no g++"
		return
	fi
	check "user stacks: threads, a late library, a child, another program" user_stacks
	check "user stacks: stream" streamed_stacks
	check "user stacks of a program that is not position-independent" no_pie
	check "user stacks: files that changed lend no names" changed
	check "user stacks: nor do those without a build-id" changed_without_id
	check "user stacks: names by build-id" by_build_id
	check "user stacks by other clocks" other_clocks
	check "user stacks of a process that was there before" process_before
	check "user stacks: start, then extract" extracted_stacks
	check "user stacks without perf events" without_perf
	check "user stacks in a converted file" other_files
	check "user stacks of the whole system" whole_system_stacks
	if command -v trace-cmd > /dev/null; then
		check "user stacks: trace-cmd reads the file" trace_cmd_reads_it
	else
		skip "user stacks: trace-cmd reads the file" "no trace-cmd"
	fi
}
