# slow in a guest whose virtual CPUs are threads of a host that is recorded as well: what a plan for both says has held them up is named.
# A usual call of vfs_read takes 10 us: 2 of itself, 8 of filemap_read. Thread 500 of the host is the guest's CPU 0, thread 501 its CPU 1.
wait_for() { t=$((t + $1)); }
rec() { echo "$1 $t $2 $3 ${*:4}" >>guest.txt; }			# CPU PID EVENT FIELD=...
host() { echo "$1 $t $2 $3 ${*:4}" >>host.txt; }
enter() { rec "$1" 7 funcgraph_entry "func=@$2" "depth=$3"; }
leave() { rec "$1" 7 funcgraph_exit "func=@$2" "depth=$3" "calltime=$((t - $4))" "rettime=$t"; }
switch() { "$1" "$2" "$3" sched_switch "prev_pid=$3" prev_prio=120 "prev_state=$4" "next_pid=$5" next_prio=120; }	# rec|host CPU FROM STATE TO
waking() { "$1" "$2" "$3" sched_waking "pid=$4" target_cpu=0 "${@:5}"; }		# rec|host CPU BY WHOM
begin() { enter 0 vfs_read 0; wait_for 1000; enter 0 filemap_read 1; wait_for 7000; }
finish() {	# MORE CPU
	wait_for 1000
	leave "${2:-0}" filemap_read 1 $((8000 + $1))
	wait_for 1000
	leave "${2:-0}" vfs_read 0 $((10000 + $1))
	wait_for 5000
}
tell() {	# NAME [OPTION...]: the slowest call of the plan
	t=1000000
	printf 'task %s\n' '7 reader' '8 other' >guest.txt
	printf 'task %s\n' '500 CPU_0' '501 CPU_1' '600 spinner' '601 helper' >host.txt
	echo 'event kvm kvm_entry 60000 vcpu_id:4' >>host.txt
	rec 1 8 irq_handler_entry irq=1
	rec 1 8 irq_handler_exit irq=1 ret=1
	switch rec 0 0 1 7
	switch rec 1 8 1 0
	switch host 1 0 1 500
	switch host 2 0 1 501
	host 1 500 kvm:kvm_entry vcpu_id=0
	host 2 501 kvm:kvm_entry vcpu_id=1
	wait_for 1000
	for _ in 1 2 3 4 5 6 7 8 9 10; do begin; finish 0; done
	"$1"
	plan "$DATA/openat2.dat" guest.dat <guest.txt
	plan "$DATA/openat2.dat" host.dat <host.txt
	echo "== $*"
	ringside slow vfs_read -n 1 --csv --columns cause,culprit,explains,total,typical "${@:2}" host.dat guest.dat 2>&1 | tail -n +2
}
people() { ringside slow vfs_read -n 1 --vcpus guest.dat=500,501 host.dat guest.dat; }

