# sched against figures that awk computes from the raw fields of the plain report.
cd "$DATA"

# Per task: PID RUN QUEUED BLOCKED PREEMPTED SWITCHES MIGRATIONS MAX, and with "pairs" who preempts and wakes whom.
figures() {
	ringside report -R -t "$1" | awk -v pairs="${2:-}" '
	function number(name, v) { v = $0; return sub(".* " name "=", "", v) ? substr(v, 1, match(v " ", / /) - 1) : "" }
	function hex(text, n, i) {
		if (text !~ /^0x/) return text + 0
		sub(/^0x/, "", text)
		for (n = i = 0; i < length(text);) n = n * 16 + index("0123456789abcdef", substr(text, ++i, 1)) - 1
		return n
	}
	# Nanoseconds since the second 0 fit into a number of awk.
	{ match($0, /\[[0-9]+\]/); cpu = substr($0, RSTART + 1, RLENGTH - 2) + 0
	  match($0, / [0-9]+\.[0-9]+:/); split(substr($0, RSTART + 1, RLENGTH - 2), t, "."); now = t[1] * 1000000000 + t[2]
	  match($0, /-[0-9]+ +\[/); current = substr($0, RSTART + 1, RLENGTH - 2) + 0
	  match($0, /\[[0-9]+\] .../); irq = substr($0, RSTART + RLENGTH - 1, 1) }
	# Woken when it was about to sleep and still ran: it waits from the moment on at which it leaves its CPU. Before its first switch (running is ""), a task
	# may run or not: if it leaves its CPU next, it ran.
	/ sched_wakeup: / {
		p = number("pid")
		if (!running[p] && !woken[p]) woken[p] = running[p] != "" && early[p] ? left[p] : now
		if (running[p] || running[p] == "") early[p] = 0
	}
	/ sched_waking: | sched_wakeup_new: / {
		p = number("pid")
		from = irq ~ /[hH]/ ? "irq" : irq == "s" ? "softirq" : "task"
		wakes[p " " (from == "task" ? current : "") " " from]++
		if (!woken[p]) woken[p] = now
		if (running[p] || running[p] == "") early[p] = / sched_waking: /
		if (/_new/) left[p] = ""
	}
	/ sched_migrate_task: / { migrations[number("pid")]++; seen[number("pid")] = 1 }
	/ sched_switch: / {
		p = number("prev_pid") + 0; n = number("next_pid") + 0; state = hex(number("prev_state"))
		if (on[cpu] == p && on[cpu] != "") run[p ? p : "cpu" cpu] += now - since[cpu]
		if (p) {
			left[p] = now; asleep[p] = state % 256 != 0; woken[p] = ""; running[p] = 0; by[p] = n; seen[p] = 1
			if (state % 256 == 0) preempts[p " " n]++
		}
		switches[n ? n : "cpu" cpu]++; seen[n ? n : "cpu" cpu] = 1
		if (n) {
			if (left[n] != "" && asleep[n] && !woken[n] && early[n]) woken[n] = left[n]
			running[n] = 1; early[n] = 0
			if (left[n] != "" && !asleep[n]) { preempted[n] += now - left[n]; times[n " " by[n]] += now - left[n] }
			if (left[n] != "" && asleep[n] && woken[n]) blocked[n] += woken[n] - left[n]
			if (woken[n] && (left[n] == "" || asleep[n])) {
				queued[n] += now - woken[n]
				if (now - woken[n] > max[n]) max[n] = now - woken[n]
			}
			left[n] = woken[n] = ""
		}
		on[cpu] = n; since[cpu] = now
	}
	END {
		if (pairs == "preempts") for (p in preempts) printf "%s %d %.0f\n", p, preempts[p], times[p]
		if (pairs == "wakes") for (p in wakes) printf "%s %d\n", p, wakes[p]
		if (pairs == "") for (p in seen) if (p !~ /cpu/)
			printf "%s %.0f %.0f %.0f %.0f %d %d %.0f\n", p, run[p], queued[p], blocked[p], preempted[p], switches[p], migrations[p], max[p]
		if (pairs == "idle") for (p in seen) if (p ~ /cpu/) printf "%s %.0f %d\n", substr(p, 4), run[p], switches[p]
	}' | sort
}
plain() { tr -d '\r' | sed 1d | tr , ' ' | sort; }

for file in events.dat instances.dat syscalls-v6.dat; do
	echo "== $file: each task"
	figures $file >"$HOME/want"
	ringside sched --csv --columns pid,run,queued,blocked,preempted,switches,migrations,max,swapper $file 2>/dev/null | plain | sed -n 's/ false$//p' |
		awk '{ $8 += 0; print }' | sort | diff "$HOME/want" - && echo "the same: $(wc -l <"$HOME/want") tasks"
	figures $file idle >"$HOME/want"
	ringside sched --csv --columns comm,run,switches,swapper $file 2>/dev/null | plain | sed -n 's/^swapper.\(.*\) true$/\1/p' |
		diff "$HOME/want" - && echo "the same: $(wc -l <"$HOME/want") idle CPUs"
	figures $file preempts >"$HOME/want"
	ringside sched --preempts --csv --columns pid,by_pid,count,preempted $file 2>/dev/null | plain | awk '{ print $1, $2, $3, $4 + 0 }' |
		diff "$HOME/want" - && echo "the same: $(wc -l <"$HOME/want") pairs that preempt"
	figures $file wakes >"$HOME/want"
	ringside sched --wakes --csv --columns pid,by_pid,from,count $file 2>/dev/null | plain | diff "$HOME/want" - &&
		echo "the same: $(wc -l <"$HOME/want") pairs that wake"
done

echo "== per CPU: what the tasks and the idle tasks there have, as the timeline tells it"
ringside sched --timeline --csv --columns ts,cpu,pid,run,queued events.dat | plain >"$HOME/stays"
ringside sched --by cpu --csv --columns cpu,run,idle,switches events.dat 2>/dev/null | plain >"$HOME/got"
awk '$3 { run[$2] += $4 } !$3 { idle[$2] += $4 } { n[$2]++ } END { for (c in n) printf "%d %.0f %.0f %d\n", c, run[c], idle[c], n[c] }' "$HOME/stays" |
	sort | diff "$HOME/got" - && echo "the same: $(wc -l <"$HOME/got") CPUs, $(wc -l <"$HOME/stays") stays"

echo "== the worst delay is found at its time, and the columns of the timeline are those of perf"
ringside sched --csv --columns comm,max,ts --sort -max -n 1 events.dat 2>/dev/null
ringside sched --timeline --csv --columns ts,off,queued,run,state --pid 15 events.dat 2>/dev/null | grep ,1256836,
ringside report --since 26.084086 --until 26.084086 --only-event sched_switch events.dat
ringside sched --timeline --pid 15 events.dat | sed -n '1,4p'

echo "== parts: the times begin and end inside, CPUs and tasks are as without the others"
ringside sched --csv --columns comm,run,queued,switches --comm 'rcu*,sleep' events.dat 2>/dev/null
ringside sched --csv --columns cpu,run,switches --by cpu --cpu 1 events.dat 2>/dev/null
for cpu in 0 1; do
	ringside sched --csv --columns pid,run,blocked,preempted,queued,switches --cpu $cpu events.dat 2>/dev/null | plain
done | awk '$1 { for (i = 2; i <= 6; i++) s[$1, i] += $i; p[$1] = 1 } END { for (x in p) printf "%d %.0f %.0f %.0f %.0f %d\n", x, s[x, 2], s[x, 3], s[x, 4], s[x, 5], s[x, 6] }' |
	sort >"$HOME/got"
ringside sched --csv --columns pid,run,blocked,preempted,queued,switches events.dat 2>/dev/null | plain | grep -v '^0' | diff - "$HOME/got" &&
	echo "the sums of both CPUs are those of all"
ringside sched --timeline --csv --columns ts,cpu,pid,run --since 26.1 --until 26.2 events.dat | plain | awk '$4' >"$HOME/part"
awk '{ end = $1 / 1000000000; begin = ($1 - $4) / 1000000000 } $4 && begin >= 26.1 && end <= 26.2 { print $1, $2, $3, $4 }' "$HOME/stays" |
	diff "$HOME/part" - && echo "the same: $(wc -l <"$HOME/part") stays from 26.1 to 26.2"

echo "== who wakes: all delays are somebody's"
ringside sched --wakes --csv --columns queued events.dat 2>/dev/null | plain | awk '{ s += $1 } END { print s }'
ringside sched --csv --columns queued events.dat 2>/dev/null | plain | awk '{ s += $1 } END { print s }'

echo "== while a CPU loses events, nobody knows what a task does that is off another CPU: it may run there. Only the wait of 300 ns at the end is known"
plan "$DATA/openat2.dat" "$HOME/lost.dat" <<-PLAN
	task 100 alpha
	task 200 beta
	0 1000 0 sched_switch prev_pid=0 prev_prio=120 next_pid=200 next_prio=120
	1 1100 0 sched_switch prev_pid=0 prev_prio=120 next_pid=100 next_prio=120
	1 1500 100 sched_switch prev_pid=100 prev_prio=120 prev_state=1 next_pid=0 next_prio=120
	0 2000 200 sched_process_free pid=3
	1 3000 0 sched_waking pid=100 target_cpu=1
	1 5000 0 sched_switch prev_pid=0 prev_prio=120 next_pid=100 next_prio=120
	1 6000 100 sched_switch prev_pid=100 prev_prio=120 prev_state=0 next_pid=0 next_prio=120
	1 6500 0 sched_switch prev_pid=0 prev_prio=120 next_pid=100 next_prio=120
	0 lost 4
	0 9000 200 sched_process_free pid=3
	1 9500 100 sched_switch prev_pid=100 prev_prio=120 prev_state=1 next_pid=0 next_prio=120
	1 9600 0 sched_waking pid=100 target_cpu=1
	1 9900 0 sched_switch prev_pid=0 prev_prio=120 next_pid=100 next_prio=120
PLAN
ringside sched --pid 100 --csv --columns pid,run,queued,blocked,preempted,count,max,cut "$HOME/lost.dat" 2>/dev/null
ringside sched --timeline --pid 100 --csv --columns ts,off,queued,run "$HOME/lost.dat"
ringside sched --preempts --csv --columns pid,count,preempted "$HOME/lost.dat" 2>/dev/null
ringside sched --wakes --csv --columns pid,count,queued "$HOME/lost.dat" 2>/dev/null
ringside flame --off-cpu --folded "$HOME/lost.dat" 2>/dev/null
ringside report -q -w "$HOME/lost.dat" | grep -o 'Latency: .*'
ringside sql --csv "$HOME/lost.dat" 'SELECT ts, pid, queued FROM wakeups' 2>/dev/null
ringside report -q --profile --json "$HOME/lost.dat" | grep -o '"losses": [0-9]*'
# That a task runs is known, and where the idle task of CPU 1 is: both can be on no other CPU.
ringside report -q --profile "$HOME/lost.dat" | sed -n '/: sched_switch:/s/(ts.*//p; /^task/p; /not timed/p'

echo "== what is not recorded is not known"
ringside sched function-stacks.dat -n 2
ringside sched --wakes marker.dat -n 2
ringside sched --timeline openat2.dat
ringside sched --json -n 1 --columns comm,pid,run events.dat

echo "== refusals"
ringside sched --by pid events.dat; echo $?
ringside sched --by cpu --wakes events.dat 2>&1 | head -1
ringside sched --preempts --wakes events.dat 2>&1 | head -1
ringside sched --preempts --pid 165 events.dat
ringside sched --timeline --sort run events.dat 2>&1 | head -1
ringside sched --timeline --columns run events.dat 2>&1 | head -1
ringside sched --sort blockd events.dat 2>&1 | cut -c1-80
ringside sched nosuch.dat; echo $?
ringside sched --cpu 99 events.dat; echo $?
ringside sched --wakes --cpu 99 events.dat
echo "# --pair makes calls, which sched does not show: not of a file, and not with --live"
ringside sched --live --pair wakeup 2>&1 | cut -d";" -f1
echo "# tasks that are not there"
for analysis in "sched --pid 99999" "graph --comm nosuch" "funcs --pid 99999" "mem --comm nosuch"; do
	# shellcheck disable=SC2086
	ringside $analysis events.dat --json 2>&1 >out; echo "status $?, $(grep -c '"rows": \[\]' out)"
done
ringside sched --comm sh --cpu 0-1 events.dat --json >out 2>&1; grep -o '"selection": [^,]*' out; grep 'asked for' out
echo "status $?"
echo '== woken before its first switch, which shows that it was on its CPU: 7 is queued for 2000 from the switch on. 10 is woken again while it sleeps: it is blocked for 1000 until then, and queued for 3000'
plan "$DATA/openat2.dat" "$HOME/first.dat" <<-PLAN
	task 7 seven
	task 10 ten
	1 500 7 sys_enter id=0
	0 1000 9 sched_waking pid=7 target_cpu=1
	1 2000 7 sched_switch prev_pid=7 prev_prio=120 prev_state=2 next_pid=8 next_prio=120
	0 3000 9 sched_wakeup pid=7 target_cpu=1
	1 4000 8 sched_switch prev_pid=8 prev_prio=120 prev_state=1 next_pid=7 next_prio=120
	1 4500 7 sys_exit id=0 ret=0
	1 7000 7 sched_switch prev_pid=7 prev_prio=120 prev_state=0 next_pid=8 next_prio=120
	0 7500 9 sched_waking pid=7 target_cpu=1
	0 15000 10 sys_enter id=0
	0 15500 9 sched_waking pid=10 target_cpu=1
	0 16000 10 sched_switch prev_pid=10 prev_prio=120 prev_state=1 next_pid=0 next_prio=120
	0 17000 0 sched_waking pid=10 target_cpu=1
	0 17500 0 sched_wakeup pid=10 target_cpu=1
	0 20000 0 sched_switch prev_pid=0 prev_prio=120 prev_state=0 next_pid=10 next_prio=120
	0 20500 10 sys_exit id=0 ret=0
PLAN
ringside sched --pid 7,10 --csv --columns pid,blocked,queued,count "$HOME/first.dat" 2>/dev/null
ringside sched --pid 7,10 --wakes --csv --columns pid,by_pid,count,queued "$HOME/first.dat" 2>/dev/null
ringside sql --csv 'SELECT pid, blocked, queued, preempted FROM calls' "$HOME/first.dat"
echo '== before 4.14, the state of a task that ends is x. Another task that gets its pid 3000 ns later was not off the CPU in between'
ringside convert --file-version 6 -o "$HOME/old.dat" openat2.dat
sed -i 's/{ 0x00000040, "P" }/{ 0x00000040, "x" }/' "$HOME/old.dat"
plan "$HOME/old.dat" "$HOME/ended.dat" <<-PLAN
	task 7 seven
	0 1000 0 sched_switch prev_pid=0 prev_state=0 next_pid=7
	0 2000 7 sched_switch prev_pid=7 prev_state=64 next_pid=0
	0 5000 0 sched_switch prev_pid=0 prev_state=0 next_pid=7
	0 6000 7 sched_switch prev_pid=7 prev_state=1 next_pid=0
PLAN
ringside sched --pid 7 --csv --columns pid,run,off,cut "$HOME/ended.dat" 2>/dev/null
ringside sched --timeline --pid 7 --csv --columns ts,off,state "$HOME/ended.dat"

echo "== one state is no plural"
ringside sched --pid 164 --columns comm,cut events.dat
