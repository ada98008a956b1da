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
