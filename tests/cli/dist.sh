# dist against distributions that awk makes of the raw fields of the plain report.
cd "$DATA"

# numbers EVENT FIELD FILE: the field of each record, with the name of its task in front
numbers() {
	ringside report -R "$3" | awk -v event="$1:" -v field=" $2=" '
	index($0, " " event) && (i = index($0, field)) {
		v = substr($0, i + length(field)); sub(/ .*/, "", v)
		comm = $0; sub(/-[0-9]+ +\[.*/, "", comm); sub(/^ +/, "", comm)
		print comm, v
	}'
}
# durations FUNCTION FILE: of its calls, in ns
durations() {
	ringside report -R "$2" | sed -n "s/.*funcgraph_exit: .* func=$1 .*calltime=\([0-9a-f]*\) rettime=\([0-9a-f]*\).*/\1 \2/p" |
		while read -r from to; do echo "x $((0x$to - 0x$from))"; done
}
# sums: count, sum, least and largest, of the lines "KEY NUMBER"
sums() { sort -k2,2n | awk '{ n++; s += $2; if (n == 1) least = $2; last = $2 } END { printf "%d,%.0f,%.0f,%.0f\n", n, s, least, last }'; }
bars() { awk '{ from = 0; to = 0; if ($2 > 0) for (from = 1; from * 2 <= $2;) from *= 2; if ($2 > 0) to = from * 2 - 1
	if ($2 < 0) { for (to = 1; to * 2 <= -$2;) to *= 2; from = -(to * 2 - 1); to = -to } n[sprintf("%.0f,%.0f", from, to)]++ } END { for (b in n) print b "," n[b] }' | sort -t, -k1,1n; }
linear() { awk -v step="$1" '{ from = int($2 / step) * step; n[from]++ } END { for (b in n) print b "," b + step - 1 "," n[b] }' | sort -t, -k1,1n; }
# summary JSON: the same figures of the first distribution
summary() { sed -n '/"summary"/,/]/p' "$1" | sed -n 's/.*"count": \([0-9]*\), "sum": \(-*[0-9]*\), .*"min": \(-*[0-9]*\), .*"max": \(-*[0-9]*\).*/\1,\2,\3,\4/p' | head -1; }
same() { diff "$1" "$2" && echo "the same: $(wc -l <"$1")"; }

# each WHAT FILE [OPTION...]: bars and sums of $HOME/numbers
each() {
	ringside dist --csv --columns from,to,count "$@" | tr -d '\r' | sed 1d >"$HOME/got"
	bars <"$HOME/numbers" >"$HOME/want"
	same "$HOME/want" "$HOME/got"
	ringside dist --json "$@" >"$HOME/json"
	sums <"$HOME/numbers" >"$HOME/want"
	summary "$HOME/json" | diff "$HOME/want" - && cat "$HOME/want"
}
echo "== an unsigned field"
numbers kmalloc bytes_req events.dat >"$HOME/numbers"
each kmem:kmalloc.bytes_req events.dat
echo "== a signed field"
numbers sys_exit ret events.dat | awk '$2 ~ /^-?[0-9]+$/' >"$HOME/numbers"
each sys_exit.ret events.dat
echo "== durations"
durations kmem_cache_alloc openat2.dat >"$HOME/numbers"
each kmem_cache_alloc openat2.dat
echo "== linear bars"
ringside dist kmem_cache_alloc --linear 5us --csv --columns from,to,count openat2.dat | tr -d '\r' | sed 1d >"$HOME/got"
linear 5000 <"$HOME/numbers" >"$HOME/want"
same "$HOME/want" "$HOME/got"

echo "== quantiles, at most 1 % wrong"
ringside dist kmem_cache_alloc --json openat2.dat | sed -n 's/.*"p50": \([0-9]*\), "p90": \([0-9]*\).*/\1 \2/p' >"$HOME/got"
sort -k2,2n "$HOME/numbers" | awk -v got="$(cat "$HOME/got")" '{ v[NR] = $2 } END { split(got, g); for (i = 1; i <= 2; i++) {
	q = i == 1 ? .5 : .9; r = NR * q; if (r > int(r)) r = int(r) + 1; e = g[i] / v[r] - 1; print (e < 0 ? -e : e) <= .01 ? "ok" : "wrong: " g[i] " for " v[r] } }'

echo "== the largest, and where they were"
ringside dist kmem_cache_alloc -n 3 --json openat2.dat | sed -n 's/.*"ts": \([0-9]*\), "task": "\(.*\)", "cpu": \([0-9]*\), "value": \([0-9]*\).*/\1 \2 \3 \4/p' >"$HOME/got"
cut -d' ' -f4 "$HOME/got" >"$HOME/values"
sort -k2,2nr "$HOME/numbers" | head -3 | cut -d' ' -f2 >"$HOME/want"
same "$HOME/want" "$HOME/values"
read -r ts task cpu _ <"$HOME/got"
seconds=$((ts / 1000000000)).$(printf %09d $((ts % 1000000000)))
ringside report -t --cpu "$cpu" --since "$seconds" openat2.dat | grep -m1 -c "$task.*$seconds: funcgraph_entry.*kmem_cache_alloc"

