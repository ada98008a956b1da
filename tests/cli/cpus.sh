# Calls of some CPUs where tasks go from one to another: those that began there, as the plan says, whatever CPU they end on.
# A line for each call of the plan: the function, the CPU on which it began, its beginning, its total, its self time. The plan goes to $HOME/plan.
awk -v plan="$HOME/plan" 'BEGIN {
	srand(7)
	for (t = 100; t < 104; t++)
		print "task " t " task" t > plan
	split("vfs_read vfs_open do_sys_openat2", outer); split("kfree dput getname", inner); split("strncpy_from_user kmem_cache_alloc mntput", leaf)
	for (now = 1000; steps++ < 4000 || open; now += 1 + int(rand() * (rand() < .3 ? 9000 : 300))) {
		t = 100 + int(rand() * 4)
		if (rand() < .3 || !(t in cpu))
			cpu[t] = int(rand() * 4)
		d = depth[t] + 0
		if (steps < 4000 && d < 3 && rand() < .5) {
			i = 1 + int(rand() * 3)
			func_[t, d] = d == 0 ? outer[i] : d == 1 ? inner[i] : leaf[i]
			began[t, d] = now; on[t, d] = cpu[t]; below[t, d] = 0
			print cpu[t], now, t, "funcgraph_entry func=@" func_[t, d], "depth=" d > plan
			depth[t]++; open++
		} else if (d) {
			d = --depth[t]; open--
			total = now - began[t, d]
			if (d)
				below[t, d - 1] += total
			print cpu[t], now, t, "funcgraph_exit func=@" func_[t, d], "depth=" d, "calltime=" began[t, d], "rettime=" now > plan
			print func_[t, d], on[t, d], began[t, d], total, total - below[t, d], cpu[t]
		}
	}
}' > "$HOME/calls"
plan "$DATA/openat2.dat" "$HOME/moving.dat" < "$HOME/plan"
awk '{ moved += $2 != $6 } END { print NR " calls, of which " moved " ended on another CPU" }' "$HOME/calls"
# The sums of the calls in $HOME/calls that began on CPUs that match $1.
sums() {
	awk -v cpus="$1" '$2 ~ cpus { n[$1]++; t[$1] += $4; s[$1] += $5; if (!($1 in low) || $4 < low[$1]) low[$1] = $4; if ($4 > high[$1]) high[$1] = $4 }
		END { for (f in n) print f "," n[f] ",0," t[f] "," s[f] "," low[f] "," high[f] }' "$HOME/calls" | sort
}
for cpus in 0 3 1-2 0,3 0-3; do
	pattern="^[$cpus]\$"
	echo "== --cpu $cpus"
	sums "$pattern" > "$HOME/want"
	ringside funcs --cpu "$cpus" --csv --columns function,calls,cut,total,self,min,max "$HOME/moving.dat" 2> /dev/null | tr -d '\r' | sed 1d | sort |
		diff "$HOME/want" - && echo "funcs: the same"
	ringside sql --cpu "$cpus" --csv "SELECT function, count(*), count(cut), sum(total), sum(self), min(total), max(total) FROM calls GROUP BY function" \
		"$HOME/moving.dat" 2> /dev/null | tr -d '\r' | sed 1d | sort | diff "$HOME/want" - && echo "sql: the same"
	ringside dist vfs_read --cpu "$cpus" --json "$HOME/moving.dat" 2> /dev/null | sed -n '/"sum"/s/.*"count": \([0-9]*\), "sum": \([0-9]*\).*"min": \([0-9]*\),.*"max": \([0-9]*\).*/vfs_read,\1,0,\2,\3,\4/p' > "$HOME/got"
	grep ^vfs_read "$HOME/want" | cut -d, -f1-4,6,7 | diff - "$HOME/got" && echo "dist: the same"
	awk -v cpus="$pattern" '$1 == "vfs_read" && $2 ~ cpus { print $3 "," $2 "," $4 }' "$HOME/calls" | sort > "$HOME/want"
	ringside slow vfs_read -n 10000 --cpu "$cpus" --csv --columns ts,cpu,total "$HOME/moving.dat" 2> /dev/null | tr -d '\r' | sed 1d | sort |
		diff "$HOME/want" - && echo "slow: the same"
	ringside graph --cpu "$cpus" --csv --min-percent 0 --columns function,calls,cut,self "$HOME/moving.dat" 2> /dev/null | tr -d '\r' | sed 1d |
		awk -F, '{ n[$1] += $2; cut += $3; s[$1] += $4 } END { for (f in n) print f "," n[f] "," cut "," s[f] }' | sort > "$HOME/got"
	sums "$pattern" | cut -d, -f1,2,3,5 | diff - "$HOME/got" && echo "graph: the same"
	ringside export --cpu "$cpus" -o "$HOME/moving.json" --to chrome "$HOME/moving.dat" 2> /dev/null
	sums "$pattern" | cut -d, -f1,2 > "$HOME/want"
	grep '"ph":"X"' "$HOME/moving.json" | grep -o '"name":"[^"]*"' | cut -d'"' -f4 | sort | uniq -c |
		awk '{ print $2 "," $1 }' | diff "$HOME/want" - && echo "chrome: the same"
