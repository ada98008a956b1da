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
