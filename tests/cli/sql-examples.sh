# sql --example: each of the queries finds what another command finds; two ways to the same figures.
cd "$DATA"
ringside sql openat2.dat 'SELECT 1' 2>&1 | grep -q 'without libsqlite3' && { echo "SKIP: no libsqlite3"; exit 0; }
try() { ringside sql --csv --example "$@" | tail -n +2; }
same() { # same NAME FILE: the answer in $HOME/got, the other way on the standard input
	sort >"$HOME/want"
	sort "$HOME/got" | diff "$HOME/want" - >"$HOME/diff" && echo "$1 of $2: the same, $(wc -l <"$HOME/want") rows" || { echo "$1 of $2: differs"; head -6 "$HOME/diff"; }
	echo "$1" >>"$HOME/tried"
}
other() { "$@" 2>/dev/null | tail -n +2; }

echo "== all of them"
ringside sql --examples
ls "$TOP/Documentation/queries" | sed -n "s/\\.sql$//p" | sort >"$HOME/files"
ringside sql --examples --csv | tail -n +2 | cut -d, -f1 | sort | diff "$HOME/files" - && echo "each file is built in"

echo "== the same by two ways"
f=events.dat
try events $f >"$HOME/got"; other ringside count --csv --columns event,count $f | sed 's/^[^:]*://' | same events $f
try events-by-task $f | cut -d, -f2,3 >"$HOME/got"; other ringside count --csv --by pid --columns pid,count $f | same events-by-task $f
try events-by-cpu $f | cut -d, -f1,2 >"$HOME/got"; other ringside count --csv --by cpu --columns cpu,count $f | same events-by-cpu $f
try rate $f >"$HOME/got"
ringside report -t $f | sed -n 's/.*\] [^ ]* *\([0-9]*\)\.\([0-9]*\): .*/\1\2/p' | awk '{ n[int($1 / 1e7)]++ } END { for (at in n) printf "%.0f,%d\n", at * 1e7, n[at] }' | same rate $f
for f in openat2.dat events.dat marker.dat; do
	try functions $f >"$HOME/got"; other ringside funcs --csv --columns function,calls,self,max $f | awk -F, '$2' | same functions $f
	try percentiles $f >"$HOME/got"; other ringside funcs --csv --columns function,calls,min,p50,p90,p99,max $f | awk -F, '$2' | same percentiles $f
	# How many calls there are in all powers of two is how many there are.
	try distribution $f | awk -F, '{ n = split($3, part, "[: ]"); sum = 0; for (i = 2; i <= n; i += 2) sum += part[i]; print $1 "," sum }' >"$HOME/got"
	other ringside funcs --csv --columns function,calls $f | awk -F, '$2' | same distribution $f
	try slowest-calls $f | cut -d, -f1,2 | sort -t, -k2,2nr | head -1 >"$HOME/got"
	other ringside funcs --csv --columns function,max,calls --sort max $f | awk -F, '$3' | sort -t, -k2,2nr | head -1 | cut -d, -f1,2 | same slowest-calls $f
done
f=openat2.dat
try callers $f | awk -F, '{ n[$2] += $3 } END { for (name in n) print name "," n[name] }' >"$HOME/got"
# Of a tree merged by path, what is not a root has a caller. The roots of interrupts stand below a heading.
other ringside graph --min-percent 0 --csv --columns function,depth,calls,path $f | awk -F, '$2 > 0 && $4 !~ /^hard and soft interrupts;[^;]*$/ { n[$1] += $3 } END { for (name in n) if (n[name]) print name "," n[name] }' | same callers $f
f=events.dat
try off-cpu $f | cut -d, -f1,3 >"$HOME/got"; other ringside funcs --csv --columns function,off $f | awk -F, '$2' | same off-cpu $f
try cpu-time $f | cut -d, -f1-3 >"$HOME/got"; other ringside sched --csv --columns comm,pid,run $f | awk -F, '$2 && $3' | same cpu-time $f
try cpu-use $f | cut -d, -f1,2 >"$HOME/got"
ringside sched --timeline --csv --columns cpu,pid,run $f 2>/dev/null | awk -F, 'NR > 1 && $2 && $3 { sum[$1] += $3 } END { for (cpu in sum) printf "%d,%.0f\n", cpu, sum[cpu] }' | same cpu-use $f
try waiting $f | cut -d, -f2,3,5,6 >"$HOME/got"; other ringside sched --csv --columns pid,count,mean,max $f | awk -F, '$1 && $2' | same waiting $f
try blocked $f | cut -d, -f2,4 >"$HOME/got"; other ringside sched --csv --columns pid,blocked $f | awk -F, '$1 && $2' | same blocked $f
try wakeups $f | cut -d, -f5 >"$HOME/got"; other ringside sched --timeline --csv --columns pid,queued $f | awk -F, '$1 && $2 { print $2 }' | sort -nr | head -20 | same wakeups $f
try who-wakes-whom $f | awk -F, '{ n[$4] += $5; sum[$4] += $6 } END { for (pid in n) print pid "," n[pid] "," sum[pid] }' >"$HOME/got"
other ringside sched --csv --columns pid,count,queued $f | awk -F, '$1 && $2' | same who-wakes-whom $f
for f in events.dat syscalls-v6.dat; do
	try syscalls $f >"$HOME/got"; other ringside syscalls -c --csv --columns syscall,calls,errors,total,max $f | awk -F, '$2' | same syscalls $f
	try syscall-errors $f >"$HOME/got"
	ringside syscalls -Z $f 2>/dev/null | sed -n 's/^\[pid *[0-9]*\] *\([a-z0-9_]*\)(.*) *= -1 \(E[A-Z0-9]*\).*/\1,\2/p' | sort | uniq -c | awk '{ print $2 "," $1 }' | same syscall-errors $f
	try slowest-syscalls $f | head -1 | cut -d, -f4,5 >"$HOME/got"
	other ringside syscalls -c --csv --columns syscall,max $f | sort -t, -k2,2nr | head -1 | same slowest-syscalls $f
done
f=events.dat
try interrupts $f | awk -F, '{ n[$1] += $3 } END { for (kind in n) print kind "," n[kind] }' >"$HOME/got"
ringside count --csv --columns event,count irq_handler_entry,softirq_entry $f | sed -n 's/irq:irq_handler_entry/hard/p; s/irq:softirq_entry/soft/p' | same interrupts $f
try losses $f >"$HOME/got"; ringside report $f | grep -a 'EVENTS DROPPED' | same losses $f
sort -u "$HOME/tried" | diff "$HOME/files" - && echo "each was tried"

echo "== by hand"
ringside sql --example nosuch events.dat; echo $?
ringside sql --example syscall events.dat; echo $?
ringside sql --example events 'SELECT 1'; echo $?
ringside sql --examples --csv | sed -n 1,2p
