# latency of recordings, against awk over the plain report.
cd "$DATA"

# "COUNT MIN MAX SUM" in us of a pair; the key of the beginning and of the end are what stands behind these words.
by_awk() { # by_awk FILE FROM FROM-KEY TO TO-KEY
	ringside report -t "$1" --only-event "$2,$4" -R | awk -v from="$2" -v a="$3" -v to="$4" -v b="$5" '
	function number(name, v) { v = " " $0; return sub(".* " name "=", "", v) ? substr(v, 1, match(v " ", / /) - 1) : "" }
	function ns(v) { match($0, / [0-9]+\.[0-9]+: /); v = substr($0, RSTART + 1, RLENGTH - 3); sub(/\./, "", v); return v + 0 }
	/^cpus=/ { next }
	$0 ~ " " to ": " { k = number(b); if (k in since) { d = ns() - since[k]; delete since[k]; n++; sum += d; if (n == 1 || d < min) min = d; if (d > max) max = d } }
	$0 ~ " " from ": " { since[number(a)] = ns() }
	END { printf "%d %d %d %d\n", n, min, max, sum }'
}
us() { ringside latency --json "$@" | tr '{' '\n' | sed -n 's/.*"count": \([0-9]*\), "sum": \([0-9]*\), .*"min": \([0-9]*\), .*"max": \([0-9]*\)}.*/\1 \3 \4 \2/p'; }
same() { [ -s awk ] && diff awk us && echo "$1: as awk"; }

