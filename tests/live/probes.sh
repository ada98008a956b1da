# shellcheck shell=bash
# shellcheck disable=SC2154 # here, buffer, tracefs: of the suite
# The live tests of probes; `suite` sources this.

# The program of probed.c in all the shapes that programs come in: position-independent or not, stripped with its symbols elsewhere.
build_probed() {
	gcc -g -O0 -o pie "$here/probed.c" && gcc -g -O0 -no-pie -o nopie "$here/probed.c" && objcopy --only-keep-debug pie stripped.debug &&
		objcopy --strip-all --add-gnu-debuglink=stripped.debug pie stripped && objcopy --remove-section .debug_aranges pie noranges
}
probe_by_name() { # probe_by_name PROGRAM
	build_probed || return
	# shellcheck disable=SC2016 # the kernel's $
	record -q -B "$buffer" --probe "uprobe:./$1:work p->x p->name p->low p->high n what:string" --probe "uretprobe:./$1:work \$retval" \
		"./$1" && report > out && has ': work: .* x=3 name="corner" low=5 high=17 n=1 what="hello"' out && has ' n=3 ' out &&
		has ': work_return: .* ret=7$' out && has ': work_return: .* ret=15$' out && no_probes
}
# Nothing is left on the programs of this test.
no_probes() { ! grep -F "$PWD/" "$tracefs/dynamic_events"; }
# The debug file of program $1 is where distributions put them.
with_debug_file() { # with_debug_file PROGRAM COMMAND...
	local id file status
	id=$(readelf -n "$1" | sed -n 's/.*Build ID: //p') && file=/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug &&
		mkdir -p "${file%/*}" && objcopy --only-keep-debug "$1" "$file" || return
	shift
	"$@"
	status=$?
	rm "$file"
	rmdir -p --ignore-fail-on-non-empty "${file%/*}"
	return "$status"
}
probe_by_build_id() {
	build_probed && objcopy --strip-all pie bare || return
	record -B "$buffer" --probe 'uprobe:./bare:work n' ./bare > out 2>&1
	is 1 $? && with_debug_file pie record -q -B "$buffer" --probe 'uprobe:./bare:work n what:string' ./bare > said && report > out &&
		has ': work[_0-9]*: .* n=1 what="hello"' out && no_probes
}
probe_line() {
	local line
	build_probed && line=$(grep -n 'the line of the loop' "$here/probed.c" | cut -d: -f1) &&
		record -q -B "$buffer" --probe "uprobe:./pie:probed.c:$line i sum p->y" ./pie && report > out &&
		has ' i=0 sum=3 y=4$' out && has ' i=2 sum=11 y=4$' out && is 6 "$(grep -c ' sum=' out)" && no_probes
}
usdt() {
	build_probed && record -q -B "$buffer" --probe 'usdt:./pie:step n=arg1 what=arg2:string' ./pie && report > out &&
		has ': step: .* n=1 what="hello"' out && has ' n=3 what="hello"' out && is 3 "$(grep -c ': step: ' out)" && no_probes
}
uprobe() {
	local libc offset name=live$$
	libc=$(ldd /bin/ls | awk '/libc\.so/ { print $3 }')
	offset=$(readelf -Ws "$libc" | awk '$8 ~ /^setlocale@@/ { print "0x" $2; exit }')
	echo "p:$name/setlocale $libc:$offset" >> "$tracefs/uprobe_events" || return
	record -q -B "$buffer" -e "$name" ls && report > out && has "$name|setlocale" out
	local ret=$?
	echo "-:$name/setlocale" >> "$tracefs/uprobe_events"
	return "$ret"
}

# The same place and the same variables as `perf probe` finds them: its definition, recorded beside ours, gives the same values.
as_perf() { # as_perf OPTIMISATION PLACE VARIABLE...
	local optimisation=$1 place=$2 args='' theirs variable n=0
	shift 2
	[ "$place" = work ] || place=probed.c:$(grep -n 'the line of the loop' "$here/probed.c" | cut -d: -f1)
	gcc -g "$optimisation" -o prog "$here/probed.c" || return
	for variable; do
		args+=" v$((n += 1))=$variable"
	done
	theirs=$(perf probe -q -x ./prog -D "$place$args" 2> said | head -n 1)
	[ -n "$theirs" ] || { cat said; return 1; }
	record -q -B "$buffer" --probe "uprobe:./prog:$place$args name=live$$/ours" --probe "raw:p:live$$/theirs ${theirs#* }" ./prog > sum &&
		report > out || return
	sed -nE 's/.*: ours: .*\) (v1=.*)/\1/p' out > ours
	sed -nE 's/.*: theirs: .*\) (v1=.*)/\1/p' out | diff ours - && [ "$(grep -c " v$n=" ours)" -ge 3 ] && no_probes
}

