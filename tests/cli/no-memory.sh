# Whatever finds no memory, it is said once and the status says so too; or it was something that can be done without.
preload=$PWD/nomem.so
${CC:-gcc} -O1 -shared -fPIC -fno-builtin -o "$preload" "$TOP/tests/tools/preload/nomem.c" 2>/dev/null || {
	echo "SKIP: no preloaded library can be built here"
	exit 0
}
export RINGSIDE_THREADS=1
try() { # try NAME ARGUMENT...: some twenty of its allocations, or of its last $last, one after the other
	local n i status
	n=$(LD_PRELOAD=$preload NOMEM=0 ringside "${@:2}" 9>&1 >/dev/null 2>&1)
	for ((i = n - ${last:-n} + 1; i <= n; i += ${last:-n} / 20 + 1)); do
		LD_PRELOAD=$preload NOMEM=$i ringside "${@:2}" >/dev/null 2>err
		status=$?
		if [ "$status" -gt 2 ] || [ "$(wc -l <err)" -ne $((status > 0)) ]; then
			echo "${*:2}: without allocation $i of $n: status $status"
			cat err
		fi
	done
	[ "$n" -gt 50 ] && echo "$1"
}
try 'lines' report "$DATA/events.dat"
try 'lines of few' report -F 'sched_switch : prev_pid > 0' --comm '*' "$DATA/events.dat"
try 'tree' report --tree "$DATA/openat2.dat"
try 'long calls' report --min-duration 10us "$DATA/openat2.dat"
last=200 try 'the calls that are long are being found' report --min-duration 10us "$DATA/openat2.dat"
try 'calls of functions' report --func 'do_*' "$DATA/openat2.dat"
try 'slow' slow '*' "$DATA/openat2.dat"
try 'profile' report --profile "$DATA/events.dat"
try 'wakeups' report -w "$DATA/events.dat"
try 'window' report --since 10% --until 90% "$DATA/events.dat"
try 'several' report "$DATA/events.dat" "$DATA/marker.dat"
try 'ends' report --first-event "$DATA/events.dat"
try 'histogram' hist "$DATA/function-stacks.dat"
try 'folded' hist --folded -P "$DATA/openat2.dat"
try 'dump' dump --all "$DATA/events.dat"
try 'validation' dump --validate "$DATA/events.dat"
try 'version 6' convert --file-version 6 -i "$DATA/events.dat" -o six.dat
try 'version 7' convert -i "$DATA/events.dat" -o seven.dat
try 'split' split -i "$DATA/events.dat" -o part
try 'packets' export --to perfetto "$DATA/events.dat"
try 'packets of calls' export --to perfetto -o calls.pftrace "$DATA/openat2.dat"
# What options of a recording keep; at last one that is wrong, so that nothing is recorded.
words=()
for i in {1..20}; do
	words+=(-B "b$i" -e "e$i" -R stacktrace -O "o$i" -l "f$i" -n "n$i" -g "g$i" --module m --cpu 0 -M 1 -T --probe "kprobe:f$i a:u32")
done
try 'options' record "${words[@]}" --nosuch
# So few that each of them fails once.
try 'few' record -e x -F
try 'whom' record -P "$$,$$,$$" -P "$$" "${words[@]}" --nosuch
try 'files' report -i a -F 'x : y == 1' -v --cpu 0:1 "${words[@]/*/-Fx}" --pair wakeup --nosuch
try 'names' list "${words[@]/*/-ex}" -f x --nosuch
try 'calls' syscalls "${words[@]/*/--status=failed}" --nosuch
try 'counts' count --by comm,pid -e a,b -p $$ "${words[@]/*/-ex}" --nosuch
try 'kinds' reset -k kprobe -B a -B b "${words[@]/*/-kkprobe}" --nosuch
# Programs.
try 'symbols' probe syms "$(command -v ringside)" 'main*'
try 'variables' probe vars "$(command -v ringside)":main
# This takes a kernel that has BTF.
[ ! -r /sys/kernel/btf/vmlinux ] || try 'btf' probe vars do_sys_openat2 | grep -v '^btf$'
# Calls of --latency: none becomes another event's, and each takes its time.
plan "$DATA/openat2.dat" pairs.dat <<'END'
event ringside_latency do_work 3000 __probe_ip:8 count:4 __sp:8
event ringside_latency do_work_return 3001 __probe_func:8 __probe_ret_ip:8 ret:4 __sp_popped:8
task 7 seven
0 1000 7 do_work count=1 __sp=0x7ff000
0 2000 7 do_work_return ret=2 __sp_popped=0x7ff008
END
for what in 'funcs' 'report --profile'; do
	# shellcheck disable=SC2086
	n=$(LD_PRELOAD=$preload NOMEM=0 ringside $what pairs.dat 9>&1 >/dev/null 2>&1)
	for ((i = n - 160; i <= n; i++)); do
		# shellcheck disable=SC2086
		LD_PRELOAD=$preload NOMEM=$i ringside $what pairs.dat >out 2>err && ! grep -Eq 'do_work +100.00 +1 +1.000|do_work\(\) \(1\) Total: 1000 ' out && echo "$what: no call without allocation $i of $n"
	done
done
# A database: each of the last 120, which are those of its rows and of what is said of them.
if ! ringside export --list | grep '^sqlite.*not in this program' >/dev/null; then
	database=(export -o no.sqlite "$DATA/marker.dat")
	n=$(LD_PRELOAD=$preload NOMEM=0 ringside "${database[@]}" 9>&1 >/dev/null 2>&1)
	for ((i = n - 119; i <= n; i++)); do
		rm -f no.sqlite
		LD_PRELOAD=$preload NOMEM=$i ringside "${database[@]}" >/dev/null 2>err
		status=$?
		if [ "$status" -gt 2 ] || [ "$(wc -l <err)" -ne $((status > 0)) ] || { [ "$status" -gt 0 ] && { [ -e no.sqlite ] || ! grep -qi 'memory' err; }; }; then
			echo "${database[*]}: without allocation $i of $n: status $status"
			cat err
		fi
	done
	[ "$n" -gt 500 ]
fi
