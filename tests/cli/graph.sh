# graph and funcs against calls that awk puts together from the raw fields of the plain report.
cd "$DATA"

# Each complete call as "PATH TOTAL SELF": entries and exits of one task by their depth.
calls() {
	ringside report -R "$1" | awk '
	function number(name, v) { v = $0; return sub(".* " name "=", "", v) ? substr(v, 1, match(v " ", / /) - 1) : "" }
	function hex(text, n, i) {
		sub(/^0x/, "", text)
		for (n = i = 0; i < length(text);) n = n * 16 + index("0123456789abcdef", substr(text, ++i, 1)) - 1
		return n
	}
	function below(a, b, i) {	# hex a - hex b, which are too large for one number
		while (length(a) < 16) a = "0" a
		while (length(b) < 16) b = "0" b
		return (hex(substr(a, 1, 8)) - hex(substr(b, 1, 8))) * 4294967296 + hex(substr(a, 9)) - hex(substr(b, 9))
	}
	# The third letter behind the CPU says what interrupts: s a soft one, h a hard one, H a hard one in a soft one. Where a hard interrupt ends, soft ones
	# are called by its functions; they do not interrupt them.
	{ match($0, /-[0-9]+ +\[/); task = substr($0, RSTART + 1, RLENGTH - 2) + 0; match($0, /\[[0-9]+\] .../)
	  irq = index("sh", tolower(substr($0, RSTART + RLENGTH - 1, 1))) }
	/funcgraph_entry:/ {
		d = number("depth") + 0
		func_at[task, d] = number("func"); callees[task, d] = 0; open[task, d] = 1; level[task, d] = irq
		begins = d == 0 || (irq > level[task, d - 1] && !(irq == 1 && hard[task, d - 1]))
		root[task, d] = begins ? d : root[task, d - 1]
		hard[task, d] = irq == 2 || (!begins && hard[task, d - 1])
		for (i = d + 1; i < 60; i++) open[task, i] = 0
	}
	/funcgraph_exit:/ {
		d = number("depth") + 0
		if (!open[task, d] || func_at[task, d] != number("func")) next
		took = below(number("rettime"), number("calltime"))
		path = ""
		for (i = root[task, d]; i <= d; i++) path = path (path == "" ? "" : ";") func_at[task, i]
		print path, took, took - callees[task, d]
		open[task, d] = 0
		if (d > root[task, d]) callees[task, d - 1] += took
	}'
}
by_path() { awk '{ n[$1]++; t[$1] += $2 } END { for (p in n) print p, n[p], t[p] }' | sort; }
by_function() {
	awk '{ k = split($1, f, ";"); outer = 1; for (i = 1; i < k; i++) if (f[i] == f[k]) outer = 0
		n[f[k]]++; t[f[k]] += outer ? $2 : 0; s[f[k]] += $3 } END { for (p in n) print p, n[p], t[p], s[p] }' | sort
}

calls openat2.dat >"$HOME/calls"
echo "== graph: each path, how often and how long"
by_path <"$HOME/calls" >"$HOME/want"
ringside graph --min-percent 0 --csv --columns path,calls,total openat2.dat 2>"$HOME/notes" | tr -d '"\r' | tr , ' ' | sed 1d | grep ' [0-9]*$' |
	sed 's/^hard and soft interrupts;//' | grep -v '^hard and soft' | awk '$2 > 0' | sort | diff "$HOME/want" - && echo "the same: $(wc -l <"$HOME/want") paths"
cat "$HOME/notes"

echo "== funcs: each function; self, off and irq are one here"
by_function <"$HOME/calls" >"$HOME/want"
ringside funcs --csv --columns function,calls,total,self,off,irq openat2.dat 2>/dev/null | tr -d '\r' | tr , ' ' |
	awk 'NR > 1 && $2 { print $1, $2, $3, $4 + $5 + $6 }' | sort | diff "$HOME/want" - && echo "the same: $(wc -l <"$HOME/want") functions"

