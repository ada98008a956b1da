# A file for each task (-ff -o): each must hold what --pid shows of that task alone, as its lines follow each other without those of others.
for file in syscalls-v6.dat events.dat; do
	ringside syscalls -q -T -y -ff -o "apart $file" "$DATA/$file"; echo "$file: $?"
	set -- "apart $file".*; echo $#
	for one in "apart $file".*; do
		ringside syscalls -q -T -y --pid "${one##*.}" "$DATA/$file" | cmp - "$one"
	done
	ringside report "$DATA/$file" | grep -E ': sys_(enter|exit)' | sed 's/^[^-]*-\([0-9]*\) .*/\1/; s/.*-\([0-9]*\) *\[.*/\1/' | sort -u | wc -l
	rm "apart $file".*
done
echo '# a task that has no line of what is wanted has no file'
ringside syscalls -q -ff -o close -e close "$DATA/syscalls-v6.dat"
ls close.*; for pid in $(ringside syscalls -q -e close "$DATA/syscalls-v6.dat" | sed -n "s/^\[pid *\([0-9]*\)\].*/\1/p" | sort -u); do echo "close.$pid"; done
echo '# what stands there is replaced when the new one is complete, and not before'
echo old >x.1
ln -s "$DATA/kprobes.dat" probes.dat; ringside syscalls -ff -o x probes.dat; echo $?
cat x.*
echo '# losses stand in each'
plan "$DATA/openat2.dat" lost.dat <<END
event syscalls sys_enter_pause 3004 __syscall_nr:4 pad:4
event syscalls sys_exit_pause 3005 __syscall_nr:4 pad:4 ret:8
0 1000 7 sys_enter_pause __syscall_nr=34
0 1100 8 sys_enter_pause __syscall_nr=34
0 lost 5
0 1200 8 sys_exit_pause __syscall_nr=34 ret=0xfffffffffffffffc
0 1300 9 sys_enter_pause __syscall_nr=34
END
ringside syscalls -q -ff -o lost lost.dat
tail -n 9 lost.[789]
echo '# refused'
ringside syscalls -c -ff -o x lost.dat; echo $?
ringside syscalls -ff -o nowhere/x lost.dat; echo $?
mkdir y.7 && ringside syscalls -ff -o y lost.dat; echo $?
echo '# without -o'
ringside syscalls -q -ff lost.dat | cmp - <(ringside syscalls -q -f lost.dat)
