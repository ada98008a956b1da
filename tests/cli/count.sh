# count against awk over the raw fields of the plain report.
cd "$DATA"

# "VALUE,COUNT" of a field of an event, or of several with blanks between them.
by_awk() { # by_awk FILE EVENT FIELD...
	local file=$1 event=$2
	shift 2
	ringside report -R "$file" --only-event "$event" | awk -v names="$*" '
	function number(name, v) { v = " " $0; return sub(".* " name "=", "", v) ? substr(v, 1, match(v " ", / /) - 1) : "" }
	/^cpus=/ { next }
	{ n = split(names, all, " "); key = ""; for (i = 1; i <= n; i++) key = key number(all[i]) ","; count[key]++ }
	END { for (key in count) print key count[key] }' | LC_ALL=C sort
}
us() { ringside count --csv "$@" | tail -n +2 | LC_ALL=C sort; }
same() { # same WHAT: the files awk and us are equal, and not empty
	diff awk us && echo "$1: $(wc -l <us) rows as awk's"
}

echo '# events'
ringside report events.dat --only-event 'sched' | sed -n 's/^.* [0-9.]*: \([a-z_]*\): .*/\1/p' | sort | uniq -c | awk '{ print "sched:" $2 "," $1 }' | LC_ALL=C sort >awk
us 'sched:*' events.dat --columns event,count | grep -v ',0$' >us
same 'sched:*'
ringside count --only-event irq events.dat
echo '# by fields'
by_awk events.dat kmem:kmalloc bytes_req bytes_alloc >awk
us kmalloc events.dat --by bytes_req,bytes_alloc --columns bytes_req,bytes_alloc,count >us
same 'kmalloc by two numbers'
by_awk events.dat sched_wakeup comm >awk
us sched_wakeup --by args.comm --columns args.comm,count events.dat >us
same "sched_wakeup by the event's own comm"
ringside report events.dat --only-event sched_wakeup | sed -n 's/^ *\(.*\)-[0-9]* *\[\([0-9]*\)\].*/\1,\2/p' | sort | uniq -c | awk '{ n = $1; $1 = ""; sub(/^ /, ""); sub(/,0*/, ","); sub(/,$/, ",0"); print $0 "," n }' | LC_ALL=C sort >awk
us sched_wakeup --by comm,cpu --columns comm,cpu,count events.dat >us
same 'sched_wakeup by the task that wakes and its CPU'
echo '# log2 and buckets: each row is the least number that belongs to it'
by_awk events.dat kmem:kmalloc bytes_req | awk -F, '{ low = 1; while (low * 2 <= $1) low *= 2; n[low] += $2 } END { for (low in n) print low "," n[low] }' | LC_ALL=C sort >awk
us kmalloc --by bytes_req.log2 --columns bytes_req.log2,count events.dat >us
same log2
by_awk events.dat kmem:kmalloc bytes_req | awk -F, '{ n[int($1 / 100) * 100] += $2 } END { for (low in n) print low "," n[low] }' | LC_ALL=C sort >awk
us kmalloc --by bytes_req.buckets=100 --columns bytes_req.buckets=100,count events.dat >us
same buckets
echo '# sums, and a condition'
by_awk events.dat kmem:kmalloc bytes_req bytes_alloc | awk -F, '$1 > 200 { n[$1] += $3; sum[$1] += $2 * $3 } END { for (k in n) print k "," n[k] "," sum[k] }' | LC_ALL=C sort >awk
us kmalloc --by bytes_req --sum bytes_alloc -f 'bytes_req > 200' --columns bytes_req,count,sum events.dat >us
same 'kmalloc above 200'
echo '# names of numbers'
ringside count sys_enter --by id.syscall -n 4 events.dat
ringside count kmalloc --by call_site.sym,bytes_req.log2 --sum bytes_alloc -n 3 --sort -sum events.dat
ringside count sched_switch --by prev_pid.execname,prev_prio.hex,next_pid -n 3 events.dat
echo '# a task that was preempted has another state than one that gave way: R+, as the print format of sched_switch has it'
plan events.dat "$HOME/states.dat" <<END
0 1000 7 sched_switch prev_pid=7 prev_state=0 next_pid=8
0 2000 8 sched_switch prev_pid=8 prev_state=0x100 next_pid=7
0 3000 7 sched_switch prev_pid=7 prev_state=0x100 next_pid=8
0 4000 8 sched_switch prev_pid=8 prev_state=3 next_pid=7
END
ringside count sched_switch --by prev_state --columns prev_state,count --csv "$HOME/states.dat"
ringside dist sched_switch.prev_pid --by prev_state "$HOME/states.dat" | sed '/^$/q'
ringside export --to jsonl "$HOME/states.dat" | grep -o '"prev_state":[^}]*_name":"[^"]*"'
echo '# stacks: as report prints them, without what is tracing itself; the stack behind an event is of the last one of its CPU'
ringside report function-stacks.dat | awk '
	function over() { if (cpu != "" && path != "") n[event[cpu] "," path]++; else if (cpu != "") n[event[cpu] ","]++; event[cpu] = ""; cpu = path = "" }
	/^=> / { if (!(path == "" && $2 ~ /^(trace_event_raw_event_|__traceiter_)/)) path = $2 (path == "" ? "" : ";" path); next }
	cpu != "" { over() }
	match($0, /\[[0-9]+\]/) { at = substr($0, RSTART, RLENGTH) }
	/ kernel_stack: / { cpu = at; next }
	match($0, /[0-9]: +[a-z_]+:/) { name = substr($0, RSTART + 1, RLENGTH - 2); sub(/.* /, "", name); if (event[at] != "") n[event[at] ","]++; event[at] = name }
	END { over(); for (at in event) if (event[at] != "") n[event[at] ","]++; for (k in n) print k "," n[k] }' | LC_ALL=C sort >awk