echo "== JSON has what CSV has"
ringside funcs --json openat2.dat | tr '}' '\n' | grep -c '"function"'
ringside funcs --csv openat2.dat 2>/dev/null | sed 1d | wc -l

echo "== parts: below a function, its callers, a path"
ringside graph --csv --min-percent 0 --columns path,calls,total vfs_open openat2.dat 2>/dev/null | tr -d '\r' | sed -n 2p >"$HOME/got"
by_function <"$HOME/calls" | awk '$1 == "vfs_open" { print $1 "," $2 "," $3 }' | diff - "$HOME/got" && echo the same
ringside funcs --csv --columns function,calls,total --callers-of dput openat2.dat 2>/dev/null | tr -d '\r' | sed 1d | sort >"$HOME/got"
awk '{ k = split($1, f, ";") } f[k] == "dput" && k > 1 { n[f[k - 1]]++; t[f[k - 1]] += $2 } END { for (p in n) print p "," n[p] "," t[p] }' "$HOME/calls" |
	sort | diff - "$HOME/got" && echo "the same: $(wc -l <"$HOME/got") callers"
ringside graph --csv --columns path,calls --path 'do_sys_openat2;do_filp_open' --depth 1 openat2.dat 2>/dev/null | tr -d '\r'

ringside funcs --csv --columns function,calls --match dput,vfs_open --sort function openat2.dat 2>/dev/null | tr -d '\r' | sed 1d >"$HOME/got"
by_function <"$HOME/calls" | awk '$1 == "dput" || $1 == "vfs_open" { print $1 "," $2 }' | diff - "$HOME/got" && echo "the same: several with commas"

echo "== calls that do not end lasted at least as long as what is known below them; all of them are counted, each once"
plan "$DATA/openat2.dat" "$HOME/open.dat" <<-PLAN
	task 100 alpha
	0 1000 100 funcgraph_entry func=@vfs_read depth=0
	0 2000 100 funcgraph_entry func=@kfree depth=1
	0 3000 100 funcgraph_exit func=@kfree depth=1 calltime=2000 rettime=3000
	0 4000 100 funcgraph_entry func=@vfs_open depth=1
	0 5000 100 funcgraph_entry func=@kfree depth=2
	0 6000 100 funcgraph_exit func=@kfree depth=2 calltime=5000 rettime=6000
	0 7000 100 funcgraph_entry func=@kfree depth=2
PLAN
ringside graph --csv --columns path,share,calls,cut,total "$HOME/open.dat" 2>/dev/null | tr -d '\r'
ringside graph --csv --columns path,share,calls,cut,total --depth 1 "$HOME/open.dat" | tr -d '\r'
ringside graph --csv --columns path,share,calls,cut,total --callers kfree "$HOME/open.dat" | tr -d '\r'
ringside graph --csv --columns path,share,calls,cut --since 0.000007 "$HOME/open.dat" 2>/dev/null | tr -d '\r'

echo "== an entry and the exit of a later call are neighbours on their CPU, as the task was on another one in between"
plan "$DATA/openat2.dat" "$HOME/moved.dat" <<-PLAN
	task 100 alpha
	0 1000 100 funcgraph_entry func=@vfs_read depth=0
	1 8000 100 funcgraph_exit func=@vfs_read depth=0 calltime=1000 rettime=8000
	1 9000 100 funcgraph_entry func=@vfs_read depth=0
	0 20000 100 funcgraph_exit func=@vfs_read depth=0 calltime=9000 rettime=20000
	0 30000 100 funcgraph_entry func=@vfs_read depth=0
	0 35000 100 funcgraph_exit func=@vfs_read depth=0 calltime=30000 rettime=35000
	0 50000 100 funcgraph_entry func=@kfree depth=0
