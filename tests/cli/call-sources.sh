# Calls that are no functions: system calls and what programs mark, against what awk puts together from the lines of the plain report.
cd "$DATA"

# "NAME calls total" from lines "TASK NS begin|end NAME", of calls whose both ends are there. Beginning again forgets.
pairs() {
	awk '$3 == "begin" { since[$1] = $2; name[$1] = $4; open[$1] = 1 }
	     $3 == "end" { if (open[$1] && ($4 == "" || $4 == name[$1])) { n[name[$1]]++; t[name[$1]] += $2 - since[$1] } open[$1] = 0 }
	     END { for (i in n) print i, n[i], t[i] }' | sort
}
# "TASK NS EVENT rest" of each line, tasks called by their numbers, times in ns from the first record on.
lines() {
	ringside report -t -R "$@" 2>/dev/null | awk 'match($0, /-[0-9]+ +\[[0-9]+\]/) {
		task = substr($0, RSTART + 1) + 0; rest = substr($0, RSTART + RLENGTH); split(rest, f, " "); split(f[2], s, /[.:]/)
		if (first == "") first = s[1]
		# Each CPU has an idle task of its own.
		if (task == 0) task = substr($0, RSTART, RLENGTH)
		gsub(/ /, "", task); sub(/^ *[^ ]+ +[^ ]+ +/, "", rest); print task, (s[1] - first) * 1000000000 + s[2], rest }'
}
# The same from the table.
table() { ringside funcs --csv --columns function,calls,total "$@" 2>/dev/null | tr -d '\r"' | tr , ' ' | sed 1d | awk '$2' | sort; }

echo "== by number: raw_syscalls"
lines events.dat | awk '$3 ~ /^sys_(enter|exit):/ { sub(/id=/, "", $4); # A handler of a signal returns from no number.
	print $1, $2, $3 == "sys_enter:" ? "begin" : "end", $4 == -1 ? "" : $4 }' | pairs >"$HOME/want"
table events.dat >"$HOME/got"
# 0 and so on are called read and so on: the counts and times tell which is which.
cut -d' ' -f2- "$HOME/want" | sort >"$HOME/want.figures"
cut -d' ' -f2- "$HOME/got" | sort | diff "$HOME/want.figures" - && echo "the same: $(wc -l <"$HOME/want") system calls"
for pair in 0:read 1:write 257:openat 61:wait4 59:execve; do
	diff <(sed -n "s/^${pair%:*} /${pair#*:} /p" "$HOME/want") <(grep "^${pair#*:} " "$HOME/got") && echo "${pair#*:} is ${pair%:*}"
done

echo "== by name: syscalls"
lines syscalls-v6.dat | awk '$3 ~ /^sys_(enter|exit)_/ { sub(/:$/, "", $3); what = $3 ~ /^sys_enter_/ ? "begin" : "end"; sub(/^sys_(enter|exit)_/, "", $3)
	print $1, $2, what, $3 }' | pairs >"$HOME/want"
# Where the event is called otherwise than the system call.
sed -i 's/^newfstat /fstat /; s/^newuname /uname /' "$HOME/want"
table syscalls-v6.dat | diff "$HOME/want" - && echo "the same: $(wc -l <"$HOME/want") system calls"

echo "== markers"
lines marker.dat | awk '$3 == "print:" { split($0, f, "buf="); split(f[2], part, "|"); print $1, $2, part[1] == "B" ? "begin" : "end", part[3] }' | pairs >"$HOME/want"
table marker.dat | diff "$HOME/want" - && cat "$HOME/want"

