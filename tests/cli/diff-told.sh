# What diff tells of the two recordings besides the rows: how many events were lost, and which records were chosen.
# rounds FROM N: N calls of kfree, each 100 ns long, one every 1,000 ns.
rounds() {
	local t i
	for i in $(seq "$2"); do
		t=$(($1 + i * 1000))
		echo "0 $t 7 funcgraph_entry func=@kfree depth=0"
		echo "0 $((t + 100)) 7 funcgraph_exit func=@kfree depth=0 calltime=$t rettime=$((t + 100))"
	done
}
rounds 0 40 | plan "$DATA/openat2.dat" whole.dat
{ rounds 0 20; echo '0 lost 3'; rounds 30000 20; } | plan "$DATA/openat2.dat" lossy.dat

echo '== losses: the sum of all recordings for programs, as with the other tables of several files; for people those of each recording, once'
for files in 'whole.dat whole.dat' 'lossy.dat whole.dat' 'whole.dat lossy.dat' 'lossy.dat lossy.dat'; do
	# shellcheck disable=SC2086 # files
	ringside diff --json $files 2>/dev/null | grep -o '"losses": [0-9]*, "losses_complete": [a-z]*'
done
ringside graph --json lossy.dat lossy.dat 2>/dev/null | grep -o '"losses": [0-9]*, "losses_complete": [a-z]*'
ringside diff whole.dat lossy.dat | grep lost
echo '== the selection'
ringside diff --json --cpu 0 --func kfree whole.dat lossy.dat 2>/dev/null | grep -o '"selection": [^,]*'

# systemcalls FROM N: N system calls 0, each 500 ns long, one every 1,000 ns, and a switch of the task to the idle task and back and an interrupt in each.
systemcalls() {
	local t i
	for i in $(seq "$2"); do
		t=$(($1 + i * 1000))
		echo "0 $t 7 raw_syscalls:sys_enter id=0"
		[ -z "${3:-}" ] || {
			echo "0 $((t + 100)) 7 sched_switch prev_pid=7 prev_state=1 next_pid=0"
			echo "0 $((t + 200)) 0 irq_handler_entry irq=9"
			echo "0 $((t + 210)) 0 irq_handler_exit irq=9"
			echo "0 $((t + 300)) 0 sched_switch prev_pid=0 prev_state=0 next_pid=7"
		}
		echo "0 $((t + 500)) 7 raw_syscalls:sys_exit id=0 ret=1"
	done
}
{ rounds 0 40; systemcalls 100000 40; } | plan "$DATA/openat2.dat" both.dat
systemcalls 0 40 | plan "$DATA/events.dat" calls.dat
systemcalls 0 40 busy | plan "$DATA/events.dat" busy.dat
systemcalls 0 400 busy | plan "$DATA/events.dat" busier.dat
verdicts() { ringside diff --csv --columns function,verdict,change,calls_old,calls_new,p50_old,p50_new,evidence "$@" 2>/dev/null | tr -d '\r' | sed 1d | sort; }
echo '== one side has recorded no functions, and the other one no system calls: nobody knows how often they were called'
verdicts whole.dat calls.dat
verdicts calls.dat whole.dat
ringside diff whole.dat calls.dat
ringside diff calls.dat whole.dat | head -1
ringside flame --diff whole.dat -o x.svg calls.dat && grep -o 'against whole.dat: [^<]*' x.svg | head -1
echo '== what both have recorded is compared, beside what only one of them has; a path is known where its callers are, too'
verdicts both.dat whole.dat
ringside diff both.dat whole.dat | tail -n +2
ringside diff --fail-if any both.dat whole.dat >/dev/null; echo $?
{ rounds 0 40; rounds 50000 60; systemcalls 300000 40; } | plan "$DATA/openat2.dat" more.dat
ringside diff more.dat whole.dat
{ echo '0 100000 7 raw_syscalls:sys_enter id=0'; rounds 100000 40; echo '0 150000 7 raw_syscalls:sys_exit id=0 ret=1'; } | plan "$DATA/openat2.dat" inside.dat
ringside diff --graph --csv --columns path,verdict inside.dat whole.dat 2>/dev/null | tr -d '\r' | sort
echo '== conditions: what is not compared does not pass'
for condition in 'kfree: new' 'kfree: gone' any new 'read: slower' 'nosuch: new' 'nosuch: gone'; do
	ringside diff --fail-if "$condition" whole.dat calls.dat >/dev/null 2>said
	echo "$condition: $? $(cat said)"
done
echo '== waits and interrupts are those of the events: 40 and 400, which the idle task did not add to; not counted in the same way on both sides, they are not told'
for files in 'busy.dat busier.dat' 'busier.dat busy.dat' 'calls.dat busier.dat' 'whole.dat busy.dat'; do
	# shellcheck disable=SC2086 # files
	ringside diff $files 2>&1 | grep -o 'tasks waited.*came:' || echo "$files: nothing"
done
