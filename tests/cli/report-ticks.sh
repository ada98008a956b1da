# Ticks of a clock are not nanoseconds. function_graph says in ns how long its calls took, whatever the clock is; of all else the time is
# known only when the length of a tick is.
events='
event ringside_latency do_work 3000 __probe_ip:8 __sp:8
event ringside_latency do_work_return 3001 __probe_func:8 __probe_ret_ip:8 __sp_popped:8
task 7 seven'
# 3 ticks are 1 ns: a pair takes 3000000 ticks, a function in it 400 us; two calls do not return, the second one long before the end.
records='
0 3000000 7 do_work __probe_ip=0x401000 __sp=0x7ff000
0 3300000 7 funcgraph_entry func=@do_sys_openat2 depth=0
0 4500000 7 funcgraph_exit func=@do_sys_openat2 depth=0 calltime=1100000 rettime=1500000
0 6000000 7 do_work_return __sp_popped=0x7ff008
0 6300000 7 funcgraph_entry func=@do_sys_openat2 depth=0
0 6600000 7 funcgraph_entry func=@getname depth=1
0 6900000 7 funcgraph_exit func=@getname depth=1 calltime=2200000 rettime=2300000
0 7200000 7 funcgraph_entry func=@do_filp_open depth=1
0 9000000 7 funcgraph_entry func=@getname depth=0
0 9300000 7 funcgraph_exit func=@getname depth=0 calltime=3000000 rettime=3100000
0 9600000 7 do_work __sp=0x7ff000
0 9900000 7 sched_waking pid=7'
plan "$DATA/openat2.dat" ticks.dat <<<"clock x86-tsc$events$records"
plan "$DATA/openat2.dat" known.dat <<<"clock x86-tsc
tsc2nsec 1431655766 32 0$events$records"
for file in ticks known; do
	for what in 'report --tree' 'report --tree --min-duration 500us' 'report --tree --min-duration 50us' 'funcs --csv --columns function,calls,cut,total' 'hist --time --folded'; do
		echo "== $file: $what"
		# shellcheck disable=SC2086
		ringside $what $file.dat 2>/dev/null
	done
done

echo "== a system call that is complete counts as a call, and its time is unknown; the function in it has its time in ns"
plan "$DATA/events.dat" calls.dat <<END
clock x86-tsc
0 1000000 7 sys_enter id=0
0 1000500 7 funcgraph_entry func=@vfs_read depth=0
0 1004000 7 funcgraph_exit func=@vfs_read depth=0 calltime=1100000 rettime=1101000
0 1005000 7 sys_exit id=0 ret=1
0 1010000 7 sys_enter id=1
0 1030000 7 sys_exit id=1 ret=1
0 1040000 7 sys_enter id=1
END
ringside funcs --csv --columns function,calls,cut,total,self,max calls.dat
ringside graph --csv --columns function,calls,cut,total calls.dat 2>/dev/null
ringside graph --by cpu --csv --columns function,calls,total calls.dat 2>/dev/null
ringside sql -i calls.dat 'SELECT function, total, self, callees, cut FROM calls'
ringside slow syscall:read calls.dat; echo $?
ringside dist syscall:read calls.dat; echo $?
ringside diff --only-event raw_syscalls calls.dat calls.dat; echo $?

echo "== calls without a return, of two files with ticks of different lengths, in the order of time"
plan "$DATA/openat2.dat" slow.dat <<<"clock x86-tsc
tsc2nsec 2147483648 31 0$events
0 1000000 7 do_work __sp=0x7ff000
0 2100000 7 sched_waking pid=7"
plan "$DATA/openat2.dat" fast.dat <<<"clock x86-tsc
tsc2nsec 2147483648 33 0$events
0 3000000 7 do_work __sp=0x7ff000
0 6000000 7 do_work __sp=0x7ff000
0 8200000 7 sched_waking pid=7"
ringside report slow.dat fast.dat 2>/dev/null | sed -n '/^calls/,$p'

echo "== --align-ts: the first record that is shown has time 0, whatever is made of them; what lies between two is the same"
long="$events
task 8 eight
0 1000000000 7 do_work __sp=0x7ff000
0 1000100000 7 sched_waking pid=8
0 1000200000 7 do_work __sp=0x7fe000
$(for ((i = 0; i < 20000; i++)); do echo "0 $((1000300000 + i * 1000)) 7 sched_waking pid=9"; done)
0 1030000000 7 sched_switch prev_pid=7 next_pid=8 next_prio=120
0 1030100000 7 do_work_return __sp_popped=0x7fe008
0 1030200000 7 do_work __sp=0x7fd000"
plan "$DATA/openat2.dat" long.dat <<<"$long"
quick() { ringside report "$@" long.dat 2>&1 | grep -v 'sched_waking: .*pid=9'; }
quick --align-ts -t --min-duration 29ms
quick --align-ts -t -w --only-event sched:sched_switch --only-event do_work
quick --align-ts --profile | grep -v 'sched_waking'

echo "== files whose times have different units: what adds times up refuses them, unless only buffers of one unit are read; lines are printed"
for clock in counter mono boot; do
	plan "$DATA/openat2.dat" $clock.dat <<END
clock $clock
task 7 seven
0 1000 7 sys_enter id=39
0 3000 7 sys_exit id=39 ret=7
0 4000 7 sched_waking pid=7
0 5000 0 sched_switch next_pid=7
END
done
for what in sched 'syscalls -c' 'latency wakeup' 'report -w' 'export -o out.json' 'export -o out.sqlite' 'export -o out.perfetto-trace' 'page -o out.html'; do
	# shellcheck disable=SC2086
	ringside $what counter.dat mono.dat >out 2>err; echo "$what: $?, $(wc -c <out) bytes, $(ls out.* 2>/dev/null | wc -l) files"
	sed -n '/ringside: warning/!p' err
done
ringside syscalls counter.dat mono.dat 2>/dev/null | grep -c getpid
ringside syscalls -c --csv --columns syscall,calls,total mono.dat boot.dat 2>/dev/null
ringside sched --csv --columns comm,run,queued counter.dat counter.dat 2>/dev/null
ringside count --json counter.dat mono.dat 2>/dev/null | grep -o '"span": [^,]*'