PLAN
ringside funcs --csv --columns function,calls,cut,total,min,max "$HOME/moved.dat" 2>/dev/null | tr -d '\r'
ringside slow vfs_read --csv --columns ts,cpu,total "$HOME/moved.dat" 2>/dev/null | tr -d '\r'
# The lines of the calls: of the three durations, the first is that of the call that ended on the other CPU. A clock that has another beginning
# makes no difference; a clock that does not count ns cannot tell.
ringside report "$HOME/moved.dat" 2>/dev/null
for clock in mono counter; do
	plan "$DATA/openat2.dat" "$HOME/moved-$clock.dat" <<-PLAN
		clock $clock
		task 100 alpha
		0 101000 100 funcgraph_entry func=@vfs_read depth=0
		1 108000 100 funcgraph_exit func=@vfs_read depth=0 calltime=1000 rettime=8000
		1 109000 100 funcgraph_entry func=@vfs_read depth=0
		0 120000 100 funcgraph_exit func=@vfs_read depth=0 calltime=9000 rettime=20000
		0 130000 100 funcgraph_entry func=@vfs_read depth=0
		0 137000 100 funcgraph_exit func=@vfs_read depth=0 calltime=30000 rettime=35000
	PLAN
	ringside report "$HOME/moved-$clock.dat" 2>/dev/null
done
# The window ends between its exit and the next record.
ringside funcs --csv --columns function,calls,cut,total --since 0.000030 --until 0.000040 "$HOME/moved.dat" 2>/dev/null | tr -d '\r'
# Where the window ends or begins within a call, it is cut, although report prints it on one line, where it began. The second window ends within the second call.
for window in '--since 0.000030 --until 0.000031' '--until 0.000015' '--since 0.000031 --until 0.000036'; do
	# shellcheck disable=SC2086 # options
	ringside funcs --csv --columns function,calls,cut,total $window "$HOME/moved.dat" 2>/dev/null | tr -d '\r'
done
# So is a short one.
plan "$DATA/openat2.dat" "$HOME/short.dat" <<-PLAN
	task 100 alpha
	0 1000 100 funcgraph_entry func=@kfree depth=0
	0 2000 100 funcgraph_exit func=@kfree depth=0 calltime=1000 rettime=2000
	0 10000 100 funcgraph_entry func=@vfs_read depth=0
	0 13000 100 funcgraph_exit func=@vfs_read depth=0 calltime=10000 rettime=13000
	0 20000 100 funcgraph_entry func=@kfree depth=0
	0 22000 100 funcgraph_exit func=@kfree depth=0 calltime=20000 rettime=22000
PLAN
for window in '--until 0.000011' '--since 0.000012' '--since 0.000012 --until 0.000021'; do
	# shellcheck disable=SC2086 # options
	ringside funcs --csv --columns function,calls,cut,total $window "$HOME/short.dat" 2>/dev/null | tr -d '\r'
	# shellcheck disable=SC2086 # options
	ringside sql --csv "SELECT function, total, cut FROM calls" $window "$HOME/short.dat" 2>/dev/null | tr -d '\r'
	# shellcheck disable=SC2086 # options
	ringside count --csv --columns event,count $window "$HOME/short.dat"
done
ringside report --until 0.000011 "$HOME/short.dat" | tail -1
ringside report --since 0.000011 "$HOME/short.dat" | tail -1
ringside report --since 0.000030 --until 0.000031 "$HOME/moved.dat" | tail -1
ringside report --since 0.000031 --until 0.000036 "$HOME/moved.dat" 2>&1 | tail -1
# Each exit is an event at its own time: in one window or in the other.
for window in '--until 0.000032' '--since 0.000033'; do
	# shellcheck disable=SC2086 # options
	ringside count --csv --columns event,count $window "$HOME/moved.dat"
done