echo "== graph has them too; hist and report --tree have events"
ringside graph --csv --columns path,calls marker.dat 2>/dev/null | tr -d '\r'
ringside hist --folded marker.dat 2>/dev/null | sed -n '/print/p'
echo "== told by number and by name, in any order, and by one of them only: each call once, in both commands"
plan "$DATA/openat2.dat" "$HOME/both.dat" <<'END_OF_PLAN'
event raw_syscalls sys_enter 3000 id:8
event raw_syscalls sys_exit 3001 id:8 ret:8
event syscalls sys_enter_pause 3002 __syscall_nr:4 pad:4
event syscalls sys_exit_pause 3003 __syscall_nr:4 pad:4 ret:8
event syscalls sys_enter_sync 3004 __syscall_nr:4 pad:4
event syscalls sys_exit_sync 3005 __syscall_nr:4 pad:4 ret:8
task 7 one
# By number first, and by name first.
0 1000000 7 sys_enter id=34
0 1001000 7 sys_enter_pause __syscall_nr=34
0 1100000 7 sys_exit_pause __syscall_nr=34 ret=0
0 1101000 7 sys_exit id=34 ret=0
0 2000000 7 sys_enter_pause __syscall_nr=34
0 2001000 7 sys_enter id=34
0 2200000 7 sys_exit id=34 ret=0
0 2201000 7 sys_exit_pause __syscall_nr=34 ret=0
# The same call twice, of which only one kind tells each time; and one that only its name tells.
0 3000000 7 sys_enter_pause __syscall_nr=34
0 3300000 7 sys_exit_pause __syscall_nr=34 ret=0
0 4000000 7 sys_enter id=34
0 4400000 7 sys_exit id=34 ret=0
0 5000000 7 sys_enter_sync __syscall_nr=162
0 5500000 7 sys_exit_sync __syscall_nr=162 ret=0
# An entry without an exit, which the next one ends; an exit by both whose entry is not there; one without its number, as after a signal.
0 6000000 7 sys_enter id=162
0 7000000 7 sys_enter id=34
0 7600000 7 sys_exit id=34 ret=0
0 8000000 7 sys_exit id=162 ret=0
0 8001000 7 sys_exit_sync __syscall_nr=162 ret=0
0 9000000 7 sys_enter id=34
0 9001000 7 sys_enter_pause __syscall_nr=34
0 9700000 7 sys_exit id=0xffffffffffffffff ret=0
0 9701000 7 sys_exit_pause __syscall_nr=0xffffffff ret=0
END_OF_PLAN
ringside syscalls -q -T "$HOME/both.dat"
ringside funcs "$HOME/both.dat" --csv --columns function,calls,cut,total 2>/dev/null

echo '== execve by a thread that is not the first of its process: it gets the pid 301 of the first one, and its call of execve ends under this pid'
plan "$DATA/events.dat" "$HOME/exec.dat" <<'END_OF_PLAN'
event syscalls sys_enter_execve 3006 __syscall_nr:4 pad:4 filename:8 argv:8 envp:8
event syscalls sys_exit_execve 3007 __syscall_nr:4 pad:4 ret:8
0 1000000 301 sys_enter id=202
0 1010000 302 sys_enter id=59
1 1300000 301 sched:sched_process_exec pid=301 old_pid=302
1 1310000 301 sys_exit id=59 ret=0
1 1320000 301 sys_enter id=12
1 1330000 301 sys_exit id=12 ret=0
# Both kinds of events tell of the call; and then the same task calls execve once more.
0 2000000 402 sys_enter id=59
0 2001000 402 sys_enter_execve __syscall_nr=59
1 2300000 401 sched:sched_process_exec pid=401 old_pid=402
1 2310000 401 sys_exit_execve __syscall_nr=59 ret=0
1 2311000 401 sys_exit id=59 ret=0
1 2320000 401 sys_enter id=59
1 2325000 401 sched:sched_process_exec pid=401 old_pid=401
1 2330000 401 sys_exit id=59 ret=0
# Events are lost before the exit, which may be that of another call.
0 3000000 502 sys_enter id=59
0 3300000 501 sched:sched_process_exec pid=501 old_pid=502
0 lost 5
0 3310000 501 sys_exit id=59 ret=0
0 3320000 501 sys_enter id=12
0 3330000 501 sys_exit id=12 ret=0
END_OF_PLAN
ringside funcs "$HOME/exec.dat" --csv --columns function,calls,cut,total 2>/dev/null
ringside sql -i "$HOME/exec.dat" 'SELECT pid, ts, total, cut FROM calls WHERE function = '"'execve'"

