# What is printed instead of the records.
cd "$DATA" || exit
for option in --uname --version -e -p --cpus --first-event --last-event --stat; do
	ringside report "$option" kprobes.dat
done
ringside report -E kprobes.dat | grep sched:
ringside report --events --only-event sched_switch kprobes.dat
echo "== --event"
for event in sched_wakeup$ ched:SWITCH 'sched_waking|sched_wakeup$' kprobes:; do
	echo "-- $event"
	ringside report --event "$event" events.dat | grep -E '^(system|name):'
done
ringside report --event sched_swich kprobes.dat; echo "status $?"
# No regular expression of either kind; and one of one kind, which finds nothing.
for event in '[' 'sched:[[:x' 'sched_(switch'; do
	ringside report --event "$event" kprobes.dat; echo "status $?"
done
ringside report -f kprobes.dat | grep ' do_sys_openat2$'
ringside report -P kprobes.dat | head -2
ringside report --check-events kprobes.dat; echo "status $?"
ringside report -N --check-events openat2.dat 2>/dev/null; echo "status $?"
ringside report -V kprobes.dat | grep -v '^registering plugin: ' | head -3
ringside report -Vwarn kprobes.dat | head -2
ringside report -V9 kprobes.dat
echo "== -T"
# As trace-cmd 3.1.6 has them where it survives the filter.
ringside report -T -F 'sched_switch: next_pid == 5 && prev_comm =~ "a.*"' kprobes.dat
ringside report -T -F 'sched_switch,sched_waking: next_pid==1||pid==2' events.dat
ringside report -T -F 'sched_switch, sched_wakeup: !(next_prio & 3 == 1)' -v -F sched_waking events.dat
ringside report -T -F 'sched_switch: nextpid == 1' kprobes.dat; echo "status $?"
ringside report -T kprobes.dat | head -2