# Names of values, as we print them and as trace-cmd does from the same file.
value_names() {
	# shellcheck disable=SC2016 # the kernel's $
	gcc -g -O0 -o types "$here/types.c" &&
		record -q -B "$buffer" --probe 'uprobe:./types:pick paint->narrow paint->dry paint->colour paint->both colour on raw=colour:x32' \
			--probe 'uprobe:./types:pick paint->set on:u8 name=plain' --latency 'uprobe:./types:pick $retval' ./types && report > out || return
	if command -v trace-cmd > /dev/null; then
		trace-cmd report > theirs 2> said || return
	else
		cp out theirs
	fi
	for file in out theirs; do
		has ': pick: .* narrow=GREEN dry=true colour=BLUE both=\{-1,7\} colour_2=RED on=true raw=0xffffffff$' "$file" &&
			has ' colour_2=BLUE on=false raw=0x7$' "$file" && has ' colour_2=0x5 on=false raw=0x5$' "$file" &&
			has ': plain: .* set=1 on=1$' "$file" && has ': pick_return: .*\) ret=RED( took .*)?$' "$file" || return
	done
}

# What timed.c measured inside and around each call, against what lies between its probes; each thread has its own order.
latencies() {
	timed_by record && report > out && took_as_long_as own out
}
timed_by() {
	gcc -g -O1 -fno-optimize-sibling-calls -pthread -o timed "$here/timed.c" && "$1" -q -B "$buffer" -C mono -b 8192 --latency 'uprobe:./timed:f depth' \
		--latency uprobe:./timed:g --latency uprobe:./timed:leave --latency uprobe:./timed:last ./timed own && ! grep "$PWD/timed" "$tracefs/dynamic_events"
}
streamed_latencies() {
	timed_by stream > out && took_as_long_as own out
}
took_as_long_as() { # took_as_long_as OWN REPORT
	local own=$1 out=$2
	hasnt DROPPED "$out" || return
	# By its number, as the kernel may have missed the name of a thread that soon ends.
	sed -nE 's/^.*-([0-9]+) +\[[0-9]+\] .*: ([fg])_return: .* took ([0-9]+)\.([0-9]{3}) us$/\1 \2 \3\4/p' "$out" | sort -s -n -k 1,1 > took
	sort -s -n -k 1,1 "$own" | paste -d ' ' - took |
		awk '$1 != $5 || $2 != $6 || $7 < $3 || $7 > $4 { print "not between: " $0; bad = 1 } END { exit bad || NR != 1120 }' || return
	sed '1,/^calls without a return:/d' "$out" > open
	is 31 "$(wc -l < open)" && is 30 "$(grep -c ': leave$' open)" && has ': last$' open
}