echo "== by a task's name, and by a field"
numbers kmalloc bytes_req events.dat | awk '{ n[$1]++; s[$1] += $2 } END { for (c in n) print c "," n[c] "," s[c] }' | sort >"$HOME/want"
ringside dist kmalloc.bytes_req --by comm --json events.dat | sed -n 's/.*"comm": "\(.*\)", "count": \([0-9]*\), "sum": \([0-9]*\).*/\1,\2,\3/p' | sort >"$HOME/got"
same "$HOME/want" "$HOME/got"
ringside report -R events.dat | sed -n 's/.* kmalloc: .* bytes_req=\([0-9]*\) .* node=\([-0-9]*\).*/\2 \1/p' | awk '{ n[$1]++; s[$1] += $2 } END { for (c in n) print c "," n[c] "," s[c] }' >"$HOME/want"
ringside dist kmalloc.bytes_req --by node --json events.dat | sed -n 's/.*"node": \([-0-9]*\), "count": \([0-9]*\), "sum": \([0-9]*\).*/\1,\2,\3/p' >"$HOME/got"
same "$HOME/want" "$HOME/got"

echo "== by a CPU, which is a number"
ringside report -R events.dat | sed -n 's/.*\[0*\([0-9][0-9]*\)\].* kmalloc: .* bytes_req=\([0-9]*\) .*/\1 \2/p' | awk '{ n[$1]++; s[$1] += $2 } END { for (c in n) print c "," n[c] "," s[c] }' | sort >"$HOME/want"
ringside dist kmalloc.bytes_req --by cpu --json events.dat | sed -n 's/.*"cpu": \([0-9]*\), "count": \([0-9]*\), "sum": \([0-9]*\).*/\1,\2,\3/p' | sort >"$HOME/got"
same "$HOME/want" "$HOME/got"

echo "== for people"
ringside dist sched_switch.prev_prio events.dat

echo "== the least and the largest numbers"
plan "$DATA/events.dat" "$HOME/ends.dat" <<-PLAN
	event my big 3000 v:8
	0 1000 7 sys_exit id=1 ret=0x8000000000000000
	0 2000 7 sys_exit id=1 ret=0x7fffffffffffffff
	0 3000 7 sys_exit id=1 ret=0xfffffffffffffff9
	0 4000 7 sys_exit id=1 ret=7
	0 5000 7 big v=0xffffffffffffffff
	0 6000 7 big v=0
PLAN
for what in 'sys_exit.ret' 'sys_exit.ret --linear 7' 'sys_exit.ret --linear 18446744073709551615' 'big.v' 'big.v --linear 10000000000000000000' 'big.v --linear 18446744073709551615'; do
	# shellcheck disable=SC2086 # options
	ringside dist $what --csv --columns from,to,count "$HOME/ends.dat" | tr -d '\r'
done

echo "== a signed number whose values have names: prev_state is a long that the format prints as flags"
plan "$DATA/events.dat" "$HOME/named.dat" <<-PLAN
	0 1000 7 sched_switch prev_pid=7 prev_state=0xfffffffffffffffb next_pid=8
	0 2000 8 sched_switch prev_pid=8 prev_state=2 next_pid=7
	0 3000 7 sched_switch prev_pid=7 prev_state=0xfffffffffffffff0 next_pid=8
PLAN
ringside dist sched_switch.prev_state --csv --columns from,to,count "$HOME/named.dat"
ringside dist sched_switch.prev_state --json "$HOME/named.dat" | grep -o '"sum": [-0-9]*\|"min": [-0-9]*\|"max": [-0-9]*\|"value": [-0-9]*' | tr '\n' ' '; echo
ringside count sched_switch --by next_pid --sum prev_state --csv "$HOME/named.dat"

echo "== sections of programs, whose names may have colons and dots, or be those of kinds of latency"
sections() {
	local at=1000 name
	for name; do
		echo "0 $at 7 print buf=B|7|$name"
		echo "0 $((at + 500)) 7 print buf=E"
		at=$((at + 1000))
	done
}
sections ns::draw view:a.b lock | plan "$DATA/openat2.dat" "$HOME/names.dat"
for name in ns::draw view:a.b 'ns::*' lock; do
	ringside dist "$name" --json "$HOME/names.dat" | grep -o '"count": [0-9]*, "sum": [0-9]*'
done
for command in funcs graph slow; do
	ringside $command lock --csv --columns function,total "$HOME/names.dat" 2>/dev/null
done
(cd "$HOME" && ringside dist ns::drew names.dat; echo $?)
(cd "$HOME" && ringside funcs irq names.dat; echo $?)

