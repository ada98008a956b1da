# What is shown: filters, events, tasks, CPUs; a stack goes with its event.
count() { ringside report "$@" | grep -c '\[0'; }
ringside report -F 'sched_switch : next_comm == "ls"' "$DATA/events.dat" | head -3
ringside report -F 'kmalloc: bytes_req > 4096' -F 'block' "$DATA/events.dat" | head -5
count "$DATA/events.dat"
count -v -F 'kmem' "$DATA/events.dat"
count -F 'kmem' "$DATA/events.dat"
count --only-event 'kmem:*' "$DATA/events.dat"
count --only-event kmalloc,kfree "$DATA/events.dat"
count --only-event 'sched:sched_switch' "$DATA/events.dat"
count --pid 15 "$DATA/events.dat"
count --comm 'rcu_*' "$DATA/events.dat"
count --cpu 0 "$DATA/events.dat"
count --cpu 1 "$DATA/events.dat"
count -I "$DATA/events.dat"
ringside report --only-event sched_switch "$DATA/function-stacks.dat" | head -7
ringside report --only-event vfs_nothing "$DATA/events.dat"; echo "status $?"
ringside report --only-event sched_swich "$DATA/events.dat"; echo "status $?"
ringside report --pid ls "$DATA/events.dat"; echo "status $?"
ringside report --cpu 4-2 "$DATA/events.dat"; echo "status $?"
ringside report -F 'sched_switch : next_pid ==' "$DATA/events.dat"; echo "status $?"
ringside report --pid 999999 "$DATA/events.dat"; echo "status $?"