echo "== recursive calls: whose calls are told, their total is of the outermost of these; --callers has the outermost of all"
{
	echo 'task 100 alpha'
	# Start, end, depth, function, sorted by what happens first.
	while read -r from to depth func; do
		echo "$from 0 $from 100 funcgraph_entry func=@$func depth=$depth"
		echo "$to 0 $to 100 funcgraph_exit func=@$func depth=$depth calltime=$from rettime=$to"
	done <<-CALLS | sort -n | cut -d' ' -f2-
		1000 10000 0 vfs_open
		2000 9000 1 dput
		3000 8000 2 getname
		3500 5500 3 dput
		6000 7000 3 dput
		6200 6500 4 dput
		20000 30000 0 vfs_open
		21000 29000 1 dput
		22000 28000 2 vfs_open
		23000 27000 3 dput
	CALLS
} >"$HOME/lines"
plan "$DATA/openat2.dat" "$HOME/recursive.dat" <"$HOME/lines"
ringside funcs --callers-of dput --sort +function --csv --columns function,calls,total,mean "$HOME/recursive.dat" 2>/dev/null | tr -d '\r'
ringside funcs --callees-of getname --csv --columns function,calls,total,mean "$HOME/recursive.dat" 2>/dev/null | tr -d '\r'
ringside funcs dput --csv --columns function,calls,total "$HOME/recursive.dat" 2>/dev/null | tr -d '\r'
ringside graph --callers dput --csv --columns path,calls,total "$HOME/recursive.dat" 2>/dev/null | tr -d '\r'
# Recursive calls that do not end, as the recording ends: each row has the outermost of its complete calls. The first dput ends, and then two others are open.
{
	echo 'task 100 alpha'
	while read -r ts what func depth from; do
		echo "0 $ts 100 funcgraph_$what func=@$func depth=$depth ${from:+calltime=$from rettime=$ts}"
	done <<-CALLS
		1000 entry dput 0
		1500 exit dput 0 1000
		2000 entry dput 0
		3000 entry vfs_open 1
		4000 entry dput 2
		5000 exit dput 2 4000
		6000 entry dput 2
		7000 entry vfs_open 3
		8000 entry dput 4
		8700 exit dput 4 8000
		9000 exit vfs_open 3 7000
	CALLS
} >"$HOME/lines"
plan "$DATA/openat2.dat" "$HOME/recursive-cut.dat" <"$HOME/lines"
ringside funcs --callers-of dput --sort +function --csv --columns function,calls,cut,total,mean "$HOME/recursive-cut.dat" 2>/dev/null | tr -d '\r'
ringside funcs --callees-of dput --csv --columns function,calls,cut,total "$HOME/recursive-cut.dat" 2>/dev/null | tr -d '\r'
ringside funcs --callees-of vfs_open --csv --columns function,calls,cut,total "$HOME/recursive-cut.dat" 2>/dev/null | tr -d '\r'
ringside funcs --csv --columns function,calls,cut,total "$HOME/recursive-cut.dat" 2>/dev/null | tr -d '\r'

# The entry of the outermost getname is not recorded, and its exit tells last who called dput. The inner calls are parts of the outer ones all the same: dput takes
# 5000 - 1000 and 8500 - 8000.
{
	echo 'task 100 alpha'
	while read -r ts what func depth from; do
		echo "0 $ts 100 funcgraph_$what func=@$func depth=$depth ${from:+calltime=$from rettime=$ts}"
	done <<-CALLS
		1000 entry dput 1
		2000 entry getname 2
		3000 entry dput 3
		4000 exit dput 3 3000
		4500 exit getname 2 2000
		5000 exit dput 1 1000
		8000 entry dput 1
		8500 exit dput 1 8000
		9000 exit getname 0 500
	CALLS
} >"$HOME/lines"
plan "$DATA/openat2.dat" "$HOME/late.dat" <"$HOME/lines"
for glob in getname '*'; do ringside funcs --callees-of "$glob" dput --csv --columns function,calls,total "$HOME/late.dat" 2>/dev/null | tr -d '\r'; done
ringside funcs --callers-of dput --csv --columns function,calls,total "$HOME/late.dat" 2>/dev/null | tr -d '\r'