# The same in C++: overloads, templates, constant methods, operators.
build_shapes() {
	g++ -g -O0 -o shapes "$here/shapes.cc"
}
cxx_names() {
	# shellcheck disable=SC2016 # the kernel's $
	build_shapes && record -q -B "$buffer" --probe 'uprobe:./shapes:geo::Corner::scale(int, char const*) this->x by why:string' \
		--probe 'uprobe:./shapes:geo::Corner::area() const this->y name=area' --probe 'uretprobe:./shapes:geo::Corner::twice<int> $retval' \
		--probe 'uprobe:./shapes:geo::Corner::operator+ by name=plus' ./shapes > said && report > out &&
		has ': geo_Corner_scale: .* x=3 by=1 why="why"$' out && has ' x=3 by=3 why="why"$' out && has ': area: .* y=4$' out &&
		has ': geo_Corner_twice_int__return: .* ret=14$' out && has ': plus: .* by=5$' out &&
		is 3 "$(grep -c ': geo_Corner_scale: ' out)" && no_probes
}
cxx_overloads() {
	build_shapes || return
	record -B "$buffer" --probe 'uprobe:./shapes:geo::Corner::scale' ./shapes > out 2>&1
	is 1 $? && has 'geo::Corner::scale.: 2 functions have this name \(.*; write one of them in full' out &&
		has 'scale\(long\) at 0x[0-9a-f]+' out && has 'scale\(int, char const\*\) at 0x[0-9a-f]+' out
}
rust_names() { # rust_names SYMBOL [FLAG]...
	local symbol=$1
	shift
	rustc -g -C opt-level=0 "$@" -o rust "$here/shapes.rs" && nm rust > names && has " $symbol.*Corner5scale" names || return
	# shellcheck disable=SC2016 # the kernel's $
	record -q -B "$buffer" --probe 'uprobe:./rust:shapes::geo::Corner::scale self->x by' \
		--probe 'uretprobe:./rust:shapes::geo::Corner::scale $retval' ./rust > said && report > out &&
		has ': shapes_geo_Corner_scale: .* x=3 by=1$' out && has ' x=3 by=3$' out &&
		has ': shapes_geo_Corner_scale_return: .* ret=9$' out && no_probes
}

# Where a virtual base lies is not known before the program runs; the code of a lambda is not inside of the function that has it.
virtual_bases_and_lambdas() {
	g++ -g -O0 -o lent -x c++ - <<< 'struct base { int a; base() : a(1) {} }; struct lent : virtual base { int b; lent(int n) : b(n) {} };
int main() { lent l(2); auto twice = [](int n) { return 2 * n; }; return twice(l.a + l.b) != 6; }' &&
		"$RINGSIDE" probe vars "./lent:$(nm lent | grep -o '_ZN4lentC1Ei')" > out && has '^  this->b +int +\+8' out && hasnt 'this->a' out &&
		"$RINGSIDE" probe vars "./lent:$(nm lent | grep -o '_ZZ4main.*')" > out && has '^  n +int +%si:s32$' out
}
names_as_people_write_them() {
	build_shapes || return
	"$RINGSIDE" probe vars ./shapes:geo::Corner::scale > out 2>&1
	is 1 $? && has '2 functions have this name \(.*scale\(long\) at 0x' out && "$RINGSIDE" probe vars './shapes:geo::Corner::scale(int,char const *)' > out &&
		has '^  by +int +%.*:s32$' out && g++ -g -O0 -o sig "$here/signatures.cc" &&
		"$RINGSIDE" probe vars ./sig:make_text > out && has '^  n +int +%' out && "$RINGSIDE" probe vars ./sig:halved > out &&
		has '^  h\.d +double +# not: .*vector register' out && virtual_bases_and_lambdas && tags_may_be_left_out
}
# The mark that g++ puts behind names whose ABI has changed, as behind those that return a std::string.
tags_may_be_left_out() {
	local name
	g++ -g -O0 -o tags -x c++ - <<< 'struct [[gnu::abi_tag("v2")]] tagged { int x; }; tagged tag(int n) { return { n }; } int main(int n, char **) { return tag(n).x != 1; }' || return
	for name in tag 'tag(int)' 'tag[abi:v2]' 'tag[abi:v2](int)'; do
		"$RINGSIDE" probe vars "./tags:$name" > out && has '^  n +int +%di:s32$' out || { echo "$name"; return 1; }
	done
}
inlined_everywhere() {
	gcc -g -O2 -o tiny -x c - <<< 'static inline int tiny(int a) { return a * 3; }
int main(int argc, char **argv) { return tiny(argc) & 12; }' || return
	record -B "$buffer" --probe uprobe:./tiny:tiny true > out 2>&1
	is 1 $? && has 'tiny was inlined wherever .*/tiny calls it \(<stdin>:2\)' out
}
rust_free_function() {
	rustc -g -C opt-level=0 -o free - <<< '#[inline(never)] pub fn add(a: i32, s: &str, b: i64) -> i64 { b + a as i64 + s.len() as i64 }
fn main() { println!("{}", add(-1, "four", -2)); }' && record -q -B "$buffer" --probe 'uprobe:./free:rust_out::add a s.length b' ./free > said && report > out &&
		has ': rust_out_add: .* a=-1 length=4 b=-2$' out && no_probes
}

