# Calls of function_graph around losses and interrupts. The plans follow what Debian's 6.1 and 6.12 kernels record.
make() { plan "$DATA/openat2.dat" "$1.dat"; }
table() { ringside funcs --csv --columns function,calls,cut,total,self,off,irq --sort function "$1.dat" 2>/dev/null | tr -d '\r'; }

# 7 is off its CPU while CPU 1 loses events. It waits in schedule() before and after the loss, so its calls are complete. Kernels with IBT record the address
# behind the first instruction of a function.
sleeps() {
	cat <<END
0 900 0 sched_switch prev_pid=0 next_pid=7
1 950 0 sched_switch prev_pid=0 next_pid=8
0 1000 7 funcgraph_entry func=@vfs_read$1 depth=0
0 1100 7 funcgraph_entry func=@schedule$1 depth=1
0 1200 7 sched_switch prev_pid=7 prev_state=1 next_pid=0
1 lost 3
1 1500 8 funcgraph_entry func=@vfs_open$1 depth=0
1 1600 8 funcgraph_exit func=@vfs_open$1 depth=0 calltime=1500 rettime=1600
0 1800 0 sched_switch prev_pid=0 next_pid=7
0 1900 7 funcgraph_exit func=@schedule$1 depth=1 calltime=1100 rettime=1900
0 2000 7 funcgraph_exit func=@vfs_read$1 depth=0 calltime=1000 rettime=2000
END
}
for offset in '' +4; do
	echo "== a task sleeps during a loss; addresses are those of the functions $offset"
	sleeps "$offset" | make sleeps
	table sleeps
done

# A hard interrupt ends with soft interrupts. Their handlers are called by its functions, whose flags (1 irqs-off, 8 hardirq, 16 softirq) tell neither. A second
# hard interrupt does interrupt the handler of the soft one.
soft() {
	cat <<END
0 1000 7 funcgraph_entry func=@vfs_read depth=0
0 2000 7 funcgraph_entry func=@irq_exit_rcu depth=1 common_flags=9
0 2100 7 funcgraph_entry func=@handle_softirqs depth=2 common_flags=1
$1
0 2200 7 funcgraph_entry func=@rcu_core_si depth=3 common_flags=16
0 2300 7 funcgraph_entry func=@kfree depth=4 common_flags=16
0 2400 7 funcgraph_entry func=@hrtimer_interrupt depth=5 common_flags=25
0 2700 7 funcgraph_exit func=@hrtimer_interrupt depth=5 common_flags=25 calltime=2400 rettime=2700
0 3100 7 funcgraph_exit func=@kfree depth=4 common_flags=16 calltime=2300 rettime=3100
0 3200 7 funcgraph_exit func=@rcu_core_si depth=3 common_flags=16 calltime=2200 rettime=3200
$2
0 3400 7 funcgraph_exit func=@handle_softirqs depth=2 common_flags=1 calltime=2100 rettime=3400
0 3600 7 funcgraph_exit func=@irq_exit_rcu depth=1 common_flags=1 calltime=2000 rettime=3600
0 5000 7 funcgraph_exit func=@vfs_read depth=0 calltime=1000 rettime=5000
END
}
echo "== soft interrupts at the end of a hard one: $(soft '' '' | make soft; ringside funcs --callers-of rcu_core_si --csv --columns function,calls soft.dat 2>/dev/null | tr -d '\r' | sed 1d)"
table soft
ringside graph --min-percent 0 --csv --columns path,calls,total soft.dat 2>/dev/null | tr -d '\r'
echo "== with the events of soft interrupts"
{ echo "event irq softirq_entry 3100 vec:4"; echo "event irq softirq_exit 3101 vec:4"
  soft '0 2150 7 softirq_entry vec=9 common_flags=17' '0 3300 7 softirq_exit vec=9 common_flags=17'; } | make soft-events
table soft-events