echo "== a hard interrupt on top of a soft one is irq of the soft one's functions, too: told by its events, by them and its functions, and by its functions only"
for by in events both functions; do
	{
		cat <<-PLAN
			task 100 alpha
			0 1000 100 funcgraph_entry func=@vfs_read depth=0
			0 2000 100 softirq_entry vec=3 common_flags=0x10
			0 3000 100 funcgraph_entry func=@kfree depth=1 common_flags=0x10
		PLAN
		[ $by = functions ] || echo "0 4000 100 irq_handler_entry irq=24 common_flags=0x18"
		[ $by = events ] || echo "0 4100 100 funcgraph_entry func=@dput depth=2 common_flags=0x18"
		[ $by = events ] || echo "0 4300 100 funcgraph_exit func=@dput depth=2 calltime=4100 rettime=4300 common_flags=0x18"
		[ $by = functions ] || echo "0 4500 100 irq_handler_exit irq=24 ret=1 common_flags=0x18"
		cat <<-PLAN
			0 6000 100 funcgraph_exit func=@kfree depth=1 calltime=3000 rettime=6000 common_flags=0x10
			0 6500 100 irq_handler_entry irq=24 common_flags=0x18
			0 6700 100 irq_handler_exit irq=24 ret=1 common_flags=0x18
			0 7000 100 softirq_exit vec=3 common_flags=0x10
			0 9000 100 funcgraph_exit func=@vfs_read depth=0 calltime=1000 rettime=9000
		PLAN
	} >"$HOME/lines"
	plan "$DATA/openat2.dat" "$HOME/nested-$by.dat" <"$HOME/lines"
	ringside funcs --sort +function --csv --columns function,total,self,irq "$HOME/nested-$by.dat" 2>/dev/null | tr -d '\r'
done

echo "== a recording that begins inside of an interrupt: the flags of the exits tell which of the calls are the interrupt's"
plan "$DATA/openat2.dat" "$HOME/inside.dat" <<-PLAN
	task 100 alpha
	0 1000 100 funcgraph_exit func=@dput depth=2 calltime=500 rettime=1000 common_flags=0x8
	0 1100 100 funcgraph_exit func=@kfree depth=1 calltime=400 rettime=1100 common_flags=0x8
	0 1300 100 funcgraph_exit func=@vfs_read depth=0 calltime=100 rettime=1300
	0 1400 100 funcgraph_entry func=@vfs_read depth=0
	0 1500 100 funcgraph_exit func=@vfs_read depth=0 calltime=1400 rettime=1500
PLAN
for by in cpu,interrupts task comm; do
	ringside funcs --by ${by%,*} --csv --columns function,$by,calls,cut,total "$HOME/inside.dat" 2>/dev/null | tr -d '\r'
done

echo "== with --func and --min-duration, the time off the CPU is known as without: what brings a task back are records of other tasks. No other command takes these"
plan "$DATA/openat2.dat" "$HOME/off.dat" <<-PLAN
	task 100 alpha
	task 200 beta
	0 500 200 sched_switch prev_pid=200 prev_prio=120 prev_state=0 next_pid=100 next_prio=120
	0 1000 100 funcgraph_entry func=@vfs_read depth=0
	0 2000 100 sched_switch prev_pid=100 prev_prio=120 prev_state=1 next_pid=200 next_prio=120
	0 7000 200 sched_waking pid=100 target_cpu=0
	0 7500 200 sched_switch prev_pid=200 prev_prio=120 prev_state=0 next_pid=100 next_prio=120
	0 9000 100 funcgraph_exit func=@vfs_read depth=0 calltime=1000 rettime=9000
PLAN
for options in '' '--func vfs_read' '--min-duration 5us'; do
	# shellcheck disable=SC2086 # an option and its value
	ringside funcs --csv --columns function,total,self,off,blocked,queued $options "$HOME/off.dat" 2>/dev/null | tr -d '\r'
	# shellcheck disable=SC2086 # an option and its value
	ringside graph --csv --columns path,self,off $options "$HOME/off.dat" 2>/dev/null | tr -d '\r'
	# shellcheck disable=SC2086 # an option and its value
	ringside slow vfs_read --csv --columns cause,self,off $options "$HOME/off.dat" 2>/dev/null | tr -d '\r'
	# shellcheck disable=SC2086 # an option and its value
	ringside sql --csv 'SELECT self, off FROM calls' $options "$HOME/off.dat" | tr -d '\r'
	# shellcheck disable=SC2086 # an option and its value
	ringside flame --folded --weight off $options "$HOME/off.dat" 2>/dev/null
	# shellcheck disable=SC2086 # an option and its value
	ringside export --to sqlite $options -o "$HOME/off.db" "$HOME/off.dat" 2>/dev/null
	python3 -c 'import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute("SELECT total, off FROM calls").fetchall())' "$HOME/off.db"
	rm "$HOME/off.db"
