# -I and -S leave out records of interrupts: how long interrupts ran on top of calls is then not known, and is part of self.
command -v python3 >/dev/null && python3 -c 'import sqlite3' || { echo "SKIP: no python3 with sqlite3"; exit 0; }
columns() { ringside funcs --csv --columns function,calls,cut,total,self,irq --sort function "$@" 2>&1 | tr -d '\r'; }
# Flags: 1 irqs-off, 8 hardirq, 16 softirq.
calls() {
	cat <<END
0 900 0 sched_switch prev_pid=0 next_pid=7
0 950 0 sched_waking pid=7
0 1000 7 funcgraph_entry func=@vfs_read depth=0
0 2000 7 funcgraph_entry func=@hrtimer_interrupt depth=1 common_flags=9
0 2400 7 funcgraph_exit func=@hrtimer_interrupt depth=1 common_flags=9 calltime=2000 rettime=2400
0 3000 7 funcgraph_entry func=@rcu_core_si depth=1 common_flags=16
0 3700 7 funcgraph_exit func=@rcu_core_si depth=1 common_flags=16 calltime=3000 rettime=3700
0 5000 7 funcgraph_exit func=@vfs_read depth=0 calltime=1000 rettime=5000
END
}
calls | plan "$DATA/openat2.dat" calls.dat
for option in '' -I -S '-I -S'; do
	echo "== funcs $option"
	columns $option calls.dat
	ringside sql --csv $option -i calls.dat "SELECT function, total, self, irq FROM calls ORDER BY ts" 2>&1 | tr -d '\r'
	ringside graph --csv --columns path,self,irq $option calls.dat 2>&1 | tr -d '\r'
	ringside slow --csv --columns function,cause,self,irq $option vfs_read calls.dat 2>&1 | tr -d '\r'
	rm -f calls.sqlite; ringside export $option -o calls.sqlite calls.dat 2>&1
	python3 -c 'import sqlite3; [print(*row) for row in sqlite3.connect("calls.sqlite").execute("SELECT function, self, irq FROM calls ORDER BY ts")]'
done
echo "== the same of events of interrupts"
{
	calls | head -3
	echo 'event irq softirq_entry 3100 vec:4'; echo 'event irq softirq_exit 3101 vec:4'
	echo '0 2000 7 irq_handler_entry irq=9 common_flags=9'; echo '0 2400 7 irq_handler_exit irq=9 common_flags=9'
	echo '0 3000 7 softirq_entry vec=9 common_flags=17'; echo '0 3700 7 softirq_exit vec=9 common_flags=17'
	calls | grep vfs_read | tail -1
} | plan "$DATA/openat2.dat" events.dat
for option in '' -I -S; do columns $option events.dat; done

# An interrupt as Debian's 6.12 records it. The entry of irq_enter_rcu does not say hardirq, and its exit does. irq_exit_rcu is the other way round, and runs the
# handlers of soft interrupts, whose functions do not say hardirq either. In the second case, the functions of the interrupt come after the exit of a
# call of the same depth that 6.1 records later.
interrupt() {
	local at=$1 depth=$2
	rec() { echo "0 $((at + $1)) 7 $2 func=@$3 depth=$((depth + $4)) common_flags=$5${6:+ calltime=$((at + $6)) rettime=$((at + $1))}"; }
	rec 0 funcgraph_entry irq_enter_rcu 0 1
	rec 10 funcgraph_entry tick_irq_enter 1 9; rec 20 funcgraph_exit tick_irq_enter 1 9 10
	rec 30 funcgraph_exit irq_enter_rcu 0 9 0
	rec 40 funcgraph_entry hrtimer_interrupt 0 9; rec 50 funcgraph_exit hrtimer_interrupt 0 9 40
	rec 60 funcgraph_entry irq_exit_rcu 0 9
	rec 70 funcgraph_entry handle_softirqs 1 1
	rec 80 funcgraph_entry rcu_core_si 2 16; rec 90 funcgraph_exit rcu_core_si 2 16 80
	rec 100 funcgraph_exit handle_softirqs 1 1 70
	rec 110 funcgraph_exit irq_exit_rcu 0 1 60
}
halves() {
	echo "0 1000 7 funcgraph_entry func=@vfs_read depth=0"
	interrupt 2000 1
	echo "0 3000 7 funcgraph_entry func=@kfree depth=1"
	[ "$1" = inside ] || interrupt 3100 1
	echo "0 3300 7 funcgraph_exit func=@kfree depth=1 calltime=3000 rettime=3050"
	interrupt 3400 1
	echo "0 5000 7 funcgraph_exit func=@vfs_read depth=0 calltime=1000 rettime=5000"
}
for where in inside end; do
	halves $where | plan "$DATA/openat2.dat" halves.dat
	for option in '' -I -S '-I -S'; do
		echo "== calls that only begin or end in a hard interrupt: $where $option"
		ringside funcs --csv --columns function,calls,cut,total --sort function $option halves.dat 2>/dev/null | tr -d '\r'
	done
done
echo "== report leaves out each record by its own flags"
ringside report -I halves.dat 2>/dev/null | grep -c irq_enter_rcu