done
echo "== report --func: what is inside of calls of which an end is elsewhere"
ringside report --func vfs_read --cpu 1 "$HOME/moving.dat" | grep -c 'vfs_read()'
ringside report --func vfs_read "$HOME/moving.dat" | grep '\[001\]' | grep -c 'vfs_read()'
echo "== what other CPUs have seen is read for calls only"
ringside count --cpu 1 --csv --columns event,count "$HOME/moving.dat" | tr -d '\r' | sed 1d | sort
grep -c '^1 .*funcgraph_entry' "$HOME/plan"
grep -c '^1 .*funcgraph_exit' "$HOME/plan"
(cd "$HOME" && ringside funcs --cpu 7 moving.dat)

# System calls, and waits for a CPU after a wakeup, by a plan of the same kind. A line for each: of a call the CPU on which it began, its beginning, its
# total; of a wait the CPU on which it ended, its beginning, its length, who woke, from which CPU.
awk -v plan="$HOME/plan" -v calls="$HOME/syscalls" -v waits="$HOME/waits" 'BEGIN {
	srand(11)
	for (t = 100; t < 104; t++)
		print "task " t " task" t > plan
	split("getpid getppid gettid", names); split("39 110 186", ids)
	for (now = 1000; steps++ < 3000 || open; now += 1 + int(rand() * (rand() < .3 ? 9000 : 300))) {
		t = 100 + int(rand() * 4)
		if (rand() < .3 || !(t in cpu))
			cpu[t] = int(rand() * 4)
		if (!(t in inside)) {
			if (steps >= 3000)
				continue
			inside[t] = 1 + int(rand() * 3); began[t] = now; on[t] = cpu[t]; open++
			print cpu[t], now, t, "sys_enter id=" ids[inside[t]] > plan
		} else {
			print cpu[t], now, t, "sys_exit id=" ids[inside[t]], "ret=5" > plan
			print names[inside[t]], on[t], began[t], now - began[t], cpu[t] > calls
			delete inside[t]; open--
		}
	}
	for (steps = 0; steps < 1000; steps++) {
		by = int(rand() * 4); to = int(rand() * 4); t = 200 + int(rand() * 3)
		now += 10 + int(rand() * 300); since = now
		print by, now, 300 + by, "sched_wakeup pid=" t, "target_cpu=" to > plan
		now += 10 + int(rand() * 9000)
		print to, now, 0, "sched_switch prev_pid=0 prev_state=0 next_pid=" t > plan
		print to, since, now - since, 300 + by, by > waits
		now += 100
		print to, now, t, "sched_switch prev_pid=" t, "prev_state=1 next_pid=0" > plan
	}
}'
plan "$DATA/events.dat" "$HOME/moving.dat" < "$HOME/plan"
awk '{ moved += $2 != $5 } END { print NR " system calls, of which " moved " ended on another CPU" }' "$HOME/syscalls"
awk '{ moved += $1 != $5 } END { print NR " waits, of which " moved " began by another CPU" }' "$HOME/waits"
for cpus in 0 1-2 0-3; do
	pattern="^[$cpus]\$"
	echo "== --cpu $cpus"
	awk -v cpus="$pattern" '$2 ~ cpus { n[$1]++; t[$1] += $4; if ($4 > high[$1]) high[$1] = $4 } END { for (f in n) print f "," n[f] "," t[f] "," high[f] }' "$HOME/syscalls" | sort > "$HOME/want"
	ringside syscalls --cpu "$cpus" -c --csv --columns syscall,calls,total,max "$HOME/moving.dat" | tr -d '\r' | sed 1d | sort | diff "$HOME/want" - && echo "syscalls -c: the same"
	ringside syscalls --cpu "$cpus" -q "$HOME/moving.dat" | sed -nE 's/.* (get[a-z]*)(\(\)| resumed>\)) .*= 5$/\1/p' | sort | uniq -c | awk '{ print $2 "," $1 }' | diff <(cut -d, -f1,2 "$HOME/want") - && echo "syscalls: the same"
	ringside report --profile --cpu "$cpus" "$HOME/moving.dat" | sed -n 's/.*sys_enter:\([0-9]*\) (\([0-9]*\)) Total: \([0-9]*\) Avg: [0-9]* Max: \([0-9]*\)(.*/\1 \2 \3 \4/p' |
		awk 'BEGIN { name[39] = "getpid"; name[110] = "getppid"; name[186] = "gettid" } { n[$1] += $2; t[$1] += $3; if ($4 > high[$1]) high[$1] = $4 }
			END { for (id in n) print name[id] "," n[id] "," t[id] "," high[id] }' | sort | diff "$HOME/want" - && echo "report --profile: the same"
	awk -v cpus="$pattern" '$2 ~ cpus { print $3 "," $3 + $4 "," $2 "," $4 "," $1 }' "$HOME/syscalls" | sort -n > "$HOME/want"
	ringside sql --cpu "$cpus" --csv 'SELECT ts, "end", cpu, total, syscall FROM syscalls ORDER BY ts' "$HOME/moving.dat" | tr -d '\r' | sed 1d | diff "$HOME/want" - && echo "sql, syscalls: the same"
	awk -v cpus="$pattern" '$1 ~ cpus { print $2 "," $1 "," $3 "," $4 "," $5 }' "$HOME/waits" > "$HOME/want"
	ringside sql --cpu "$cpus" --csv 'SELECT ts, cpu, queued, by_pid, by_cpu FROM wakeups ORDER BY ts' "$HOME/moving.dat" | tr -d '\r' | sed 1d | diff "$HOME/want" - && echo "sql, wakeups: the same"
	ringside report -q -w --cpu "$cpus" "$HOME/moving.dat" | sed -n 's/.* \[00\([0-9]\)\] .*Latency: \([0-9]*\)\.\([0-9]*\) usecs/\1,\2\3/p' | sed 's/,0*/,/' |
		diff <(cut -d, -f2,3 "$HOME/want") - && echo "report -w: the same"
done

echo "== --align-ts: a wakeup on another CPU is before the first record that is shown, and its wait is told all the same"
{
	echo "task 8 eight"
	echo "0 1000 7 sched_wakeup pid=8 target_cpu=1"
	for ((i = 0; i < 2000; i++)); do echo "1 $((2000 + i)) 9 sched_wakeup pid=10 target_cpu=1"; done
	echo "1 5000 9 sched_switch prev_pid=9 prev_state=0 next_pid=8"
} | plan "$DATA/events.dat" "$HOME/before.dat"
ringside report -q -w --cpu 1 --align-ts "$HOME/before.dat" | grep -o 'Latency: [0-9.]*'
