# The formats of some events of Linux 6.12, as a copy of the tracing directory has them.
export LC_ALL=C
xz -dc "${0%/cli/*}/data/formats-6.12.xz" >formats
while read -r system event; do
	mkdir -p "tracing/events/$system/$event"
	awk -v name="$event" '/^name: / { on = $2 == name } on && !/^system: /' formats >"tracing/events/$system/$event/format"
	: >"tracing/events/$system/enable"
	echo "$system:$event" >>tracing/available_events
done <<'END'
sched sched_waking
sched sched_switch
sched sched_process_exec
kmem kmalloc
raw_syscalls sys_enter
raw_syscalls sys_exit
END
printf '\tfield: %s;\toffset:%d;\tsize:%d;\tsigned:%d;\n' 'u64 timestamp' 0 8 0 'local_t commit' 8 8 1 'char data' 16 4080 0 >tracing/events/header_page
# The variables have a random number in their names.
run() {
	echo "== $*"
	ringside sqlhist -t tracing "$@" 2>&1 <statement | sed -E 's/__([a-z]+)_[0-9]+_/__\1_N_/g'
	echo "exit status ${PIPESTATUS[0]}"
}
latency='SELECT end.next_comm AS comm, (end.TIMESTAMP_USECS - start.TIMESTAMP_USECS) AS lat FROM sched_waking AS start
	JOIN sched_switch AS end ON start.pid = end.next_pid'
echo "$latency" >statement
run 'SELECT CAST(call_site as SYM-OFFSET), bytes_req, CAST(bytes_alloc AS _COUNTER_) FROM kmalloc'
run select pid from sched_waking where 'comm == "a b" && prio < 100'
run -B mine 'SELECT pid FROM sched.sched_waking'
run -n wakeup_lat "$latency"
run -n wakeup_lat -m lat "$latency"
run -n wakeup_lat -m lat -T "$latency WHERE end.next_prio < 100"
run -c comm -s "$latency"
run -n w "$latency"
run -n w -m lat -S prev_pid -T "$latency"
run -c comm -S prev_pid,prev_comm "$latency"
run -f statement
run -f -
run -n sys 'SELECT start.id, (end.TIMESTAMP - start.TIMESTAMP) AS lat FROM sys_enter AS start JOIN sys_exit AS end ON start.common_pid = end.common_pid'
echo "== what cannot be"
run
run ''
run -f nothing
run -f statement select
run -m lat -c comm "$latency"
run -s "$latency"
run -m late "$latency"
run -m lat -S prev_pidd "$latency"
run -m lat -S prev_pid,x "$latency"
run -m pid 'SELECT pid FROM sched_waking'
run -e 'SELECT pid FROM sched_waking'
run -n 'a b' "$latency"
run -B mine "$latency"
run 'SELECT pid FROM'
run 'SELECT FROM sched_waking'
run 'SELECT pidd FROM sched_waking'
run 'SELECT pid FROM sched_wakin'
run 'SELECT filenam FROM sched_process_exec'
run 'DROP TABLE sched_waking'
run 'SELECT CAST(pid AS NOTHING) FROM sched_waking'
run 'SELECT end.next_comm FROM sched_waking AS start JOIN sched_switch AS end ON start.pid = end.nxt_pid'
echo "== a copy without a list of its events, and a folder that is none"
rm tracing/available_events
run 'SELECT pidd FROM sched_waking'
run 'SELECT pid FROM sched_wakin'
mkdir empty
ringside sqlhist -t empty 'SELECT pid FROM sched_waking'
ringside sqlhist -t nowhere 'SELECT pid FROM sched_waking'
echo "== sql --live is the same"
live() { ringside sql "$@" 2>&1 | sed -E 's/__([a-z]+)_[0-9]+_/__\1_N_/g'; }
live --live -t tracing -n wakeup_lat -m lat "$latency" >one
live -t tracing "$latency" -n wakeup_lat -m lat --live >two
ringside sqlhist -t tracing -n wakeup_lat -m lat "$latency" | sed -E 's/__([a-z]+)_[0-9]+_/__\1_N_/g' >three
cmp one three && cmp two three && wc -l <one
live --live -t nothing "$latency"