done
ringside flame --off-cpu --folded --func vfs_read "$HOME/off.dat" 2>&1 | sed 's/.*: how/how/'
ringside diff --csv --columns function,self_new,off_new --func vfs_read "$HOME/off.dat" "$HOME/off.dat" 2>/dev/null | tr -d '\r'
ringside report -q --func vfs_read "$HOME/off.dat" | grep -c sched_
ringside dist sched_switch.prev_pid --func vfs_read --json "$HOME/off.dat" | grep -o '"count": [0-9]*' | tail -1

echo "== by CPU, which is a number in every form"
{
	echo 'task 100 alpha'
	for cpu in 10 2 0; do
		echo "$cpu 1000 100 funcgraph_entry func=@vfs_read depth=0"
		echo "$cpu $((1500 + cpu)) 100 funcgraph_exit func=@vfs_read depth=0 calltime=1000 rettime=$((1500 + cpu))"
	done
} >"$HOME/lines"
plan "$DATA/openat2.dat" "$HOME/cpus.dat" <"$HOME/lines"
ringside funcs --by cpu --sort cpu,function --csv --columns cpu,interrupts,function,calls,total "$HOME/cpus.dat" 2>/dev/null | tr -d '\r'
ringside funcs --by cpu --sort cpu,function --json --columns cpu,interrupts,function "$HOME/cpus.dat" | grep '^{"cpu'
# Without --by there is no column for what rows belong to. A function of which only interrupts have rows is called only in interrupts.
ringside funcs --columns owner openat2.dat 2>&1 | cut -d, -f1-3
ringside funcs --by cpu --csv --columns function,interrupts openat2.dat 2>/dev/null | tr -d '\r' | awk -F, 'NR > 1 { n[$1]++; in_[$1] += $2 == "true" } END { for (f in n) print f "," (in_[f] == n[f] ? "true" : "false") }' | sort >"$HOME/want"
ringside funcs --csv --columns function,interrupts openat2.dat 2>/dev/null | tr -d '\r' | sed 1d | sort | diff "$HOME/want" - && sort -t, -k2 "$HOME/want" | cut -d, -f2 | uniq -c
# A call that began on another CPU than its caller belongs to that other one, as for dist and --cpu. A tree leaves it below its caller.
plan "$DATA/openat2.dat" "$HOME/migrated.dat" <<-PLAN
	task 100 alpha
	0 1000 100 funcgraph_entry func=@vfs_read depth=0
	1 3000 100 funcgraph_entry func=@dput depth=1
	1 3500 100 funcgraph_entry func=@kfree depth=2
	1 4000 100 funcgraph_exit func=@kfree depth=2 calltime=3500 rettime=4000
	2 4200 100 funcgraph_entry func=@vfs_read depth=2
	2 4500 100 funcgraph_exit func=@vfs_read depth=2 calltime=4200 rettime=4500
	2 5000 100 funcgraph_exit func=@dput depth=1 calltime=3000 rettime=5000
	2 6000 100 funcgraph_entry func=@kfree depth=1
	2 7000 100 funcgraph_exit func=@kfree depth=1 calltime=6000 rettime=7000
	2 9000 100 funcgraph_exit func=@vfs_read depth=0 calltime=1000 rettime=9000
PLAN
ringside funcs --by cpu --sort cpu,function --csv --columns cpu,function,calls,total,self "$HOME/migrated.dat" 2>/dev/null | tr -d '\r' >"$HOME/got"
cat "$HOME/got"
for cpu in 0 1 2; do
	ringside funcs --cpu $cpu --sort +function --csv --columns function,calls,total,self "$HOME/migrated.dat" 2>/dev/null | tr -d '\r' | sed "1d; s/^/$cpu,/"