echo '== the same with losses, and off the CPU between sched_process_exec and the exit: 8000 ns, of which 6000 until the wakeup'
plan "$DATA/events.dat" "$HOME/execs.dat" <<'END_OF_PLAN'
0 1000000 302 sys_enter id=59
1 1300000 301 sched:sched_process_exec pid=301 old_pid=302
1 1301000 301 sched_switch prev_pid=301 prev_state=2 next_pid=0
1 1307000 0 sched_waking pid=301
1 1309000 0 sched_switch prev_pid=0 prev_state=0 next_pid=301
1 1309100 301 irq_handler_entry irq=9
1 1309400 301 irq_handler_exit irq=9
1 1310000 301 sys_exit id=59 ret=0
1 1320000 301 sys_enter id=12
1 1325000 301 sched_switch prev_pid=301 prev_state=0 next_pid=0
1 1326000 0 sched_switch prev_pid=0 prev_state=0 next_pid=301
1 1330000 301 sys_exit id=12 ret=0
# Events are lost where 402 is, so nobody knows whether its call of execve is the one that ends.
0 2000000 402 sys_enter id=59
0 lost 5
0 2100000 405 sys_enter id=12
0 2110000 405 sys_exit id=12 ret=0
1 2300000 401 sched:sched_process_exec pid=401 old_pid=402
1 2310000 401 sys_exit id=59 ret=0
# Events of 602 are lost in its call of brk; its call of execve is whole.
0 4000000 602 sys_enter id=12
0 lost 5
0 4100000 602 sys_exit id=12 ret=0
0 4110000 602 sys_enter id=59
1 4300000 601 sched:sched_process_exec pid=601 old_pid=602
1 4320000 601 sys_exit id=59 ret=0
END_OF_PLAN
ringside funcs "$HOME/execs.dat" --csv --columns function,calls,cut,total,self,irq,off,blocked,queued,preempted 2>/dev/null
ringside latency syscall:execve --csv "$HOME/execs.dat" 2>/dev/null
ringside syscalls -T "$HOME/execs.dat" | grep exec

echo '== the pid that the thread had before execve is that of another task later, whose calls have none of the time off the CPU of the first'
plan "$DATA/events.dat" "$HOME/heir.dat" <<'END_OF_PLAN'
0 1000000 302 sys_enter id=59
1 1300000 301 sched:sched_process_exec pid=301 old_pid=302
1 1310000 301 sys_exit id=59 ret=0
0 2000000 302 sys_enter id=0
1 2001000 301 sched_switch prev_pid=301 prev_state=0 next_pid=0
1 2901000 0 sched_switch prev_pid=0 prev_state=0 next_pid=301
0 2903000 302 sys_exit id=0 ret=0
END_OF_PLAN
ringside funcs "$HOME/heir.dat" --csv --columns function,calls,cut,total,self,off 2>/dev/null

echo '== pairs of these events, made by --pair: they go on under the new pid, too, and have the times of the calls; latency counts the same'
for file in exec execs heir; do
	ringside funcs --pair syscall:execve --match '*execve' --csv --columns function,calls,cut,total,self,irq,off,blocked,queued,preempted "$HOME/$file.dat" 2>/dev/null
	ringside dist --pair x=sys_enter,sys_exit --json x "$HOME/$file.dat" 2>/dev/null | grep -o '"count": [0-9]*, "sum": [0-9]*'
	ringside latency syscall --json "$HOME/$file.dat" 2>/dev/null | grep -o '"count": [0-9]*, "sum": [0-9]*'
done
ringside slow syscall:execve --csv --columns tid,ts,total,self,irq,blocked,queued "$HOME/execs.dat" 2>/dev/null

