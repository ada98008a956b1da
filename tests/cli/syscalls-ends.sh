# Signals and ends of tasks, by a plan: what a line must say follows from what the plan says that the kernel did.
events='
event syscalls sys_enter_exit_group 3000 __syscall_nr:4 pad:4 error_code:8
event syscalls sys_enter_exit 3001 __syscall_nr:4 pad:4 error_code:8
event syscalls sys_enter_wait4 3002 __syscall_nr:4 pad:4 upid:8 stat_addr:8 options:8 ru:8
event syscalls sys_exit_wait4 3003 __syscall_nr:4 pad:4 ret:8
event syscalls sys_enter_pause 3004 __syscall_nr:4 pad:4
event syscalls sys_exit_pause 3005 __syscall_nr:4 pad:4 ret:8
event signal signal_generate 3010 sig:4 errno:4 code:4 comm:8 pid:4 group:4 result:4
event signal signal_deliver 3011 sig:4 errno:4 code:4 sa_handler:8 sa_flags:8
event task task_newtask 3012 pid:4 comm:8 clone_flags:8 oom_score_adj:2'
wait_for='sys_enter_wait4 __syscall_nr=61 upid=0xffffffffffffffff'
pause='sys_enter_pause __syscall_nr=34'
# Of 100: a child that ends with 263, of which 7 are kept; its SIGCHLD is ignored, and comes in the middle of wait4.
# Then a child of two tasks, of which the first calls exit and the other exit_group; SIGCHLD has a handler then.
# Then a child that gets SIGUSR1 and SIGTERM: the kernel delivers SIGKILL for the second, to both its tasks.
# Then one that dies of SIGSEGV, one that is killed by somebody who was not recorded, and a real-time signal that is handled.
plan "$DATA/openat2.dat" ends.dat <<END
$events
0 1000 100 task_newtask pid=101 clone_flags=0x1200000
0 1100 100 $wait_for
1 1200 101 sys_enter_exit_group __syscall_nr=231 error_code=263
1 1300 101 sched_process_exit pid=101
1 1400 101 signal_generate sig=17 code=1 pid=100 group=1 result=1
0 1500 100 sys_exit_wait4 __syscall_nr=61 ret=101
0 2000 100 task_newtask pid=102 clone_flags=0x1200000
1 2100 102 task_newtask pid=103 clone_flags=0x3d0f00
1 2200 102 sys_enter_exit __syscall_nr=60 error_code=1
1 2300 102 sched_process_exit pid=102
1 2400 103 sys_enter_exit_group __syscall_nr=231 error_code=5
1 2500 103 sched_process_exit pid=103
1 2600 103 signal_generate sig=17 code=1 pid=100 group=1 result=0
0 2700 100 signal_deliver sig=17 code=1 sa_handler=0x401000
0 3000 100 task_newtask pid=104 clone_flags=0x1200000
1 3100 104 task_newtask pid=105 clone_flags=0x3d0f00
1 3150 105 $pause
0 3200 100 signal_generate sig=10 code=0 pid=104 group=1 result=0
1 3300 104 signal_deliver sig=10 code=0 sa_handler=0x401000
0 3400 100 signal_generate sig=15 code=0 pid=104 group=1 result=0
1 3500 104 signal_deliver sig=9 code=0 sa_handler=0
1 3600 104 sched_process_exit pid=104
1 3650 105 sys_exit_pause __syscall_nr=34 ret=0xfffffffffffffdfe
1 3700 105 signal_deliver sig=9 code=0 sa_handler=0
1 3800 105 sched_process_exit pid=105
0 4000 100 task_newtask pid=106 clone_flags=0x1200000
1 4100 106 $pause
1 4200 106 signal_deliver sig=11 code=1 sa_handler=0
1 4300 106 sched_process_exit pid=106
0 5000 100 task_newtask pid=107 clone_flags=0x1200000
1 5100 107 signal_deliver sig=9 code=0 sa_handler=0
1 5200 107 sched_process_exit pid=107
0 6000 100 signal_deliver sig=34 code=0xffffffff sa_handler=0x401000
0 6100 100 signal_generate sig=28 code=128 pid=100 group=1 result=1
0 6200 100 signal_generate sig=17 code=1 pid=1 group=1 result=1	# to one that is not recorded
END
# Where birth or events are missing, nobody knows what a task ended of: 200 was there before, and of 202 events were lost.
plan "$DATA/openat2.dat" unknown.dat <<END
$events
0 1000 200 $pause
0 1100 200 signal_deliver sig=9 code=0 sa_handler=0
0 1200 200 sched_process_exit pid=200
0 1300 201 $pause
0 1400 201 task_newtask pid=202 clone_flags=0x1200000
0 1500 202 $pause
0 lost 3
0 1600 202 signal_deliver sig=9 code=0 sa_handler=0
0 1700 202 sched_process_exit pid=202
END
# A thread of 301 (302) calls execve, which ends the process's other threads and gives 302 the number 301. 303 is killed when the process 304 gets
# SIGKILL while its other thread is in a call of execve that fails.
exec='sys_enter_execve __syscall_nr=59 filename=0x401000 argv=0x402000 envp=0x403000'
plan "$DATA/openat2.dat" threads.dat <<END
$events
event syscalls sys_enter_execve 3006 __syscall_nr:4 pad:4 filename:8 argv:8 envp:8
event syscalls sys_exit_execve 3007 __syscall_nr:4 pad:4 ret:8
0 1000 300 task_newtask pid=301 clone_flags=0x1200000
0 1100 301 task_newtask pid=302 clone_flags=0x3d0f00
0 1110 301 task_newtask pid=303 clone_flags=0x3d0f00
0 1120 301 $pause
1 1130 303 $pause
0 1140 302 $exec
0 1200 301 sys_exit_pause __syscall_nr=34 ret=0xfffffffffffffdfe
0 1210 301 signal_deliver sig=9 code=0 sa_handler=0
0 1220 301 sched_process_exit pid=301
1 1230 303 sys_exit_pause __syscall_nr=34 ret=0xfffffffffffffdfe
1 1240 303 signal_deliver sig=9 code=0 sa_handler=0
1 1250 303 sched_process_exit pid=303
1 1300 301 sched:sched_process_exec pid=301 old_pid=302
1 1400 301 sys_exit_execve __syscall_nr=59 ret=0
1 1500 301 sys_enter_exit_group __syscall_nr=231 error_code=5
1 1600 301 sched_process_exit pid=301
0 2000 300 task_newtask pid=304 clone_flags=0x1200000
0 2100 304 task_newtask pid=305 clone_flags=0x3d0f00
0 2200 304 $pause
1 2300 305 $exec
1 2400 305 sys_exit_execve __syscall_nr=59 ret=0xfffffffffffffffe
0 2500 300 signal_generate sig=9 code=0 pid=304 group=1 result=0
0 2600 304 signal_deliver sig=9 code=0 sa_handler=0
0 2700 304 sched_process_exit pid=304
1 2800 305 signal_deliver sig=9 code=0 sa_handler=0
1 2900 305 sched_process_exit pid=305
END
# 312 calls execve while SIGUSR1, which 311 blocks, waits: that is not what ends 311. The new program takes it and dies of it. 321 and 322 die of a
# SIGTERM that comes while 322 calls execve.
plan "$DATA/openat2.dat" waits.dat <<END
$events
event syscalls sys_enter_execve 3006 __syscall_nr:4 pad:4 filename:8 argv:8 envp:8
event syscalls sys_exit_execve 3007 __syscall_nr:4 pad:4 ret:8
0 1000 300 task_newtask pid=311 clone_flags=0x1200000
0 1100 311 task_newtask pid=312 clone_flags=0x3d0f00
0 1110 300 signal_generate sig=10 code=0 pid=311 group=1 result=0
0 1120 311 $pause
0 1140 312 $exec
0 1200 311 sys_exit_pause __syscall_nr=34 ret=0xfffffffffffffdfe
0 1210 311 signal_deliver sig=9 code=0 sa_handler=0
0 1220 311 sched_process_exit pid=311
1 1300 311 sched:sched_process_exec pid=311 old_pid=312
1 1400 311 sys_exit_execve __syscall_nr=59 ret=0
1 1500 311 signal_deliver sig=10 code=0 sa_handler=0
1 1600 311 sched_process_exit pid=311
0 2000 300 task_newtask pid=321 clone_flags=0x1200000
0 2100 321 task_newtask pid=322 clone_flags=0x3d0f00
0 2110 321 $pause
1 2120 322 $exec
0 2130 300 signal_generate sig=15 code=0 pid=321 group=1 result=0
0 2140 321 sys_exit_pause __syscall_nr=34 ret=0xfffffffffffffdfe
0 2150 321 signal_deliver sig=9 code=0 sa_handler=0
0 2160 321 sched_process_exit pid=321
1 2170 322 signal_deliver sig=9 code=0 sa_handler=0
1 2180 322 sched_process_exit pid=322
END
# A timer of 100 runs out while 400, which has nothing to do with it, is interrupted. A timer has no sender.
plan "$DATA/openat2.dat" timer.dat <<END
$events
0 1000 99 task_newtask pid=100 clone_flags=0x1200000
0 1100 100 $pause
0 2000 400 signal_generate sig=14 code=0xfffffffe pid=100 group=1 result=0 common_flags=9
0 2100 100 sys_exit_pause __syscall_nr=34 ret=0xfffffffffffffdfe
0 2200 100 signal_deliver sig=14 code=0xfffffffe sa_handler=0x401000
END
echo '# a timer'
ringside syscalls timer.dat
echo '# all'
ringside syscalls ends.dat
echo '# of some tasks and kinds'
ringside syscalls -e signal=none --pid 102,103,104,105 ends.dat
ringside syscalls -e signal='!chld,USR1' -e quiet=exit -e none ends.dat
ringside syscalls -e status=unfinished -e signal=28 -e q=exit ends.dat
ringside syscalls -ttt -e signal=SIGWINCH -e quiet=none -e '!all' --pid 100,101 ends.dat
echo '# a thread calls execve'
ringside syscalls threads.dat
ringside syscalls -e execve -e quiet=superseded -T --pid 301,302 threads.dat
ringside syscalls -e execve -e quiet=exit --pid 301,302 threads.dat
ringside syscalls -e execve -ff -o each --pid 301,302 threads.dat
head each.*
ringside syscalls -c -S name --columns syscall,calls,errors,cut,total threads.dat
echo '# a signal waits meanwhile'
ringside syscalls waits.dat
echo '# the table knows of none'
ringside syscalls ends.dat -c -S name --columns syscall,calls,cut
echo '# what is not known'
ringside syscalls unknown.dat
echo '# refused'
for words in 'signal=SIGNONE' 'signal=65' 'signal=' 'status=good' 'quiet=loud' 'abbrev=none'; do
	ringside syscalls -e "$words" ends.dat; echo $?
done
ringside syscalls -S best ends.dat; echo $?
ringside syscalls -c -S calls --sort name ends.dat; echo $?
ringside syscalls -ff -C -o x ends.dat; echo $?
echo '# 70 is made, and 71 gets SIGTERM, while CPU 0 loses events: a thread of 70 that is not seen may end it, and 71 may have a handler that is not seen'
plan "$DATA/openat2.dat" losing.dat <<END
$events
1 1000 5 task_newtask pid=71 clone_flags=0x1200000
0 2000 8 $pause
1 2100 5 task_newtask pid=70 clone_flags=0x1200000
1 2300 70 $pause
1 2310 71 $pause
1 2400 5 signal_generate sig=15 code=0 pid=71 group=1 result=0
1 2500 70 signal_deliver sig=9 errno=0 code=0 sa_handler=0
1 2600 70 sched_process_exit pid=70
1 2700 71 signal_deliver sig=9 errno=0 code=0 sa_handler=0
1 2800 71 sched_process_exit pid=71
0 lost 4
0 9000 8 sys_exit_pause __syscall_nr=34 ret=0xfffffffffffffffc
END
ringside syscalls -q -f losing.dat