eprobe_fields() {
	record -B "$buffer" --probe 'eprobe:sched/sched_switch next_pid nxt_prio' true > out 2>&1
	is 1 $? && has 'sched/sched_switch has no field .nxt_prio.; did you mean (prev_prio or )?next_prio' out
}
missing_kinds() { # what doctor says is missing is named by the refusal
	local kind probe
	"$RINGSIDE" doctor > doctor
	for kind in 'kprobe, kretprobe=kprobe:vfs_read' 'eprobe=eprobe:sched/sched_switch next_pid' 'tracepoint probe=tprobe:sched_switch'; do
		probe=${kind#*=}
		grep -qE "^ *${kind%%=*} +no " doctor || continue
		record -B "$buffer" --probe "$probe" true > out 2>&1
		is 1 $? && has "has no .*: it needs $(sed -nE "s/^ *${kind%%=*} +no +needs (CONFIG_[A-Z_]+).*/\1/p" doctor)" out || return
	done
}

# 10,000 calls, through libc as the loader finds it, of the sizes that the program says.
malloc_sizes() {
	gcc -O0 -o mallocs "$here/mallocs.c" &&
		record -q -B "$buffer" --probe 'uprobe:libc:malloc size=arg1:u64' -F ./mallocs > said && report > out &&
		is 10000 "$(grep -c . said)" && sed -nE 's/.*: malloc: .* size=([0-9]+)$/\1/p' out > sizes && diff said sizes
}
only_called() {
	gcc -O0 -o mallocs "$here/mallocs.c" || return
	record -B "$buffer" --probe 'uprobe:./mallocs:malloc' true > out 2>&1
	is 1 $? && has 'mallocs only calls malloc through its PLT; probe it in the library' out
}
# The flame graph of malloc's callers in ringside-probe(1): its bytes are those that the program asked for, its calls as many.
malloc_flames() {
	gcc -O0 -o mallocs "$here/mallocs.c" &&
		record -q -B "$buffer" -b 16384 --probe 'uprobe:libc:malloc size=arg1:u64' --ustack -F ./mallocs > said && report > out &&
		hasnt DROPPED out && "$RINGSIDE" hist --folded --sum size > folded && "$RINGSIDE" hist --folded > calls || return
	is "$(awk '{ n += $1 } END { print n }' said)" "$(awk '{ n += $NF } END { print n }' folded)" && has '^mallocs;.*;malloc [0-9]+$' folded &&
		is 10000 "$(awk '{ n += $NF } END { print n }' calls)" || return
	# By hand, from the report's lines.
	awk '/^=> / { sub(/^=> /, ""); f = $0; if (!sub(/\+0x.*/, "", f)) { sub(/.*\//, "", f); sub(/\+0x.*/, "", f); f = "[" f "]" }
			s = f (s == "" ? "" : ";" s); next }
		s != "" { n[s] += size; s = "" }
		/ size=/ { size = substr($NF, 6) }
		END { if (s != "") n[s] += size; for (s in n) print "mallocs;" s ";malloc", n[s] }' out | sort > want
	diff want <(sort folded)
}
# A stripped program with the names of its functions in .gnu_debugdata, as Fedora builds them.
mini_table() {
	build_probed && nm -D pie --format=posix --defined-only | cut -d' ' -f1 | sort > dynamic &&
		nm pie --format=posix --defined-only | awk 'tolower($2) == "t" { print $1 }' | sort | comm -13 dynamic - > names &&
		objcopy -S --remove-section .comment --keep-symbols=names stripped.debug mini.elf && xz -k mini.elf &&
		objcopy --strip-all pie none && objcopy --add-section .gnu_debugdata=mini.elf.xz none mini && rm stripped.debug || return
	record -B "$buffer" --probe 'uprobe:./none:work' ./none > said 2>&1
	is 1 $? && has "no function 'work'; it is stripped" said &&
		record -q -B "$buffer" --probe 'uprobe:./mini:work n=arg2:s32' ./mini > said && report > out && has ': work[_0-9]*: .* n=1$' out &&
		has ' n=3$' out
}
# A program that only another process's mount namespace has.
other_namespace() {
	local pid file=$PWD/there/prog
	mkdir there && build_probed || return
	# shellcheck disable=SC2016 # for the inner shell
	unshare -m sh -c 'mount -t tmpfs live there && cp pie there/prog && echo > ready && until [ -e go ]; do sleep 0.2; done; there/prog; :' > said &
	pid=$!
	wait_for test -e ready && [ ! -e "$file" ] && "$RINGSIDE" probe syms --pid "$pid" "$file" work > syms && has ' work$' syms &&
		"$RINGSIDE" probe syms --pid "$pid" libc malloc > syms && has ' malloc$' syms &&
		! "$RINGSIDE" probe syms "$file" work 2> /dev/null || { touch go; return 1; }
	record -q -B "$buffer" -P "$pid" -c --probe "uprobe:$file:work n name=live$$/there" &
	wait_for grep -q "live$$/there" "$tracefs/dynamic_events"
	wait_for grep -q 1 "$tracefs/instances/$buffer/events/live$$/there/enable" && wait_for is_armed "$buffer"
	touch go
	wait && report > out && has 'prog-[0-9]+ .*: there: .* n=1$' out && is 3 "$(grep -c ': there: ' out)" && no_probes
}