echo '== the first exit of a new task is no call of that task, but the exits of 12 and 14 are of calls whose entries are not recorded; both commands agree'
plan "$DATA/openat2.dat" "$HOME/children.dat" <<'END_OF_PLAN'
event raw_syscalls sys_enter 3000 id:8
event raw_syscalls sys_exit 3001 id:8 ret:8
event syscalls sys_enter_fork 3002 __syscall_nr:4 pad:4
event syscalls sys_exit_fork 3003 __syscall_nr:4 pad:4 ret:8
task 7 mother
0 1000000 7 sys_enter id=56
0 1100000 7 sys_exit id=56 ret=8
0 2000000 7 sys_enter id=57
0 2001000 7 sys_enter_fork __syscall_nr=57
1 2100000 9 sys_exit_fork __syscall_nr=57 ret=0
1 2101000 9 sys_exit id=57 ret=0
0 2200000 7 sys_exit id=57 ret=9
0 2201000 7 sys_exit_fork __syscall_nr=57 ret=9
0 3000000 7 sys_enter id=58
1 3100000 10 sys_exit id=58 ret=0
0 3200000 7 sys_exit id=58 ret=10
0 4000000 7 sys_enter id=435
1 4010000 11 sys_exit id=435 ret=0
1 4020000 11 sys_enter id=34
0 4300000 7 sys_exit id=435 ret=11
# The number of 11 is that of a new task, which nothing told to be one: 34 has no exit.
0 5000000 7 sys_enter id=56
1 5100000 11 sys_exit id=56 ret=0
0 5400000 7 sys_exit id=56 ret=11
# The exits of calls whose entries are not recorded: one that has made 13, and one that has failed.
0 6000000 12 sys_exit id=56 ret=13
1 6000000 14 sys_exit id=57 ret=0xfffffffffffffff5
END_OF_PLAN
ringside funcs "$HOME/children.dat" --csv --columns function,calls,cut,total 2>&1 | grep -v 'off is'
ringside graph "$HOME/children.dat" --by task --min-percent 0 --csv --columns path,calls,cut 2>/dev/null
ringside syscalls -c "$HOME/children.dat" | tail -n 1
ringside funcs --pair syscall "$HOME/children.dat" --match syscall --csv --columns function,calls,cut,total 2>&1 | grep -v 'off is'

# A birth tells the name of the parent, which is not that of the task any more after execve.
echo '== names of tasks that only wakeups, migrations and task_rename tell; report has the names that trace-cmd has'
plan "$DATA/openat2.dat" "$HOME/names.dat" <<'END_OF_PLAN'
task 1 one
0 1000 1 sched_waking pid=11 comm=eleven
0 1100 1 sched_process_fork child_pid=12 child_comm=one
0 1200 1 sched_migrate_task pid=13 comm=thirteen
0 1400 11 funcgraph_entry func=@vfs_open depth=0
0 1500 11 funcgraph_exit func=@vfs_open depth=0 calltime=1400 rettime=1500
0 2400 12 funcgraph_entry func=@vfs_open depth=0
0 2500 12 funcgraph_exit func=@vfs_open depth=0 calltime=2400 rettime=2500
0 3400 13 funcgraph_entry func=@vfs_open depth=0
0 3500 13 funcgraph_exit func=@vfs_open depth=0 calltime=3400 rettime=3500
END_OF_PLAN
ringside funcs --by task --csv --columns task,function,calls "$HOME/names.dat" 2>/dev/null
ringside sched --csv --columns comm,pid,migrations "$HOME/names.dat" 2>/dev/null
ringside report -q "$HOME/names.dat" | grep vfs_open
# Since Linux 6.18 some of these names have no fixed length.
plan "$DATA/kprobes.dat" "$HOME/names.dat" <<'END_OF_PLAN'
event sched sched_process_fork 3100 parent_comm:dynamic parent_pid:4 child_comm:dynamic child_pid:4
event sched sched_migrate_task 3104 comm:dynamic pid:4
event task task_rename 3101 pid:4 newcomm:text
event raw_syscalls sys_enter 3102 id:8
event raw_syscalls sys_exit 3103 id:8 ret:8
0 1100 1 sched_process_fork parent_comm=mother parent_pid=1 child_comm=mother child_pid=12
0 1150 1 sched_migrate_task comm=twelve pid=12
0 1200 13 task_rename pid=13 newcomm=thirteen
0 2400 12 sys_enter id=0
0 2500 12 sys_exit id=0
0 3400 13 sys_enter id=0
0 3500 13 sys_exit id=0
END_OF_PLAN
ringside sql -i "$HOME/names.dat" 'SELECT pid, comm, function FROM calls'
ringside report -q "$HOME/names.dat"

