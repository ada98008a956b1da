# What the kernel did stands below the calls that were chosen (--graph), by a plan: 7 opens a file and reads, while 8 opens one on the other CPU;
# then 7 opens another one, of which records were lost, and one in which it still is at the end; 8 exits.
plan "$DATA/openat2.dat" graph.dat <<'END'
event syscalls sys_enter_any 3000 __syscall_nr:4 pad:4 a:8 b:8 c:8 d:8
event syscalls sys_exit_any 3001 __syscall_nr:4 pad:4 ret:8
0 900 7 funcgraph_entry func=@getname depth=0
0 1000 7 funcgraph_exit func=@getname depth=0 calltime=900 rettime=1000
0 1100 7 sys_enter_any __syscall_nr=257 a=0xffffffffffffff9c b=0x7000
0 1200 7 funcgraph_entry func=@do_sys_openat2 depth=0
1 1250 8 sys_enter_any __syscall_nr=257 a=0xffffffffffffff9c b=0x8000
1 1260 8 funcgraph_entry func=@do_sys_openat2 depth=0
0 1300 7 funcgraph_entry func=@getname depth=1
0 1600 7 funcgraph_exit func=@getname depth=1 calltime=1300 rettime=1600
0 2200 7 funcgraph_exit func=@do_sys_openat2 depth=0 calltime=1200 rettime=2200
0 2300 7 sys_exit_any __syscall_nr=257 ret=3
1 2400 8 funcgraph_exit func=@do_sys_openat2 depth=0 calltime=1260 rettime=2400
1 2500 8 sys_exit_any __syscall_nr=257 ret=0xfffffffffffffffe
0 3000 7 sys_enter_any __syscall_nr=0 a=3
0 3100 7 funcgraph_entry func=@getname depth=0
0 3200 7 funcgraph_exit func=@getname depth=0 calltime=3100 rettime=3200
0 3300 7 sys_exit_any __syscall_nr=0 ret=5
0 4000 7 sys_enter_any __syscall_nr=257 a=0xffffffffffffff9c b=0x7000
0 4100 7 funcgraph_entry func=@do_sys_openat2 depth=0
0 lost 4
0 4200 7 funcgraph_exit func=@do_sys_openat2 depth=0 calltime=4100 rettime=4200
0 4300 7 sys_exit_any __syscall_nr=257 ret=4
1 5000 8 sys_enter_any __syscall_nr=231 a=0
1 5100 8 funcgraph_entry func=@getname depth=0
1 5200 8 funcgraph_exit func=@getname depth=0 calltime=5100 rettime=5200
0 6000 7 sys_enter_any __syscall_nr=257 a=0xffffffffffffff9c b=0x7000
0 6100 7 funcgraph_entry func=@do_sys_openat2 depth=0
END
echo '# openat'
ringside syscalls -q --graph openat graph.dat
echo '# of one task, with its times, and only what failed'
ringside syscalls -q --graph all --pid 8 -T graph.dat
ringside syscalls -q --graph openat -Z graph.dat
echo '# a file for each task'
ringside syscalls -q --graph read -ff -o x -e read,openat graph.dat
cat x.7
echo '# the same functions as report tells, but for the one before all calls, and the end behind the loss'
ringside report graph.dat | grep '|  ' | sed 's/.*funcgraph_[a-z]*: *//' | sort >report
ringside syscalls -q --graph all graph.dat | grep '|  ' | sed 's/^ *//' | sort >ours
diff report ours
echo '# without a function graph, and what is refused'
ringside syscalls --graph openat --pid 168 -e write "$DATA/syscalls-v6.dat"; echo $?
ringside syscalls --graph opent graph.dat; echo $?
ringside syscalls --graph openat -c graph.dat; echo $?
echo '# chosen CPUs: only calls that began there have lines, and what is below them on another CPU, too'
plan "$DATA/openat2.dat" moved.dat <<'END'
event raw_syscalls sys_enter 3020 id:8 args:8
event raw_syscalls sys_exit 3021 id:8 ret:8
0 1000 7 sys_enter id=257
1 1100 7 funcgraph_entry func=@getname depth=0
1 1200 7 funcgraph_exit func=@getname depth=0 calltime=1100 rettime=1200
1 1300 7 sys_exit id=257 ret=3
0 1400 7 sys_exit id=32 ret=0xffffffffffffffff	# refused, and nothing is below it
1 2000 7 sys_enter id=257
0 2100 7 funcgraph_entry func=@do_sys_openat2 depth=0
0 2200 7 funcgraph_exit func=@do_sys_openat2 depth=0 calltime=2100 rettime=2200
0 2300 7 sys_exit id=257 ret=4
END
ringside syscalls -q --graph all --cpu 0 moved.dat
