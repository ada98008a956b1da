# Calls of function_graph in a trace whose clock counts ticks. function_graph tells their times in ns. The switches have times in ticks, so they do not tell how long a call was off
# the CPU: here schedule() takes 3 us, and the switches are 9000 ticks apart.
cat >plan <<'END'
clock x86-tsc
task 7 sleeper
0 1000000 7 funcgraph_entry func=@vfs_read depth=0
0 1003000 7 funcgraph_entry func=@schedule depth=1
0 1003100 7 sched_switch prev_pid=7 prev_prio=120 prev_state=1 next_pid=0 next_prio=120
0 1012100 0 sched_switch prev_pid=0 prev_prio=120 prev_state=0 next_pid=7 next_prio=120
0 1012200 7 funcgraph_exit func=@schedule depth=1 calltime=501000 rettime=504000
0 1015000 7 funcgraph_exit func=@vfs_read depth=0 calltime=500000 rettime=505000
END
plan "$DATA/openat2.dat" ticks.dat <plan
ringside funcs --columns function,calls,total,self,off,guessed ticks.dat
ringside graph --json --columns function,total,self,off ticks.dat
ringside slow vfs_read ticks.dat
grep -v 'switch' plan | plan "$DATA/openat2.dat" ticks.dat
ringside funcs --columns function,calls,total,self,off,guessed ticks.dat
grep -v schedule plan | plan "$DATA/openat2.dat" ticks.dat
ringside funcs --columns function,calls,total,self,off,guessed ticks.dat
echo '== a call of 5000 ns, entered at the tick 1000000: in each command, its duration is in ns, and its time is in ticks'
ringside dist vfs_read --outliers 1 ticks.dat
ringside latency function:vfs_read --heat --outliers 0 ticks.dat | tail -n 2
for command in 'dist vfs_read' 'latency function:vfs_read' 'slow vfs_read' 'hist --time' funcs 'diff ticks.dat --'; do
	# shellcheck disable=SC2086
	ringside $command --json ticks.dat 2>/dev/null | grep -o '"span": [^,]*\|"time_unit.*ticks"\|"ts": [0-9]*\|"\(sum\|total\|self\|total_new\|value\)": [0-9.]\+' | tr '\n' ' '
	echo
done
echo '== system calls have no times then; flame and folded count them, and say why'
plan "$DATA/openat2.dat" ticks.dat <<'END'
clock x86-tsc
event raw_syscalls sys_enter 3000 id:8
event raw_syscalls sys_exit 3001 id:8 ret:8
task 7 reader
0 1000 7 sys_enter id=0
0 2000 7 sys_exit id=0 ret=1
0 3000 7 sys_enter id=0
0 4000 7 sys_exit id=0 ret=1
0 5000 7 sys_enter id=1
0 6000 7 sys_exit id=1 ret=1
0 7000 7 sys_enter id=3
END
ringside funcs --columns function,calls,cut,total ticks.dat
for weight in calls time cpu off; do
	ringside flame --folded --weight $weight ticks.dat
	echo "$weight: status $?"
done
ringside flame --folded ticks.dat
ringside flame --folded --by task ticks.dat
ringside flame -o ticks.svg ticks.dat
grep -o '<title>[^<]*' ticks.svg | sort
ringside export --to folded ticks.dat
echo '== uptime counts hundredths of a second; report prints them as trace-cmd does, as if they were ns, and analyses take them for ticks'
plan "$DATA/openat2.dat" uptime.dat <<'END'
clock uptime
event raw_syscalls sys_enter 3000 id:8
event raw_syscalls sys_exit 3001 id:8 ret:8
task 7 reader
0 2561 7 sys_enter id=0
0 2861 7 sys_exit id=0 ret=1
END
ringside report -q uptime.dat
ringside syscalls -c --columns total,calls,syscall uptime.dat
ringside syscalls -c --json uptime.dat | grep -o '"time_unit": "[a-z]*"'
ringside funcs --csv --columns function,calls,total uptime.dat 2>/dev/null
ringside report -q --ts2secs 100 uptime.dat
