# --profile against sums that awk makes of the plain report.
cd "$DATA"
ringside report -t events.dat >"$HOME/plain"
ringside report --profile events.dat >"$HOME/profile"
sums() { sort -k 1,1n -k 2,2n | awk '{ print $1, $2, $3, $4 }'; }

echo "== system calls: task, number, how many, how long"
awk '{ pid = $1; sub(/.*-/, "", pid); t = $4; sub(/:/, "", t); split(t, at, "."); ns = at[1] * 1000000000 + at[2] }
	$5 == "sys_enter:" { open[pid, $7] = ns }
	$5 == "sys_exit:" && (pid, $7) in open {
		n[pid " " $7]++; total[pid " " $7] += ns - open[pid, $7]; delete open[pid, $7] }
	END { for (k in n) printf "%s %d %d\n", k, n[k], total[k] }' "$HOME/plain" | sums >"$HOME/want"
awk '/^task: / { pid = $2; sub(/.*-/, "", pid) }
	/Event: sys_enter:/ { gsub(/.*sys_enter:|\(|\)/, "", $0); print pid, $1, $2, $4 }' "$HOME/profile" | sums >"$HOME/got"
diff "$HOME/want" "$HOME/got" && echo "the same: $(wc -l <"$HOME/got") lines"

echo "== on and off the CPU: task, how often, how long"
awk '{ t = $4; sub(/:/, "", t); split(t, at, "."); ns = at[1] * 1000000000 + at[2] }
	$5 == "sched_switch:" {
		text = $0; sub(/.*sched_switch: */, "", text)
		split(text, side, " ==> ")
		prev = side[1]; sub(/ \[.*/, "", prev); sub(/.*:/, "", prev)
		next_ = side[2]; sub(/ \[.*/, "", next_); sub(/.*:/, "", next_)
		if (prev + 0 && prev in on) { n["1 " prev]++; total["1 " prev] += ns - on[prev] }
		if (next_ + 0 && next_ in off) { n["2 " next_]++; total["2 " next_] += ns - off[next_] }
		off[prev] = on[next_] = ns }
	END { for (k in n) printf "%s %d %d\n", k, n[k], total[k] }' "$HOME/plain" | sums >"$HOME/want"
awk '/^task: / { pid = $2; sub(/.*-/, "", pid) }
	/Event: sched_switch:/ && pid + 0 {
		way = $0 ~ /:running/ ? 1 : 2; gsub(/.*sched_switch:[^ ]* \(|\)/, "", $0)
		n[way " " pid] += $1; total[way " " pid] += $3 }
	END { for (k in n) printf "%s %d %d\n", k, n[k], total[k] }' "$HOME/profile" | sums >"$HOME/got"
diff "$HOME/want" "$HOME/got" && echo "the same: $(wc -l <"$HOME/got") lines"

echo "== -G: handlers of interrupts by CPU"
awk '{ cpu = $2 + 0; gsub(/\[|\]/, "", $2); cpu = $2 + 0; t = $4; sub(/:/, "", t); split(t, at, "."); ns = at[1] * 1000000000 + at[2] }
	$5 == "irq_handler_entry:" { open[cpu] = ns }
	$5 == "irq_handler_exit:" && cpu in open { n[cpu]++; total[cpu] += ns - open[cpu]; delete open[cpu] }
	END { for (k in n) printf "%d %d %d\n", k, n[k], total[k] }' "$HOME/plain"
ringside report --profile -G events.dat | awk '/^Global/ { gsub(/[^0-9]/, ""); cpu = $0 } /^task/ { cpu = "task" }
	/irq_handler_entry:/ { gsub(/.*irq_handler_entry:[0-9]* \(|\)/, "", $0); print cpu, $1, $3 }'

echo "== waits after wakeups are those of sched, also if the task was awake, was preempted, or has run unseen"
plan events.dat "$HOME/waits.dat" <<'END'
task 7 waker
task 8 sleeper
task 9 other
1 1000 8 sched_switch prev_pid=8 prev_state=1 next_pid=9
0 2000 7 sched_wakeup pid=8
1 3000 9 sched_switch prev_pid=9 prev_state=1 next_pid=8
0 4000 7 sched_wakeup pid=8
1 5000 8 sched_switch prev_pid=8 prev_state=1 next_pid=9
0 7000 7 sched_wakeup pid=8
1 7500 9 sched_switch prev_pid=9 prev_state=1 next_pid=8
1 8000 8 sched_switch prev_pid=8 prev_state=0 next_pid=9
0 8300 7 sched_wakeup pid=8
1 9000 9 sched_switch prev_pid=9 prev_state=1 next_pid=8
1 10000 8 sched_switch prev_pid=8 prev_state=1 next_pid=9
0 10100 7 sched_wakeup pid=8
0 10300 7 sched_wakeup pid=8
1 10400 9 sched_switch prev_pid=9 prev_state=1 next_pid=8
END
ringside report --profile --comm sleeper "$HOME/waits.dat" | grep sched_wakeup
ringside sched --csv --columns queued,max --comm sleeper "$HOME/waits.dat" 2>/dev/null

echo "== record -F 7 leaves out the switches between 8, 9 and the idle task: their times can be wrong. With all switches, nothing is said"
chosen() {
	cat <<'END'
task 7 seven
0 1000 0 sched_switch prev_pid=0 prev_state=0 next_pid=7
0 2000 7 sched_switch prev_pid=7 prev_state=1 next_pid=8
0 5000 9 sched_switch prev_pid=9 prev_state=1 next_pid=7
0 6000 7 sched_switch prev_pid=7 prev_state=1 next_pid=8
0 8000 9 sched_switch prev_pid=9 prev_state=1 next_pid=7
END
}
cd "$HOME" || exit
chosen | plan "$DATA/events.dat" chosen.dat
chosen | sed '/^0 5000/i 0 3000 8 sched_switch prev_pid=8 prev_state=1 next_pid=9' | sed '/^0 8000/i 0 6500 8 sched_switch prev_pid=8 prev_state=1 next_pid=9' |
	plan "$DATA/events.dat" every.dat
ringside report --profile chosen.dat | tail -n 1
ringside report --profile --csv chosen.dat 2>&1 >/dev/null
ringside report --profile every.dat | grep -c 'can be wrong'
cd "$DATA" || exit

echo "== other events are counted"
for event in kmalloc sched_waking; do
	awk -v e="$event:" '$5 == e { n++ } END { print n }' "$HOME/plain"
	awk -v e="$event" '$2 == e { gsub(/[()]/, "", $3); n += $3 } END { print n }' "$HOME/profile"
done

echo "== -H: as irq_handler_entry is timed already; p: of the CPU"
ringside report --profile -H 'irq:irq_handler_entry,irq/irq_handler_exit,irq,P' events.dat | grep -o 'irq_handler_entry:.*' |
	sed 's/:0x19 /:25 /' | sort | uniq -c | awk '{ print $1 }' | sort | uniq -c
echo "== -H: the task of a field"
ringside report --profile --comm sleep -H 'sched_waking,pid,pid/sched_switch,next_pid' events.dat | grep -c 'sched_waking:0xa6 (2[12]) Total'
echo "== --comm, --pid"
ringside report --profile --comm 'sl*' events.dat | grep ^task
ringside report --profile --pid 164,167 events.dat | grep ^task
echo "== --by-comm: sums of the tasks of a name"
names() {
	awk -v by="$1" '$1 == by { name = $2; if (by == "task:") sub(/-[0-9]+$/, "", name) }
		/Event: / { sub(/.*Event: /, ""); what = $0; sub(/ \([0-9]+\).*/, "", what); sub(/^sched_wakeup(_new)?:[0-9]+$/, "&", what)
			if (what ~ /^sched_wakeup/) sub(/:.*/, "", what)
			count = $0; sub(/^[^(]*(\(\))? ?\(/, "", count); total = $0; if (!sub(/.* Total: /, "", total)) total = 0
			n[name " " what] += count; t[name " " what] += total }
		END { for (k in n) print k, n[k], t[k] }' "$2" | sort
}
names task: "$HOME/profile" >"$HOME/want"
ringside report --profile --by-comm events.dat >"$HOME/grouped"
names group: "$HOME/grouped" | diff "$HOME/want" - && echo "the same: $(wc -l <"$HOME/want") lines"
grep -c '^task:' "$HOME/grouped"
ringside report --profile --by-comm --comm 'sl*' events.dat | grep -A1 ^group
echo "== stacks branch where callers differ; branches add up to what they stand on"
ringside report --profile --comm ls function-stacks.dat >"$HOME/trees"
awk '/Event: / { at = 0; col[0] = 0; id[0] = ++ids; total[id[0]] = $5 }
	/[|+] / && index($0, "+ ") { c = index($0, "+ "); while (col[at] >= c) at--; up = id[at]; col[++at] = c; id[at] = ++ids
		getline; t = $0; sub(/.* time:/, "", t); total[id[at]] = t + 0; sum[up] += t; branches++ }
	END { for (i in sum) if (sum[i] != total[i]) print "branch", i, sum[i], total[i]; print branches, "branches" }' "$HOME/trees"
sed -n '/sched_switch:D/,/bprm_execve/p' "$HOME/trees"
echo "== stacks are of leaving the CPU; each adds up"
ringside report --profile --comm rcu_preempt function-stacks.dat
echo "== calls"
ringside report --profile openat2.dat | grep 'func: do_sys_openat2()'
n=0 total=0
while read -r call ret; do
	n=$((n + 1)) total=$((total + 0x$ret - 0x$call))
done < <(ringside report -R openat2.dat | sed -n 's/.*exit:.*func=do_sys_openat2 .*calltime=\([0-9a-f]*\) rettime=\([0-9a-f]*\)$/\1 \2/p')
echo "the fields of the records: $n, $total ns"
echo "== as a table: the lines without their times of day"
for of in "" --by-comm; do
	# shellcheck disable=SC2086
	ringside report --profile $of events.dat | sed -n 's/^  Event: \(.*\) (\([0-9]*\)).*Total: \([0-9]*\).*Max: \([0-9]*\).*/\1,\2,\3,\4/p' >"$HOME/want"
	# shellcheck disable=SC2086
	ringside report --profile $of --csv --columns event,count,total,max events.dat | sed 1d | grep -v ',,' | diff "$HOME/want" - &&
		echo "the same: $(wc -l <"$HOME/want") lines"
done
ringside report --profile --csv events.dat | head -1
ringside report --profile --json --columns comm,count -G events.dat | head -1
ringside report --profile --columns nme events.dat; echo $?
ringside report --csv events.dat; echo $?
echo "== refused"
ringside report --profile -H 'hrtimer_expire_entry,hrtimer' events.dat; echo $?
ringside report --profile -H 'a,b,c/d,e,g' events.dat; echo $?
ringside report --profile -H 'nope,a/b,c' events.dat; echo $?
ringside report --profile -H 'hrtimer_expire_entry,nope/hrtimer_expire_exit,c' events.dat; echo $?
ringside report -G events.dat; echo $?
ringside report --by-comm events.dat; echo $?
ringside report --profile --by-comm --tid 3 events.dat; echo $?