# An offset is accepted where the disassembler has an instruction, and nowhere else; unless by force.
inside_instructions() {
	local at begin
	build_probed || return
	begin=$((0x$(nm nopie | awk '$3 == "work" { print $1 }')))
	objdump -d --no-show-raw-insn --disassemble=work nopie | sed -nE 's/^ *([0-9a-f]+):.*/\1/p' > starts
	for at in {1..24}; do
		if grep -qx "$(printf %x $((begin + at)))" starts; then
			record -q -B "$buffer" --probe "uprobe:./nopie:work+$at" ./nopie > out 2>&1 || { echo "work+$at:"; cat out; return 1; }
		else
			record -B "$buffer" --probe "uprobe:./nopie:work+$at" true > out 2>&1
			is 1 $? && has 'bytes inside the instruction that begins at 0x[0-9a-f]+' out || return
			record -q -B "$buffer" --force --probe "uprobe:./nopie:work+$at" true || return
		fi
	done
	record -B "$buffer" --probe uretprobe:./nopie:work+4 true > out 2>&1
	is 1 $? && has 'not where a function begins' out && no_probes
}
uprobe_globs() {
	local small
	small=$(grep -c '^PROBED void small' "$here/signatures.c") || return
	gcc -g -O0 -o sig "$here/signatures.c" && record -q -B "$buffer" --probe 'uprobe:./sig:small* n' ./sig > said && report > out &&
		is "$(grep -c '^small' said)" "$(grep -c ': small[0-9]*: .* n=[0-9]*$' out)" && is "$small" "$(grep -c ': small' out)" || return
	record -B "$buffer" --max-probes 4 --probe 'uprobe:./sig:small*' true > out 2>&1
	is 1 $? && has "matches $small functions and at most 4" out && no_probes
}

completes() { # completes WANT WORD: what of a --probe that the running kernel and its libraries know
	"$RINGSIDE" __complete record --probe "$2" > out && has "$1" out
}

completes_line() { # completes_line WANT WORD...: the same of a line of record
	local want=$1
	"$RINGSIDE" __complete record "${@:2}" > out && has "$want" out
}