done | diff <(sed 1d "$HOME/got") - && echo 'the same with --cpu'
ringside dist kfree --by cpu --csv --columns cpu,count "$HOME/migrated.dat" | tr -d '\r'
ringside graph --by cpu --csv --min-percent 0 --columns path,calls "$HOME/migrated.dat" 2>/dev/null | tr -d '\r'
# The interrupts of the recording, which its trees tell of.
for cpu in $(ringside graph --by cpu --csv --columns path openat2.dat 2>/dev/null | sed -n 's/^interrupts on CPU \([0-9]*\);.*/\1/p' | sort -u); do
	ringside graph --by cpu --csv --min-percent 0 --columns path openat2.dat 2>/dev/null | tr -d '\r' | sed -n "s/^interrupts on CPU $cpu;.*;\(.*\)/\1/p; s/^interrupts on CPU $cpu;\([^;]*\)$/\1/p" | sort -u >"$HOME/want"
	ringside funcs --by cpu --csv --columns cpu,interrupts,function openat2.dat 2>/dev/null | tr -d '\r' | sed -n "s/^$cpu,true,//p" | sort >"$HOME/got"
	diff "$HOME/want" "$HOME/got" && echo "CPU $cpu the same: $(wc -l <"$HOME/got")"
done

echo "== the name of a task that only sched_switch tells"
plan "$DATA/openat2.dat" "$HOME/named.dat" <<-PLAN
	0 1000 0 sched_switch prev_pid=0 next_pid=7 next_comm=0x68736162,0
	0 2000 7 funcgraph_entry func=@vfs_read depth=0
	0 2500 7 funcgraph_exit func=@vfs_read depth=0 calltime=2000 rettime=2500
	0 3000 7 sched_switch prev_pid=7 prev_state=1 next_pid=0 prev_comm=0x68736162,0
PLAN
ringside funcs --csv --by task --columns task,function,calls,total "$HOME/named.dat" 2>/dev/null | tr -d '\r'
ringside slow vfs_read --csv --columns comm,tid,total "$HOME/named.dat" 2>/dev/null | tr -d '\r'
ringside dist vfs_read --csv --by comm --columns comm,from,count "$HOME/named.dat" 2>/dev/null | tr -d '\r'
ringside flame --by comm --folded -o - "$HOME/named.dat" 2>/dev/null
ringside graph --csv --comm bash --columns path,calls,total "$HOME/named.dat" | tr -d '\r'

echo "== a section whose name has a semicolon, and sections with the same path"
plan "$DATA/openat2.dat" "$HOME/semicolon.dat" <<'PLAN'
task 7 seven
0 1000 7 print buf=B|7|a;b
0 2000 7 print buf=B|7|c,"d
0 5000 7 print buf=E
0 6000 7 print buf=E
0 9000 7 print buf=B|7|a
0 9100 7 print buf=B|7|b
0 9200 7 print buf=E
0 9300 7 print buf=E
PLAN
for path in 'a;b;c,"d' 'a;b' 'a;b;c'; do ringside graph --path "$path" --csv --columns path,calls,total "$HOME/semicolon.dat" 2>/dev/null | tr -d '\r'; done

# Two complete calls of kfree, 28 and 10 ns long, and one whose entry is not recorded. None of the complete ones is inside another.
plan "$DATA/openat2.dat" "$HOME/apart.dat" <<'PLAN'
0 3708 100 funcgraph_entry func=@kfree depth=5
0 3736 100 funcgraph_exit func=@kfree depth=5 calltime=3708 rettime=3736
0 3808 100 funcgraph_exit func=@vfs_read depth=4 calltime=1825 rettime=3808
0 6003 100 funcgraph_exit func=@kfree depth=2 calltime=1664 rettime=6003
0 6164 100 funcgraph_entry func=@kfree depth=2
0 6174 100 funcgraph_exit func=@kfree depth=2 calltime=6164 rettime=6174
0 7219 100 funcgraph_exit func=@vfs_read depth=1 calltime=6934 rettime=7219
PLAN
ringside funcs --callees-of 'vfs_*' --csv --columns function,calls,cut,total,self "$HOME/apart.dat" 2>/dev/null | tr -d '\r'