# 6.1 takes a call off its stack, and then records its exit. An interrupt in between has functions of the same depth, and the flags of the first one, whose
# function is $1, do not tell of an interrupt. The call is complete if its exit comes, and is cut if something else comes.
tail_of() {
	cat <<END
0 1000 7 funcgraph_entry func=@vfs_read depth=0
0 2000 7 funcgraph_entry func=@vfs_open depth=1
0 2100 7 funcgraph_entry func=@kfree depth=2
0 2200 7 funcgraph_exit func=@kfree depth=2 calltime=2100 rettime=2200
0 5000 7 funcgraph_entry func=@$1 depth=1 common_flags=1
0 5100 7 funcgraph_exit func=@$1 depth=1 common_flags=9 calltime=5000 rettime=5100
0 5200 7 funcgraph_entry func=@hrtimer_interrupt depth=1 common_flags=9
0 5300 7 funcgraph_entry func=@kfree depth=2 common_flags=9
0 5400 7 funcgraph_exit func=@kfree depth=2 common_flags=9 calltime=5300 rettime=5400
0 6000 7 funcgraph_exit func=@hrtimer_interrupt depth=1 common_flags=9 calltime=5200 rettime=6000
0 6100 7 funcgraph_entry func=@irq_exit_rcu depth=1 common_flags=9
0 6300 7 funcgraph_exit func=@irq_exit_rcu depth=1 common_flags=1 calltime=6100 rettime=6300
$2
0 9000 7 funcgraph_exit func=@vfs_read depth=0 calltime=990 rettime=8990
END
}
ends='0 6500 7 funcgraph_exit func=@vfs_open depth=1 calltime=1990 rettime=2300'
goes_on='0 6500 7 funcgraph_entry func=@dput depth=1
0 6600 7 funcgraph_exit func=@dput depth=1 calltime=6490 rettime=6590'
echo "== an interrupt at the end of a call"
tail_of irq_enter_rcu "$ends" | make end
table end
# With funcgraph-irqs off, functions of interrupts are recorded only where the flags do not tell of one.
echo "== the same, with another first function: $(tail_of handle_softirqs "$ends" | make end; table end | grep vfs_open)"
echo "== an interrupt, and no exit"
tail_of irq_enter_rcu "$goes_on" | make end
table end
echo "== an exit of another function"
tail_of irq_enter_rcu "${ends/vfs_open/dput}" | make end
table end
echo "== the first function may be called by others than interrupts"
tail_of dput "$ends" | make end
table end

# The kernel takes the time of a call's beginning, and then records the entry. An interrupt in between has functions that are one level deeper. No call is made
# up above them, and their times belong to the call, be it a leaf or not. The third interrupt came before its next call, whose measured time does not have it.
make early <<END
0 1000 7 funcgraph_entry func=@vfs_read depth=0
0 5000 7 funcgraph_entry func=@irq_enter_rcu depth=2 common_flags=1
0 5100 7 funcgraph_exit func=@irq_enter_rcu depth=2 common_flags=9 calltime=5000 rettime=5100
0 5200 7 funcgraph_entry func=@hrtimer_interrupt depth=2 common_flags=9
0 5300 7 funcgraph_entry func=@kfree depth=3 common_flags=9
0 5400 7 funcgraph_exit func=@kfree depth=3 common_flags=9 calltime=5300 rettime=5400
0 6000 7 funcgraph_exit func=@hrtimer_interrupt depth=2 common_flags=9 calltime=5200 rettime=6000
0 6100 7 funcgraph_entry func=@vfs_open depth=1
0 6200 7 funcgraph_entry func=@kfree depth=2
0 6300 7 funcgraph_exit func=@kfree depth=2 calltime=6200 rettime=6300
0 6500 7 funcgraph_exit func=@vfs_open depth=1 calltime=4800 rettime=6490
0 7000 7 funcgraph_entry func=@hrtimer_interrupt depth=2 common_flags=9
0 7400 7 funcgraph_exit func=@hrtimer_interrupt depth=2 common_flags=9 calltime=7000 rettime=7400
0 7500 7 funcgraph_entry func=@dput depth=1
0 7600 7 funcgraph_exit func=@dput depth=1 calltime=6900 rettime=7590
0 8000 7 funcgraph_entry func=@hrtimer_interrupt depth=2 common_flags=9
0 8300 7 funcgraph_exit func=@hrtimer_interrupt depth=2 common_flags=9 calltime=8000 rettime=8300
0 8500 7 funcgraph_entry func=@vfs_open depth=1
0 8600 7 funcgraph_entry func=@kfree depth=2
0 8700 7 funcgraph_exit func=@kfree depth=2 calltime=8600 rettime=8700
0 8900 7 funcgraph_exit func=@vfs_open depth=1 calltime=8490 rettime=8890
0 9500 7 funcgraph_exit func=@vfs_read depth=0 calltime=990 rettime=9490
1 1000 8 funcgraph_entry func=@vfs_write depth=0
1 1100 8 funcgraph_exit func=@vfs_write depth=0 calltime=1000 rettime=1100
1 2000 8 funcgraph_entry func=@hrtimer_interrupt depth=1 common_flags=9
1 2500 8 funcgraph_exit func=@hrtimer_interrupt depth=1 common_flags=9 calltime=2000 rettime=2500
1 2600 8 funcgraph_entry func=@vfs_write depth=0
1 2700 8 funcgraph_entry func=@kfree depth=1
1 2800 8 funcgraph_exit func=@kfree depth=1 calltime=2700 rettime=2800
1 3000 8 funcgraph_exit func=@vfs_write depth=0 calltime=1900 rettime=2990
END
echo "== interrupts before the entry of a call is recorded, and after its time is measured"
table early
ringside sql --csv "SELECT function, ts, total, self, callees, irq FROM calls WHERE function IN ('vfs_open', 'dput', 'vfs_write') ORDER BY function, ts" early.dat 2>/dev/null | tr -d '\r'