run_probes() {
	check "completion of an event without its system" completes_line '^sched:sched_switch$' -e sched_swi
	check "completion of fields in a filter" completes_line '^prev_pid == 0 && next_comm$' -e sched:sched_switch -f 'prev_pid == 0 && next_c'
	check "completion of a field that several events have" completes_line '^prio$' -e sched_switch -e 'sched:sched_wak*' -f pri
	if [ -r /sys/kernel/btf/vmlinux ]; then
		check "completion of parameters" completes '^kprobe:vfs_read n=count	size_t$' 'kprobe:vfs_read n=co'
		check "completion of members" completes '^kprobe:vfs_read file->f_mapping	struct address_space \*$' 'kprobe:vfs_read file->f_m'
	else
		skip "completion of parameters" "no /sys/kernel/btf/vmlinux"
	fi
	check "completion of kernel functions" completes '^kretprobe:do_sys_openat2$' 'kretprobe:do_sys_op'
	check "completion of symbols" completes '^uprobe:libc:malloc$' 'uprobe:libc:mal'
	check "completion of fields" completes '^eprobe:sched/sched_switch p=prev_comm$' 'eprobe:sched/sched_switch p=prev'
	check "a misspelt field of an eprobe" eprobe_fields
	check "a kind of probe that this kernel lacks" missing_kinds
	if [ ! -w "$tracefs/uprobe_events" ]; then
		skip "probes in programs" "no uprobe_events"
		return
	fi
	if ! echo "#include <sys/sdt.h>" | gcc -E - > /dev/null 2>&1; then
		skip "probes by name" "no sys/sdt.h"
	else
		check "a uprobe by name, with arguments from DWARF" probe_by_name pie
		check "a uprobe in a program that is not position-independent" probe_by_name nopie
		check "a uprobe in a stripped program with a debug file" probe_by_name stripped
		check "a uprobe in a program without .debug_aranges, as clang and Go make them" probe_by_name noranges
		check "a uprobe in a stripped program with a debug file by build-id" probe_by_build_id
		check "a uprobe at a line, with local variables" probe_line
		check "a USDT probe with a semaphore" usdt
		check "a program with .gnu_debugdata only" mini_table
		if unshare -m true 2> /dev/null; then
			check "a program in another mount namespace" other_namespace
		else
			skip "a program in another mount namespace" "mount namespaces are refused"
		fi
	fi
	check "10,000 calls of libc's malloc, with their sizes" malloc_sizes
	check "the flame graph of malloc in the cookbook" malloc_flames
	check "names of enums and bools" value_names
	if ! command -v perf > /dev/null || ! gcc -g -o "$tmp/perf-sample" "$here/types.c" ||
		[ -z "$(perf probe -q -x "$tmp/perf-sample" -D pick 2> /dev/null)" ]; then
		skip "values as perf probe finds them" "perf probe that finds a function (linux-perf)"
	else
		check "at a line, as perf probe finds it" as_perf -O0 line 'p->y' 'p->name:string' n 'what:string' i sum
		check "at a line of an optimised program, as perf probe finds it" as_perf -O2 line 'p->y' 'p->name:string' n 'what:string'
		check "at a function, as perf probe finds it" as_perf -O0 work 'p->x' 'p->name:string' n 'what:string'
		check "at a function of an optimised program, as perf probe finds it" as_perf -O2 work 'p->x' 'p->name:string' n 'what:string'
	fi
	check "--latency: nested, recursive, in threads, left by longjmp" latencies
	check "stream --latency" streamed_latencies
	check "an indirect function is refused" refused 1 'strlen is an indirect function \(IFUNC\).* such as __strlen_' \
		-B "$buffer" --probe 'uprobe:libc:strlen' true
	check "an indirect function beside an old version that is none" refused 1 'memcpy is an indirect function' \
		-B "$buffer" --probe 'uprobe:libc:memcpy' true
	check "a function that is only called is refused" only_called
	check "globs of functions in programs" uprobe_globs
	check "an inlined function" inlined_everywhere
	if command -v objdump > /dev/null && echo "#include <sys/sdt.h>" | gcc -E - > /dev/null 2>&1; then
		check "an offset inside an instruction is refused" inside_instructions
	else
		skip "an offset inside an instruction is refused" "no objdump"
	fi
	if command -v g++ > /dev/null; then
		check "C++ names" cxx_names
		check "C++ overloads are told apart" cxx_overloads
		check "C++ names as people write them" names_as_people_write_them
	else
		skip "C++ names" "no g++"
	fi
	if command -v rustc > /dev/null; then
		check "Rust names, as the compiler mangles them" rust_names '(_ZN|_R)'
		check "a free function in Rust" rust_free_function
		check "Rust names, v0 mangling" rust_names _R -C symbol-mangling-version=v0
	else
		skip "Rust names" "no rustc"
	fi
	if ! command -v readelf > /dev/null; then
		skip "a uprobe" "no readelf"
	else
		check "a uprobe" uprobe
	fi
}