us --by event,stack --columns event,stack,count function-stacks.dat | sed 's/^[a-z]*://' | LC_ALL=C sort >us
same 'events by stack'
ringside count sched_switch --by comm,stack -n 2 function-stacks.dat
ringside count sched_wakeup --by stack events.dat --json | grep -c "\"stack\": *null"
ringside count sched_switch --by stack --csv -n 1 --sort stack function-stacks.dat
ringside count sched_switch --by args.stack function-stacks.dat
ringside count sched_switch --by stack.sym function-stacks.dat; echo $?
echo '# functions'
ringside report function-stacks.dat | sed -n 's/.* function: *\(vfs_r[a-z_]*\).*/\1/p' | sort | uniq -c | awk '{ print $2 "," $1 }' | LC_ALL=C sort >awk
us --func 'vfs_r*' --columns ip.sym,count function-stacks.dat >us
same 'vfs_r*'
echo '# a table for each period, from the first of the events on'
ringside report -t events.dat --only-event 'sched' | sed -n 's/^.* \([0-9]*\)\.\([0-9]*\): *\([a-z_]*\): .*/\1\2 sched:\3/p' |
	awk '!n++ { first = $1 } { at = first + int(($1 - first) / 100000000) * 100000000; count[sprintf("%.0f", at) "," $2]++ } END { for (key in count) print key "," count[key] }' |
	LC_ALL=C sort >awk
us 'sched:*' events.dat --every 100ms --columns ts,event,count | grep -v ',0$' >us
same 'sched:* each 100 ms'
ringside count 'sched:*' events.dat --every 100ms --json | python3 -c 'import json, sys; rows = json.load(sys.stdin)["rows"]
for row in rows:
	if row["count"]: print(row["ts"], row["event"], row["count"], sep=",")' | LC_ALL=C sort >us
same 'and as JSON'
ringside count kmalloc --by bytes_req.log2 --sum bytes_alloc --every 200ms -n 2 events.dat
echo "rows with 0, where events are told apart by keys: $(ringside count sched_switch --by comm --every 100ms --csv --columns count events.dat | grep -c '^0$')"
ringside count --every 0 events.dat; echo $?
# A period has its first moment and not its last; 2 ms without events have no rows. Ticks are no time.
records='
0 1000000 7 sched_waking pid=7
0 1999999 7 sched_waking pid=7
0 2000000 7 sched_waking pid=7
0 5000000 7 sched_waking pid=7
1 5500000 7 sched_waking pid=7'
cd "$OLDPWD" || exit
plan "$DATA/events.dat" periods.dat <<<"$records"
plan "$DATA/events.dat" ticks.dat <<<"clock x86-tsc$records"
ringside count sched_waking --every 1ms --csv periods.dat
ringside count sched_waking --every 1ms periods.dat
ringside count sched_wakeup --every 1ms --json periods.dat
ringside count sched_waking --every 1ms ticks.dat; echo $?
cd "$DATA" || exit
echo '# refused'
ringside count nosuch events.dat; echo $?
ringside count kmalloc --by nofield events.dat; echo $?
for by in byte_req comn args.comn args.byte_req.log2; do ringside count kmalloc --by $by events.dat; done
for sum in bytes_allc gfp_flag nofield; do ringside count kmalloc --sum $sum events.dat; done
ringside count kmalloc --by bytes_req.lg2 events.dat; echo $?
ringside count kmalloc --by bytes_req.buckets events.dat
ringside count kmalloc --by bytes_req.buckets=0 events.dat
ringside count kmalloc --by comm.log2 events.dat
ringside count sched_switch --by prev_comm.log2 events.dat
ringside count sched_switch --sum prev_comm events.dat
ringside count kmalloc --by '' events.dat
ringside count kmalloc --by cpu,cpu events.dat
ringside count kmalloc -f 'nofield > 3' events.dat
ringside count -- true; echo $?
ringside count --func 'vfs_*' kmalloc events.dat
ringside count --in kernel events.dat; echo $?
ringside count --in bpf events.dat; echo $?
ringside count --in bpf --func vfs_read -- true; echo $?
ringside count --in nowhere events.dat
ringside count --map-size 3 events.dat
ringside count -r 3 kmalloc events.dat; echo $?
ringside count -r 3 -a sched_switch; echo $?
ringside count -r 3 --every 1s sched_switch -- true
ringside count -r 3 --sum prev_pid sched_switch -- true
ringside count -r 0 sched_switch -- true
ringside count -r 3 --sort count sched_process_exec -- true; echo $?
ringside count /; echo $?
ringside count /dev/null; echo $?
echo '# several files'
for i in 1 2 3 4; do ln -sf "$DATA/marker.dat" m$i.dat; done
for files in m1.dat 'm1.dat m2.dat' 'm1.dat m2.dat m3.dat' 'm1.dat m2.dat m3.dat m4.dat m1.dat'; do
	ringside count sched_wakeup $files | head -n 3
