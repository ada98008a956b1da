# Calls without an entry, by a plan: which of them are known to have none, and which may have lost it.
plan "$DATA/openat2.dat" refused.dat <<END
event syscalls sys_enter_pause 3004 __syscall_nr:4 pad:4
event syscalls sys_exit_pause 3005 __syscall_nr:4 pad:4 ret:8
event raw_syscalls sys_enter 3020 id:8 args:8
event raw_syscalls sys_exit 3021 id:8 ret:8
0 1000 7 sys_exit id=32 ret=0xffffffffffffffff	# it may have been in this call when the recording began
0 1100 7 sys_exit id=39 ret=0xffffffffffffffff	# it has not been seen to enter a call yet
0 1200 7 sys_enter id=102
0 1210 7 sys_exit id=102 ret=0
0 1300 7 sys_exit id=32 ret=0xffffffffffffffff	# refused
0 1310 7 sys_exit id=39 ret=0xffffffffffffffda	# refused, and it has no arguments
0 1320 7 sys_exit id=32 ret=5			# a call that is refused does not succeed
0 1330 7 sys_exit id=0 ret=0xfffffffffffffe00	# nor is it to be restarted
0 1400 7 sys_enter id=102
0 1410 7 sys_exit id=32 ret=0xffffffffffffffff	# it was in another call
0 1500 7 sys_enter id=102
0 1510 7 sys_exit id=102 ret=0
1 1600 8 sys_enter id=102
1 lost 1
1 1700 8 sys_exit id=102 ret=0
0 1710 7 sys_exit id=32 ret=0xffffffffffffffff	# the event that was lost on CPU 1 may have been its entry
0 1720 7 sys_exit id=32 ret=0xffffffffffffffff	# refused: it was outside
0 1800 9 sys_enter_pause __syscall_nr=34
0 1810 9 sys_exit_pause __syscall_nr=34 ret=0xfffffffffffffffc
0 1820 9 sys_exit_pause __syscall_nr=34 ret=0xffffffffffffffff	# nobody says that the entries of all calls are recorded
END
ringside syscalls -T refused.dat
echo '# the table'
ringside syscalls -c -S name --columns syscall,calls,errors,cut,total,mean refused.dat
ringside syscalls -c --csv -S name --columns syscall,calls,errors,cut,total,percent -e dup,getpid refused.dat
echo '# where records are left out, a missing entry tells nothing'
plan "$DATA/openat2.dat" moved.dat <<END
event raw_syscalls sys_enter 3020 id:8 args:8
event raw_syscalls sys_exit 3021 id:8 ret:8
0 1200 7 sys_enter id=102
0 1210 7 sys_exit id=102 ret=0
1 1300 7 sys_enter id=202
0 1400 7 sys_exit id=202 ret=0xffffffffffffff92
END
for options in '' '--cpu 0' '-v -F sys_enter:id==202'; do
	# shellcheck disable=SC2086
	ringside syscalls -c --csv -S none --columns syscall,calls,errors,cut $options moved.dat 2>/dev/null | tr -d '\r'
done
echo '# CPU 0 loses events, where 8 is before and afterwards: the calls of 7, which is on CPU 1, are whole'
plan "$DATA/openat2.dat" losing.dat <<END
event syscalls sys_enter_pause 3004 __syscall_nr:4 pad:4
event syscalls sys_exit_pause 3005 __syscall_nr:4 pad:4 ret:8
1 900 7 sys_enter_pause __syscall_nr=34
1 1000 7 sys_exit_pause __syscall_nr=34 ret=0xfffffffffffffffc
1 2000 7 sys_enter_pause __syscall_nr=34
0 2100 8 sys_enter_pause __syscall_nr=34
1 6000 7 sys_exit_pause __syscall_nr=34 ret=0xfffffffffffffffc
1 6100 7 sys_enter_pause __syscall_nr=34
1 7300 7 sys_exit_pause __syscall_nr=34 ret=0xfffffffffffffffc
0 lost 5
0 8000 8 sys_exit_pause __syscall_nr=34 ret=0xfffffffffffffffc
1 8100 7 sys_enter_pause __syscall_nr=34
1 8700 7 sys_exit_pause __syscall_nr=34 ret=0xfffffffffffffffc
END
ringside syscalls -T losing.dat
ringside syscalls -c --csv --columns syscall,calls,errors,cut,total,max losing.dat 2>&1 | tr -d '\r'