# Its CPU is preempted for 8 ms in two pieces while it runs. For 6 of them the spinner has the host's CPU, for 2 the helper.
held() {
	begin
	switch host 1 500 0 600; wait_for 6000000; switch host 1 600 0 601; wait_for 1000000; switch host 1 601 0 500
	wait_for 10000
	switch host 1 500 0 601; wait_for 1000000; switch host 1 601 1 500
	finish 8010000
}
# It sleeps. The interrupt that wakes it comes late: the CPU that takes it was idle, and had to wait for 5 ms behind the spinner when the host woke it.
held_waiting() {
	begin; switch rec 0 7 1 0; wait_for 10000; switch host 1 500 1 600
	wait_for 1000000; waking host 2 501 500; wait_for 5000000; switch host 1 600 0 500
	wait_for 1000; waking rec 0 0 7 common_flags=9; wait_for 1000; switch rec 0 0 0 7
	finish 6012000
}
# Only the other CPU is held up.
elsewhere() { begin; switch host 2 501 0 600; wait_for 8000000; switch host 2 600 0 501; finish 8000000; }
# It goes to CPU 1, which is held up for 4 ms; CPU 0 is for 3 ms, when it has left that.
moves() {
	begin; switch rec 0 7 0 0; switch host 1 500 0 600
	wait_for 3000; switch rec 1 0 0 7; wait_for 2997000; switch host 1 600 1 500
	switch host 2 501 0 600; wait_for 4000000; switch host 2 600 1 501
	finish 7000000 1
}
# The thread sleeps, as one does that waits for its own process: nobody had its CPU instead.
halted() { begin; switch host 1 500 1 0; wait_for 3000000; waking host 2 501 500; switch host 1 0 0 500; finish 3000000; }
# It is still off when the call ends, as clocks are not quite the same.
late() { begin; switch host 1 500 0 600; wait_for 8000000; finish 8000000; switch host 1 600 1 500; }
# So often that few of them could be remembered.
often() {
	begin
	for ((i = 0; i < 100; i++)); do switch host 1 500 0 600; wait_for 90000; switch host 1 600 0 500; wait_for 10000; done
	finish 10000000
}
# What was on the host's CPU is not known.
lost() { begin; switch host 1 500 0 600; wait_for 1000000; echo 1 lost 3 >>host.txt; wait_for 1000000; switch host 1 601 1 500; finish 2000000; }

# That the thread came back after 8 ms or more is not recorded, and no loss was told: it was off until the helper came, at least.
missing() { begin; switch host 1 500 0 600; wait_for 8000000; switch host 1 600 0 601; wait_for 500000; switch host 1 500 0 601; wait_for 1000; switch host 1 601 1 500; finish 8501000; }
# The same task took the CPU from it twice, and that it came back between is not recorded.
missing_between() { begin; switch host 1 500 0 600; wait_for 8000000; switch host 1 500 0 600; wait_for 1000; switch host 1 600 1 500; finish 8001000; }
# It slept before, and was woken when it had been off for 5 ms: it was off at least until then.
missing_woken() {
	begin; switch rec 0 7 1 0; wait_for 10000; switch host 1 500 1 600
	wait_for 1000000; waking host 2 501 500; wait_for 5000000; switch host 1 600 0 601; wait_for 1000; switch host 1 500 0 601; wait_for 1000; switch host 1 601 0 500
	wait_for 1000; waking rec 0 0 7 common_flags=9; wait_for 1000; switch rec 0 0 0 7
	finish 6014000
}
# The switch that does not follow comes only when the call is over: what held up the CPU, if it did, is told with doubt.
missing_late() {
	switch host 1 500 0 600; wait_for 1000000; begin; wait_for 8000000; finish 8000000
	wait_for 1000000; switch host 1 500 0 601; wait_for 1000; switch host 1 601 1 500
}
# It was preempted on another CPU, and its wakeup says that it slept later, which was not recorded either: nothing is certain.
missing_awake() {
	begin; switch host 1 500 0 600; wait_for 1000000; waking host 2 501 500; wait_for 7000000
	switch host 2 501 1 0; switch host 2 0 0 601; wait_for 500000; switch host 2 500 0 601; wait_for 1000; switch host 2 601 1 500; finish 8501000
}
# Then it had left another CPU: it may have run on any of them.
missing_there() {
	begin; switch host 1 500 0 600; wait_for 8000000
	switch host 2 501 1 0; switch host 2 0 0 601; wait_for 500000; switch host 2 500 0 601; wait_for 1000; switch host 2 601 1 500; finish 8501000
}

# The same, and the host loses events only when the call is over.
lost_after() { held; switch host 1 500 0 600; wait_for 1000; switch host 1 600 0 500; wait_for 10000; echo 1 lost 3 >>host.txt; wait_for 1000; switch host 1 500 0 600; }
# The guest waits for the other task, which wakes it; the host's loss says nothing of that.
lost_elsewhere() {
	begin; switch rec 0 7 1 0; wait_for 1000000; echo 1 lost 3 >>host.txt; wait_for 1000; switch host 1 500 0 600; wait_for 1000000; waking rec 1 8 7; wait_for 1000
	switch rec 0 0 0 7; finish 2003000
}

