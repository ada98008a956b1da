# What is printed instead of the records.
cd "$DATA" || exit
for option in --uname --version -e -p --cpus --first-event --last-event --stat; do
	ringside report "$option" kprobes.dat
done
ringside report -E kprobes.dat | grep sched:
ringside report --events --event sched_switch kprobes.dat
ringside report -f kprobes.dat | grep ' do_sys_openat2$'
ringside report -P kprobes.dat | head -2
ringside report --check-events kprobes.dat; echo "status $?"
ringside report --check-events openat2.dat 2>/dev/null; echo "status $?"
ringside report -V kprobes.dat | head -3