# Calls of a softirq, and of a hard interrupt on top of another softirq. Where the entries are not recorded, the exits tell last which calls interrupts made, and
# the paths are those of the recording with the entries.
cat >exits <<'END'
0 900 100 funcgraph_exit func=@getname depth=3 calltime=600 rettime=900 common_flags=0x10
0 1000 100 funcgraph_exit func=@mutex_lock depth=2 calltime=500 rettime=1000 common_flags=0x10
0 1200 100 funcgraph_exit func=@dput depth=1 calltime=400 rettime=1200
0 1300 100 funcgraph_exit func=@vfs_read depth=0 calltime=100 rettime=1300
1 1000 101 funcgraph_exit func=@kfree depth=2 calltime=500 rettime=1000 common_flags=0x18
1 1100 101 funcgraph_exit func=@getname depth=1 calltime=400 rettime=1100 common_flags=0x10
1 1300 101 funcgraph_exit func=@vfs_open depth=0 calltime=100 rettime=1300
END
{
	printf '%s\n' 'task 100 alpha' 'task 101 beta'
	sed -E 's/^(.) [0-9]+ (.*)_exit (.*) calltime=([0-9]+) rettime=[0-9]+/\1 \4 \2_entry \3/' exits | sort -n -k2
	cat exits
} | plan "$DATA/openat2.dat" entries.dat
{ printf '%s\n' 'task 100 alpha' 'task 101 beta'; cat exits; } | plan "$DATA/openat2.dat" exits.dat
echo "== interrupts that only exits tell"
for by in none cpu; do
	for file in entries exits; do
		ringside graph --by $by --csv --columns path "$file.dat" 2>/dev/null | sort >$file
	done
	diff entries exits && cat exits
done

# 7 goes from CPU 0 to CPU 1, where all of its records are lost, and ends its call on CPU 2. The exit of vfs_open is missing, so vfs_read lacks records, too.
plan "$DATA/openat2.dat" unseen.dat <<'END'
1 900 8 funcgraph_entry func=@dput depth=0
1 950 8 funcgraph_exit func=@dput depth=0 calltime=900 rettime=950
0 1000 7 funcgraph_entry func=@vfs_read depth=0
0 1100 7 funcgraph_entry func=@vfs_open depth=1
1 lost 3
1 1500 8 funcgraph_entry func=@dput depth=0
1 1600 8 funcgraph_exit func=@dput depth=0 calltime=1500 rettime=1600
2 2000 7 funcgraph_exit func=@vfs_read depth=0 calltime=1000 rettime=2000
2 2100 7 funcgraph_entry func=@vfs_write depth=0
2 2200 7 funcgraph_exit func=@vfs_write depth=0 calltime=2100 rettime=2200
END
echo "== a task was on a CPU while that CPU lost events, and none of its records there is left"
table unseen

plan "$DATA/openat2.dat" last.dat <<'END'
0 1000 7 funcgraph_entry func=@vfs_read depth=0
0 1100 7 funcgraph_entry func=@dput depth=1
0 1160 7 funcgraph_exit func=@dput depth=1 calltime=1100 rettime=1160
0 1400 7 funcgraph_exit func=@vfs_read depth=0 calltime=1000 rettime=1400
0 1900 7 funcgraph_entry func=@vfs_read depth=0
0 2400 7 funcgraph_exit func=@vfs_read depth=0 calltime=1900 rettime=2400
END
echo "== the span ends with the exit of the last call"
ringside funcs --json last.dat 2>/dev/null | grep -o '"span": [0-9]*'