done
rm m[1-4].dat
echo '# names that only the events tell, as report has them: from then on'
plan "$DATA/openat2.dat" names.dat <<END
0 1000 4242 kmem:kmalloc bytes_alloc=64
0 2000 0 sched_switch prev_comm=0 prev_pid=0 next_comm=0x70657267 next_pid=4242
0 3000 4242 kmem:kmalloc bytes_alloc=64
0 4000 4242 kmem:kmalloc bytes_alloc=64
END
ringside report names.dat | awk '/-4242 / { print $1 }' | sort | uniq -c
ringside count --by event,comm --csv --columns event,comm,count names.dat
rm names.dat
echo '# the same, where the records that tell the names are not taken in: a task that names itself, one that another one names, one without a name'
plan "$DATA/openat2.dat" names.dat <<END
event x begin 3000 v:8
event x end 3001 v:8
0 1000 4242 x:begin v=1
0 2000 0 sched_switch prev_comm=0 prev_pid=0 next_comm=0x70657267 next_pid=4242
0 3000 4242 x:end v=2
0 4000 4242 x:begin v=3
0 5000 4242 sched_switch prev_comm=0x70657267 prev_pid=4242 next_comm=0x6b7761 next_pid=4243
0 6000 4243 x:begin v=4
0 7000 4243 x:end v=5
0 8000 4244 x:begin v=6
0 9000 4244 x:end v=7
END
row() { sed -n 's/.*\("comm": "[^"]*", "count": [0-9]*\).*/\1/p' | LC_ALL=C sort; }
ringside report names.dat | awk '/ begin: | end: / { sub(/-[0-9]*$/, "", $1); n[$1]++ } END { for (k in n) print k, n[k] }' | LC_ALL=C sort
ringside count x:begin x:end --by comm --json names.dat | row
ringside count x:begin,x:end --by comm --comm grep --json names.dat | row
ringside dist x:end.v --by comm --json names.dat | row
ringside latency --from x:begin --to x:end --on common_pid --by comm --json names.dat | row
rm names.dat
echo '# a field without a sign is one in every form, also above half of what 64 bits hold; the smallest comes first. A field with a sign keeps it'
plan "$DATA/events.dat" large.dat <<END
event x ev 3000 v:8
0 1000 7 x:ev v=18446744073709551615
0 2000 7 x:ev v=9223372036854775808
0 3000 7 x:ev v=5
0 4000 7 x:ev v=9223372036854775807
0 5000 7 sched_process_free pid=3 prio=0xfffffffb
0 6000 7 sched_process_free pid=3 prio=120
END
for by in v v.log2 v.buckets=1000; do
	ringside count x:ev --by $by --csv --columns $by,count --sort $by large.dat
done
ringside count x:ev --by v --json --columns v,count --sort -v -n 2 large.dat | grep '^{"v'
ringside count x:ev --by v --columns v,count --sort v large.dat
ringside count sched_process_free --by prio --csv --columns prio,count --sort prio large.dat
ringside count sched_process_free --by prio.log2 --csv --columns prio.log2,count --sort prio.log2 large.dat
rm large.dat
# who forgets the -- before a command
mkdir nothing && cd nothing && { ringside count sched_switch true; echo $?; ringside latency wakeup; ringside syscalls; }