for name in held held_waiting elsewhere moves halted late often lost; do tell "$name" --vcpus guest.dat=500,501; done
echo "== by kvm_entry; one thread for all; not told; the other way round"
tell held --vcpus guest.dat=kvm
tell elsewhere --vcpus guest.dat=501
tell held
tell held --vcpus guest.dat=501,500
ringside slow vfs_read -n 1 --csv --columns culprit --vcpus guest.dat=500 "$PWD/host.dat" "$PWD/guest.dat" | tail -n +2
ringside slow vfs_read -n 1 --csv --columns culprit --vcpus -=500 -i host.dat -i - <guest.dat | tail -n +2
echo "== losses of the host: told where they matter, and nothing of the guest's own is unknown by them"
for name in lost lost_after lost_elsewhere missing missing_between missing_woken missing_late missing_awake missing_there; do
	tell "$name" --vcpus guest.dat=500,501
	people | grep -E '^unknown|blocked +[0-9]'
done
# What the files themselves say: the host names its guest's threads; the guest names its host, whose kvm_entry events tell; it names another host.
files_say() {	# NAME LINE-OF-HOST LINE-OF-GUEST...
	tell "$1" >/dev/null
	printf '%s\n' 'trace_id 71' "$2" | cat - host.txt >with.txt && plan "$DATA/openat2.dat" host.dat <with.txt
	printf '%s\n' 'trace_id 72' "${3:-# nothing}" | cat - guest.txt >with.txt && plan "$DATA/openat2.dat" guest.dat <with.txt
	echo "== $*"
	ringside slow vfs_read -n 1 --csv --columns cause,culprit,explains host.dat guest.dat | tail -n +2
	ringside slow vfs_read -n 1 --csv --columns cause,culprit,explains guest.dat host.dat | tail -n +2
}
files_say held 'guest virtual 72 500 501'
files_say elsewhere 'guest virtual 72 501 500'
files_say held 'guest virtual 73 500 501'
files_say held '# nothing' 'host 71'
files_say held '# nothing' 'host 73'
echo "== as people read it"
for name in held held_waiting moves halted; do tell "$name" --vcpus guest.dat=500,501 >/dev/null; people; done
echo "== what cannot be"
for given in guest.dat= guest.dat guest.dat=x nowhere.dat=5 guest.dat=0 host.dat=500; do
	ringside slow vfs_read --vcpus "$given" $([ "$given" = host.dat=500 ] && echo --vcpus guest.dat=500) host.dat guest.dat
	echo "status $?"
done
ringside slow vfs_read --vcpus host.dat=kvm host.dat guest.dat

echo "== both side by side: each has the records of its plan, and CPU 1 of one is not CPU 1 of the other"
tell held >/dev/null
for file in host guest; do echo "$file $(grep -c '^[0-9]' $file.txt)"; done
# Of each of the eleven leaves, two records are one line.
ringside report -q -i host.dat -i guest.dat | grep -v cpus= | sed -E 's/^ *(host|guest)\.dat: .*/\1/' | sort -r | uniq -c | awk '{ print $2, $1 }'
ringside sql --csv 'select file, count(*) from events group by file order by 1 desc' host.dat guest.dat
ringside export --to csv -o - host.dat guest.dat | awk -F, 'NR > 1 { n[$8]++ } END { for (file in n) print file, n[file] }' | sort -r
ringside sched --by cpu --csv --columns cpu,run,switches,file host.dat guest.dat 2>/dev/null
ringside sched --csv --columns comm,run,file host.dat guest.dat 2>/dev/null | grep ,host | sort
ringside sched --timeline --csv host.dat guest.dat 2>/dev/null | cut -d , -f 9 | sort | uniq -c | sed 's/^ *//'
ringside sched --preempts host.dat guest.dat 2>/dev/null | awk '{ print $1, $NF }'
ringside sched --timeline host.dat guest.dat 2>/dev/null | grep -c ' of guest.dat$'