echo '== --tid and --pid: the births that sched_process_fork tells of show that the call of 4100 and the exit of 5500 are of two tasks'
plan "$DATA/events.dat" "$HOME/births.dat" <<'END_OF_PLAN'
task 1 mother
0 900 12 sys_enter id=0
0 1000 1 sched_process_fork parent_pid=1 child_pid=12 child_comm=child
0 2400 12 sys_enter id=3
0 2500 12 sys_exit id=3
0 4000 1 sched_process_fork parent_pid=1 child_pid=13 child_comm=child
0 4100 12 sys_enter id=3
0 5000 1 sched_process_fork parent_pid=1 child_pid=12 child_comm=child
0 5500 12 sys_exit id=3
END_OF_PLAN
for option in --tid --pid; do
	ringside sql --csv $option 12 "$HOME/births.dat" 'SELECT ts, function, total, cut FROM calls'
	ringside syscalls -T $option 12 "$HOME/births.dat"
done
ringside report -q --tid 12 "$HOME/births.dat" | grep -c sched_process_fork

echo '== depths that no kernel records: the calls are left out, and their number is told'
plan "$DATA/openat2.dat" "$HOME/deep.dat" <<'END_OF_PLAN'
0 1000000 7 funcgraph_entry func=@vfs_read depth=0
0 1000100 7 funcgraph_entry func=@vfs_open depth=512
0 1000200 7 funcgraph_exit func=@vfs_open depth=512 calltime=1000100 rettime=1000200
0 1000300 7 funcgraph_entry func=@vfs_open depth=513
0 1000310 7 funcgraph_entry func=@vfs_open depth=514
0 1000320 7 funcgraph_exit func=@vfs_open depth=514 calltime=1000310 rettime=1000320
0 1000400 7 funcgraph_exit func=@vfs_open depth=513 calltime=1000300 rettime=1000400
0 1000500 7 funcgraph_entry func=@vfs_open depth=1
0 1000600 7 funcgraph_exit func=@vfs_open depth=1 calltime=1000500 rettime=1000600
0 1001000 7 funcgraph_exit func=@vfs_read depth=0 calltime=1000000 rettime=1001000
END_OF_PLAN
cd "$HOME" || exit
ringside funcs deep.dat --csv --columns function,calls,cut 2>&1 | grep -v 'off is'
for command in funcs graph 'slow vfs_read' 'dist vfs_open'; do
	# shellcheck disable=SC2086
	ringside $command --json deep.dat 2>said | grep -o '"calls_left_out": [0-9]*'
	grep -c 'left out' said
done
for command in 'report --tree' hist 'flame -o flame.html' 'page -o page.html'; do
	# shellcheck disable=SC2086
	ringside $command deep.dat 2>&1 >out | grep 'left out'
done
ringside sql -i deep.dat 'SELECT count(*) FROM calls a, calls b, functions c' 2>&1 >out | grep 'left out'
plan "$DATA/openat2.dat" one.dat <<<'0 1000100 7 funcgraph_exit func=@vfs_open depth=512 calltime=1000000 rettime=1000100'
ringside funcs one.dat 2>&1 >out | grep 'left out'