echo "== what cannot be told"
ringside dist sched_switch.prev_prioo events.dat; echo $?
ringside dist sched:sched_swich.prev_prio events.dat; echo $?
ringside dist sched_swich.prev_prio events.dat; echo $?
ringside dist nosuchthing.x events.dat; echo $?
ringside dist wakeup openat2.dat; echo $?
ringside dist dputt.cold openat2.dat; echo $?
ringside dist kmem:kmalloc events.dat; echo $?
ringside dist sched_switch.prev_comm events.dat; echo $?
ringside dist sched_switch events.dat; echo $?
ringside dist sched_switch. events.dat; echo $?
ringside dist kmalloc.bytes_req --by comn events.dat; echo $?
ringside dist dput --by node openat2.dat; echo $?
ringside dist dputt openat2.dat; echo $?
# Where the options leave no call, this is said, and the name is not doubted.
for command in dist slow funcs graph; do
	for option in '--cpu 99' '--comm nosuch'; do
		# shellcheck disable=SC2086 # an option and its value
		ringside $command dput $option openat2.dat 2>&1 | grep -v '^off is'; echo "$command $option: ${PIPESTATUS[0]}"
	done
done
ringside dist dput --until +0.001 openat2.dat; echo $?
# Neither an event nor an owner of calls is a function that was called.
ringside dist 'sched_*' --since +0.001 events.dat; echo $?
for name in all ls-156; do
	ringside graph --by task $name openat2.dat; echo $?
	ringside graph $name openat2.dat; echo $?
	ringside funcs --by task $name --cpu 0 openat2.dat; echo $?
done
printf '%s\n' 'task 100 alpha' 'task 200 beta' '0 1000 100 funcgraph_entry func=@kfree depth=0' '0 2000 100 funcgraph_exit func=@kfree depth=0 calltime=1000 rettime=2000' \
	'0 3000 200 funcgraph_entry func=@dput depth=0' '0 4000 200 funcgraph_exit func=@dput depth=0 calltime=3000 rettime=4000' >"$HOME/lines"
plan "$DATA/openat2.dat" "$HOME/two.dat" <"$HOME/lines"
(cd "$HOME" && for command in dist slow funcs graph; do ringside $command dput --comm alpha two.dat; echo "$command: $?"; done)
ringside dist openat2.dat 2>&1 | cut -d';' -f1
ringside dist a b openat2.dat 2>&1 | cut -d';' -f1
ringside dist dput --linear 0 openat2.dat; echo $?
ringside dist kmalloc.ptr --linear 1 --log2 events.dat 2>&1 | cut -d';' -f1
echo "== keys that are numbers are numbers in JSON, as those of count are; names are texts"
plan "$DATA/events.dat" "$HOME/numbers.dat" <<'END'
event x begin 3000 v:8 id:4
event x end 3001 v:8 id:4
0 1000 7 x:begin v=5 id=217
0 2000 8 x:end v=18446744073709551615 id=217
0 3000 7 x:begin v=6 id=9
0 4000 9 x:end v=3 id=9
0 5000 7 sched_process_free comm=123 pid=3 prio=0xfffffffb
0 6000 7 sched_process_free comm=456 pid=3 prio=120
END
keys() { grep -o "\"$1\": [^,]*" | sort -u | tr '\n' ' '; echo; }
for by in id v; do
	ringside count x:end --by $by --json "$HOME/numbers.dat" | keys $by
	ringside dist x:end.id --by $by --json "$HOME/numbers.dat" | keys $by
done
ringside count sched_process_free --by prio --json "$HOME/numbers.dat" | keys prio
ringside dist sched_process_free.pid --by prio --json "$HOME/numbers.dat" | keys prio
ringside latency --from x:begin --to x:end --on id --by id --json "$HOME/numbers.dat" | keys id
ringside latency --from x:begin --to x:end --on id --by pid --json "$HOME/numbers.dat" | keys pid
ringside latency --from x:begin --to x:end --on id --by cpu --json "$HOME/numbers.dat" | keys cpu
ringside dist kmalloc.bytes_alloc --by gfp_flags --json "$DATA/events.dat" | keys gfp_flags | cut -c1-30
echo "== the bounds of a bar have a unit each, so that short and long ones can be told apart: calls of 3 ns, 5000 ns and 3 s"
plan "$DATA/openat2.dat" "$HOME/wide.dat" <<'END'
0 1000 100 funcgraph_entry func=@dput depth=0
0 1003 100 funcgraph_exit func=@dput depth=0 calltime=1000 rettime=1003
0 2000 100 funcgraph_entry func=@dput depth=0
0 7000 100 funcgraph_exit func=@dput depth=0 calltime=2000 rettime=7000
0 10000 100 funcgraph_entry func=@dput depth=0
0 3000010000 100 funcgraph_exit func=@dput depth=0 calltime=10000 rettime=3000010000
END
ringside dist dput --columns from,to,count "$HOME/wide.dat" | awk '/FROM/ || (NF == 5 && $NF) { $1 = $1; print }'
ringside dist dput --columns from,to,count --csv "$HOME/wide.dat"
echo "== what the options leave out is not said to be missing"
cd "$DATA" || exit
for command in funcs dist slow; do ringside $command wakeup --only-event sched_switch events.dat; done
ringside dist ns::draw.x events.dat || true