echo "== refusals"
ringside graph nosuchfunction openat2.dat; echo $?
ringside graph --callers openat2.dat; echo $?
ringside graph --by pid openat2.dat; echo $?
# They were called, though not there.
ringside graph --path vfs_open openat2.dat; echo $?
ringside funcs --callees-of dput --callers-of dput openat2.dat; echo $?
ringside funcs --callees-of dputt openat2.dat; echo $?
# --match chooses among the callers. [root] is one of them.
ringside funcs --callers-of vfs_open --match nosuch "$HOME/recursive.dat" 2>&1 | sed 's/:.*recursive.dat/: recursive.dat/'; echo "${PIPESTATUS[0]}"
for glob in '[[]root]' '[root]' 'dp*'; do
	echo "$glob: $(ringside funcs --callers-of vfs_open --match "$glob" --csv --columns function "$HOME/recursive.dat" 2>/dev/null | tr -d '\r' | paste -sd' ')"
done
ringside graph --min-percent x openat2.dat; echo $?
ringside funcs --memory 1k openat2.dat; echo $?
ringside funcs --sort totl openat2.dat 2>&1 | cut -c1-60
for sort in '' , spread -spread; do ringside funcs --sort "$sort" openat2.dat; echo $?; done
ringside funcs function-stacks.dat; echo $?
echo '== of what there is, the options leave no calls: those of functions only, as they say'
ringside funcs --min-duration 1 syscalls-v6.dat; echo $?
ringside funcs nosuch.dat; echo $?

echo "== --func: a chosen function is at the root, whatever called it; what it calls stands below it"
plan "$DATA/openat2.dat" "$HOME/func.dat" <<'END'
task 7 seven
0 1000 7 funcgraph_entry func=@vfs_read depth=0
0 2000 7 funcgraph_entry func=@getname depth=1
0 2500 7 funcgraph_entry func=@kfree depth=2
0 2700 7 funcgraph_exit func=@kfree depth=2 calltime=2500 rettime=2700
0 3000 7 funcgraph_exit func=@getname depth=1 calltime=2000 rettime=3000
0 4000 7 funcgraph_exit func=@vfs_read depth=0 calltime=1000 rettime=4000
0 5000 7 funcgraph_entry func=@getname depth=0
0 5500 7 funcgraph_exit func=@getname depth=0 calltime=5000 rettime=5500
1 6000 8 funcgraph_exit func=@getname depth=2 calltime=100 rettime=6000
END
for command in funcs graph; do
	ringside $command --func getname --csv --columns function,calls,cut,total,self "$HOME/func.dat"
done
ringside sql --func getname --csv "$HOME/func.dat" 'SELECT function, depth, total, cut FROM calls'
ringside report --tree --func getname "$HOME/func.dat"
ringside flame --folded --func getname "$HOME/func.dat"
echo "== a file without calls: no note on what is part of their times"
(cd "$DATA" && ringside graph kprobes.dat && ringside funcs kprobes.dat 2>/dev/null)

echo "== schedule() before the first sched_switch: the note is about the whole recording, which has switches"
plan "$DATA/openat2.dat" "$HOME/first-switch.dat" <<'PLAN'
	task 7 first
	0 1000 7 funcgraph_entry func=@schedule depth=0
	0 2000 7 funcgraph_exit func=@schedule depth=0 calltime=1000 rettime=2000
	0 3000 7 funcgraph_entry func=@vfs_read depth=0
	0 4000 7 sched_waking pid=7 target_cpu=0
	0 5000 7 sched_switch prev_pid=7 prev_prio=120 prev_state=1 next_pid=0 next_prio=120
	0 8000 0 sched_switch prev_pid=0 prev_prio=120 prev_state=0 next_pid=7 next_prio=120
	0 9000 7 funcgraph_exit func=@vfs_read depth=0 calltime=3000 rettime=9000
PLAN
ringside graph --columns function,calls,total,self,off,guessed "$HOME/first-switch.dat"