echo '# against awk'
by_awk events.dat sched_waking pid sched_switch next_pid >awk
us wakeup events.dat >us
same wakeup
by_awk events.dat sched_waking pid sched_wakeup pid >awk
us --from sched:sched_waking --to sched:sched_wakeup --on pid events.dat >us
same 'waking to wakeup'
echo '# for people'
ringside latency softirq events.dat -n 1
ringside latency wakeup --by comm events.dat --csv | head -n 4
echo '# the longest: what report prints of the event that ended it, and the stack behind that'
ringside latency wakeup events.dat -n 1 --json | python3 -c 'import json, sys; all = json.load(sys.stdin); ts = all["outliers"][0]["ts"]
print("%d.%09d" % (ts // 10**9, ts % 10**9), " ".join(row["field"] + "=" + row["text"] for row in all["worst"] if row["field"] != "prev_state"))' >us
ringside report -t -R events.dat --only-event sched_switch | grep -F " $(cut -d ' ' -f 1 us): sched_switch:" | sed 's/.* \([0-9.]*\): sched_switch: */\1 /; s/ prev_state=[0-9]*//' >awk
same 'the longest wakeup'
ringside latency --from sched_switch --to sched_switch --on next_pid=prev_pid function-stacks.dat -n 1 --json | python3 -c 'import json, sys; all = json.load(sys.stdin); ts = all["outliers"][0]["ts"]
print("%d.%09d" % (ts // 10**9, ts % 10**9)); print("\n".join(reversed([row["text"] for row in all["worst"] if row["field"] == "stack"][0].split(";"))))' >us
ringside report -t function-stacks.dat | awk -v ts="$(head -n 1 us)" '$0 ~ " " ts ": sched_switch" { found = 1; print ts; match($0, /\[[0-9]+\]/); cpu = substr($0, RSTART, RLENGTH); next }
	found == 1 && index($0, cpu) && / kernel_stack: / { found = 2; next } found == 2 && /^=> / { if ($2 !~ /^(trace_event_raw_event_|__traceiter_)/) print $2; next } found == 2 { exit }' >awk
same 'its stack'
ringside latency --from sched_switch --to sched_switch --on next_pid=prev_pid function-stacks.dat -n 1 | tail -n 18
ringside latency wakeup --over 10s events.dat --json | grep -c '"worst"'
echo '# a condition, long ones'
us --from 'sched:sched_waking/pid > 100/' --to sched:sched_switch --on pid=next_pid --over 1ms events.dat
ringside latency wakeup events.dat --over 1ms --json | tr ' ' '\n' | grep -c '"value":'
echo '# calls of a function, as report tells when they begin and return'
ringside latency function:mutex_unlock openat2.dat --json >ours; ringside dist mutex_unlock openat2.dat --json >theirs
diff <(grep -o '"rows".*' ours) <(grep -o '"rows".*' theirs) && diff <(tr '{' '\n' <ours | grep '"count"') <(tr '{' '\n' <theirs | grep '"count"') && echo "as dist's"
ringside funcs openat2.dat --csv --columns function,calls,min,p50,max 2>/dev/null | grep ^mutex_unlock,
ringside latency function:mutex_unlock openat2.dat 2>/dev/null -n 0 | head -n 3
ringside latency function:mutex_unlock openat2.dat --over 100us -n 0 2>/dev/null | head -n 3
ringside latency function: openat2.dat
ringside latency function:nosuch openat2.dat; echo $?
printf 'task 1 x\n0 1000 1 funcgraph_entry func=@vfs_read depth=0\n' | plan openat2.dat "$HOME/open.dat" && (cd "$HOME" && ringside latency function:vfs_read open.dat)
ringside latency function:mutex_unlock --in kernel openat2.dat
echo '# each one over the limit: as many lines as there are outliers, the same ones'
ringside latency wakeup events.dat --over 1ms --trace --by comm -n 0 | head -n 3
ringside latency wakeup events.dat --over 200us -n 1000 --json | tr '{' '\n' | sed -n 's/.*"task": "\(.*\)", "cpu": \([0-9]*\), "value": \([0-9]*\).*/\1 \2 \3/p' | sed 's|^<idle>/[01]|<idle>-0|' | sort >theirs
ringside latency wakeup events.dat --over 200us --trace -n 0 | sed -n 's/^ *\(.*-[0-9]*\) *\[0*\([0-9][0-9]*\)\] .*: wakeup: \([0-9]*\)\.\([0-9]*\) us$/\1 \2 \3\4/p' | sort >ours
diff theirs ours && wc -l <ours
ringside latency wakeup events.dat --trace --json; echo $?
echo '# heat: its lines and columns have all that the bars have'
ringside latency wakeup events.dat --heat -n 0 | tail -n 9
ringside latency wakeup events.dat --heat --json | python3 -c 'import json, sys, collections
told = json.load(sys.stdin)
lines = collections.Counter()
for row in told["heat"]: lines[row["from"], row["to"]] += row["count"]
print(lines == {(row["from"], row["to"]): row["count"] for row in told["rows"] if row["count"]}, len({row["ts"] for row in told["heat"]}) <= 64)'
ringside latency wakeup events.dat -n 0 --heat --over 1ms | tail -n 2
echo '# rt_sigreturn: at its exit the number is -1, as the kernel has put back the registers that the signal had interrupted'
plan events.dat "$HOME/sigreturn.dat" <<END
0 1000000 7 sys_enter id=0
0 1005000 7 sys_exit id=0 ret=1
0 1010000 7 sys_enter id=15
0 1030000 7 sys_exit id=0xffffffffffffffff ret=0
0 1040000 7 sys_enter id=1
0 1042000 7 sys_exit id=1 ret=5
END
for call in rt_sigreturn read write; do
	ringside latency syscall:$call --json "$HOME/sigreturn.dat" | sed -n 's/.*\("count": [0-9]*, "sum": [0-9]*\).*/\1/p'
done
ringside funcs --pair syscall:rt_sigreturn --csv --columns function,calls,cut,total "$HOME/sigreturn.dat" 2>/dev/null
ringside slow syscall:rt_sigreturn "$HOME/sigreturn.dat" 2>/dev/null | head -n 2
echo '# whose times: the task that a key names, also where the time ends in another one; without such a key, the task of the event that ends the time'
plan events.dat "$HOME/woken.dat" <<END
0 1000 100 sched_waking pid=200 comm=0x70657267
0 5000 100 sched_switch prev_comm=0x6873 prev_pid=100 prev_state=1 next_comm=0x70657267 next_pid=200
0 6000 200 sched_waking pid=300 comm=0x6b7761
0 6500 200 sched_wakeup pid=300 comm=0x6b7761
0 8000 200 sched_switch prev_comm=0x70657267 prev_pid=200 prev_state=1 next_comm=0x6b7761 next_pid=300
0 9000 300 sched_switch prev_comm=0x6b7761 prev_pid=300 prev_state=1 next_comm=0 next_pid=0
END
while read -r pair; do
	echo "$pair:"
	for by in comm pid common_pid; do
		# shellcheck disable=SC2086
		ringside latency $pair --by $by --json "$HOME/woken.dat" | python3 -c 'import json, sys; told = json.load(sys.stdin)
print(" ", *list(told["summary"][0])[:1], *[row[sys.argv[1]] for row in told["summary"]], "|", *[row["task"] for row in told["outliers"]])' $by
	done
done <<END
wakeup
--from sched_waking --to sched_switch --on pid=next_pid
--from sched_waking --to sched_wakeup --on pid
--from sched_switch --to sched_switch --on next_pid=prev_pid
--from sched_waking --to sched_switch --on common_pid=prev_pid
--from sched_waking --to sched_switch --on common_cpu
END
ringside latency wakeup "$HOME/woken.dat" --trace -n 0 | head -n 2
ringside latency wakeup "$HOME/woken.dat" -n 1 | grep -A 1 TASK
echo '# the key has the same names for all kinds; --columns still takes the names that it once had'
for by in comm pid; do
	ringside latency -q wakeup --by $by --csv "$HOME/woken.dat" | head -n 1
	ringside latency -q wakeup --by $by --columns next_$by,count --csv "$HOME/woken.dat"
	ringside latency -q syscall --by $by --csv "$HOME/sigreturn.dat" | head -n 1
done
ringside latency wakeup --columns next_comm "$HOME/woken.dat"
ringside latency syscall --by comm --columns next_comm "$HOME/sigreturn.dat"
echo '# refused'
ringside latency nosuch events.dat; echo $?
ringside latency page-fault events.dat
ringside latency
ringside latency wakeup --from a events.dat
ringside latency --from sched_waking --to sched_switch events.dat
ringside latency --from sched_waking --to sched_switch --on nofield events.dat
ringside latency --from sched_waking --to sched_switch --on =pid events.dat
ringside latency --from sched_waking/pid --to sched_switch --on pid events.dat
ringside latency --from sched_waking --to nosuch --on pid events.dat
ringside latency syscall:nosuch events.dat
ringside latency syscall:opnat events.dat
ringside latency wakeup --by nofield events.dat
ringside latency wakeup --in kernel events.dat
ringside latency wakeup --in bpf events.dat
ringside latency wakeup --in bpf --heat -a
ringside latency irq function-stacks.dat; echo $?
ringside latency migrate openat2.dat 2>&1
echo '# several files: which of them add nothing is told, and the numbers are those of the others'
cp openat2.dat "$HOME/none.dat"
ringside latency wakeup --csv events.dat "$HOME/none.dat" kprobes.dat 2>"$HOME/said" | cmp - <(ringside latency wakeup --csv events.dat) && echo the same
sed "s|$HOME/||" "$HOME/said"
ringside latency -q wakeup --csv "$HOME/none.dat" events.dat | cmp - <(ringside latency wakeup --csv events.dat) && echo the same
ringside latency wakeup --csv events.dat events.dat | wc -l
echo '# the first line names all files'
(cd "$HOME" && ringside latency wakeup none.dat woken.dat | head -n 1 && ringside latency wakeup woken.dat none.dat woken.dat | head -n 1) 2>/dev/null