echo '== exits that say that the call ended before it began, and totals that do not fit into 64 bits: what is not right is not known'
plan "$DATA/openat2.dat" long.dat <<'END_OF_PLAN'
0 1000 7 funcgraph_entry func=@vfs_statx depth=0
0 2000 7 funcgraph_exit func=@vfs_statx depth=0 calltime=500 rettime=400
0 3000 7 funcgraph_entry func=@vfs_statx depth=0
0 3100 7 funcgraph_entry func=@vfs_open depth=1
0 3200 7 funcgraph_exit func=@vfs_open depth=1 calltime=500 rettime=600
0 4000 7 funcgraph_exit func=@vfs_statx depth=0 calltime=0 rettime=0x8000000000000000
# Three of 2^62 ns are more than 2^63 ns, and four of them are 2^64 ns.
0 5000 7 funcgraph_entry func=@vfs_read depth=0
0 6000 7 funcgraph_exit func=@vfs_read depth=0 calltime=0 rettime=0x4000000000000000
0 7000 7 funcgraph_entry func=@vfs_read depth=0
0 8000 7 funcgraph_exit func=@vfs_read depth=0 calltime=0 rettime=0x4000000000000000
0 9000 7 funcgraph_entry func=@vfs_read depth=0
0 9500 7 funcgraph_exit func=@vfs_read depth=0 calltime=0 rettime=0x4000000000000000
0 10000 7 funcgraph_entry func=@vfs_write depth=0
0 11000 7 funcgraph_exit func=@vfs_write depth=0 calltime=0 rettime=0x4000000000000000
0 12000 7 funcgraph_entry func=@vfs_write depth=0
0 13000 7 funcgraph_exit func=@vfs_write depth=0 calltime=0 rettime=0x4000000000000000
0 14000 7 funcgraph_entry func=@vfs_write depth=0
0 15000 7 funcgraph_exit func=@vfs_write depth=0 calltime=0 rettime=0x4000000000000000
0 16000 7 funcgraph_entry func=@vfs_write depth=0
0 17000 7 funcgraph_exit func=@vfs_write depth=0 calltime=0 rettime=0x4000000000000000
END_OF_PLAN
ringside funcs long.dat --csv --columns function,calls,cut,total,self,mean,max 2>&1 | grep -v 'off is' | sort
ringside graph long.dat --min-percent 0 --csv --columns path,calls,total,self,max 2>/dev/null | sort
ringside sql -i long.dat 'SELECT DISTINCT function, total, self, cut FROM calls ORDER BY function, total'
ringside slow vfs_statx long.dat; echo $?
ringside report --profile long.dat | grep -c 'func: vfs_statx'
ringside flame -o flame.html long.dat 2>/dev/null && ! grep -c -- '-[0-9]\{6\}' flame.html
echo "== 1200 sections inside of each other, each 10 ns by itself on each side; then 150,000 that never end, each in the one before"
{
	echo "task 7 one"
	awk 'BEGIN {
		for (i = 0; i < 1200; i++) print 0, now += 10, 7, "print buf=B|7|" (i % 2 ? "odd" : "even")
		for (i = 0; i < 1200; i++) print 0, now += 10, 7, "print buf=E|7"
		for (i = 0; i < 150000; i++) { print 0, now += 10, 7, "print buf=B|7|open"; print 0, now += 10, 7, "print buf=B|7|in"; print 0, now += 10, 7, "print buf=E|7" }
	}'
} | plan "$DATA/openat2.dat" "$HOME/deep.dat"
cd "$HOME" || exit
# Of even: 1200 * 20 - 10 in all; each but the innermost is by itself for 20 ns, and the innermost, an odd one, for 10.
ringside funcs --csv --columns function,calls,cut,total,self deep.dat 2>/dev/null
ringside graph --min-percent 0 --csv --columns depth,function,calls,cut,self deep.dat 2>/dev/null | tr -d '\r' | awk -F, 'NR > 1 {
	deepest = $1 > deepest ? $1 : deepest; calls[$2] += $3; cut[$2] += $4; self[$2] += $5 }
	END { print "levels:", deepest + 1; for (i in calls) print i, calls[i], cut[i], self[i] | "sort" }'
ringside flame --folded --weight calls deep.dat 2>/dev/null | awk -F';' 'NF > most { most = NF } { n += $NF ~ /^in / ? substr($NF, 4) : 0 } END { print most, "names at most,", n, "calls of in" }'

echo "== the times of an asynchronous section off the CPU and in interrupts are not known"
{
	printf '0 %s\n' '1000 7 print buf=B|7|work' '1010 7 print buf=S|7|load|1' '1020 7 irq_handler_entry irq=9' '1040 7 irq_handler_exit irq=9' \
		'1100 7 sched_switch prev_pid=7 prev_state=1 next_pid=0' \
		'1500 0 sched_switch prev_pid=0 prev_state=0 next_pid=7' '1600 7 print buf=F|7|load|1' '1700 7 print buf=E|7'
} | plan "$DATA/openat2.dat" async.dat
ringside funcs --csv --columns function,calls,total,self,off,irq async.dat 2>/dev/null
ringside graph --csv --columns function,calls,total,self,off,irq async.dat 2>/dev/null
ringside diff --csv --columns function,calls_old,off_old,off_new async.dat -- async.dat 2>/dev/null
ringside slow load --csv --columns function,total,self,off,irq async.dat 2>/dev/null
ringside sql --csv -i async.dat 'select function, total, self, off, irq from calls'
ringside flame -o async.svg async.dat 2>/dev/null && grep -o '<title>[lw]o[^<]*' async.svg
