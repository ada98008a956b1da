# Whose a stack is when an interrupt comes between an event and its stack: that of the last event with the same context. The recordings are written by plans.
plan "$DATA/events.dat" nested.dat <<END
task 7 seven
task 8 eight
0 1000 7 kmalloc call_site=@getname ptr=0x1000 bytes_req=100 bytes_alloc=128
0 1100 7 kfree call_site=@vfs_read ptr=0x2000 common_flags=16
0 1200 7 kernel_stack size=2 caller=@kfree,@vfs_write common_flags=16
0 1300 7 kernel_stack size=2 caller=@kmem_cache_alloc,@getname
0 2000 7 sched_switch prev_pid=7 prev_state=1 next_pid=0
0 2100 7 sched_waking pid=8 common_flags=8
0 2200 7 kernel_stack size=2 caller=@try_to_wake_up,@kfree common_flags=8
0 2300 7 kernel_stack size=2 caller=@schedule,@vfs_read
0 9000 0 sched_switch prev_pid=0 next_pid=7	# it has no stack
0 10000 7 kmalloc call_site=@getname ptr=0x1000 bytes_req=100 bytes_alloc=128
0 lost 3
0 11000 7 kernel_stack size=2 caller=@kfree,@vfs_write	# perhaps of a lost event
0 12000 7 kfree call_site=@vfs_read ptr=0x2000 common_flags=16
0 12100 7 kmalloc call_site=@getname ptr=0x1000 bytes_req=100 bytes_alloc=128	# the interrupt is over
0 12200 7 kernel_stack size=2 caller=@kfree,@vfs_write common_flags=16
0 12300 7 kernel_stack size=2 caller=@vfs_write,@getname
END
for event in kmalloc kfree sched_switch sched_waking; do
	echo "== report --only-event $event"
	ringside report -q -t --only-event $event nested.dat | awk '
		/^=> / { if ($2 != 0) stack = stack " " $2; next }
		{ if (NR > 1) print line stack; stack = ""; line = $0 ~ /DROPPED/ ? "lost" : $(NF > 4 ? 4 : 1) " " $5 }
		END { print line stack }'
done
echo "== count"
ringside count --by event,stack --columns event,stack,count --csv nested.dat 2>&1 | LC_ALL=C sort
echo "== hist"
ringside hist --folded nested.dat 2>/dev/null | LC_ALL=C sort
echo "== flame --off-cpu"
ringside flame --off-cpu --folded nested.dat
echo "== report --profile: of the switch, of two kmalloc, of a kfree and of the wakeup"
ringside report --profile nested.dat 2>/dev/null | grep -E '^ +(\+|[a-z_]+ \()|Event:'
echo "== speedscope"
samples() {	# FILE: the stacks that are in it
	python3 -c '
import json, sys
all = json.load(open(sys.argv[1]))
for profile in all["profiles"]:
    for sample in profile.get("samples", []):
        print(";".join(all["shared"]["frames"][i]["name"] for i in sample))' "$1"
}
ringside export --to speedscope -o nested.json nested.dat
samples nested.json

# What slow says of a wait and of who ended it, and latency of the longest wait: the stacks are theirs and not those of the interrupts in between.
plan "$DATA/openat2.dat" slow.dat <<END
task 7 seven
task 8 eight
0 1000 7 funcgraph_entry func=@do_sys_openat2 depth=0
0 2000 7 sched_switch prev_pid=7 prev_state=1 next_pid=8
0 2100 7 sched_waking pid=9 common_flags=8
0 2200 7 kernel_stack size=2 caller=@try_to_wake_up,@kfree common_flags=8
0 2300 7 kernel_stack size=3 caller=@schedule,@vfs_read,@ksys_read
0 502000 8 sched_waking pid=7
0 502100 8 kfree ptr=0x9000 common_flags=8
0 502200 8 kernel_stack size=2 caller=@kfree,@vfs_write common_flags=8
0 502300 8 kernel_stack size=3 caller=@try_to_wake_up,@vfs_write,@ksys_write
0 503000 8 sched_switch prev_pid=8 prev_state=1 next_pid=7
0 503100 8 sched_waking pid=9 common_flags=8
0 503200 8 kernel_stack size=2 caller=@try_to_wake_up,@kfree common_flags=8
0 503300 8 kernel_stack size=3 caller=@schedule,@vfs_write,@ksys_write
0 504000 7 kmalloc call_site=@getname ptr=0x1000 bytes_req=100 bytes_alloc=128
0 504100 7 kfree ptr=0x9000 common_flags=8
0 504200 7 kernel_stack size=2 caller=@kfree,@vfs_write common_flags=8
0 504300 7 kernel_stack size=2 caller=@kmem_cache_alloc,@getname
0 600000 7 funcgraph_exit func=@do_sys_openat2 depth=0 calltime=1000 rettime=600000
END
echo "== slow"
ringside slow do_sys_openat2 slow.dat | grep woken
echo "== latency"
ringside latency wakeup slow.dat | grep '^=>'
echo "== report --func"
ringside report -q --func do_sys_openat2 --only-event kmalloc slow.dat | grep -c '^=> [a-z]'

# An interrupt has two events, and one without a stack, before the stack of the event that it interrupts has come.
plan "$DATA/events.dat" order.dat <<END
task 7 seven
0 1000 7 kmalloc call_site=@getname ptr=0x1000 bytes_req=100 bytes_alloc=128
0 2000 7 kfree call_site=@vfs_read ptr=0x2000 common_flags=8
0 2100 7 kernel_stack size=2 caller=@kfree,@vfs_write common_flags=8
0 2500 7 kfree call_site=@vfs_read ptr=0x3000 common_flags=8	# it has no stack
0 3000 7 sched_waking pid=8 common_flags=8
0 3100 7 kernel_stack size=2 caller=@try_to_wake_up,@kfree common_flags=8
0 3200 7 kernel_stack size=2 caller=@kmem_cache_alloc,@getname
0 3300 7 user_stack caller=0x401000,0x402000
0 4000 7 kmalloc call_site=@getname ptr=0x1000 bytes_req=100 bytes_alloc=128
0 4100 7 kernel_stack size=2 caller=@vfs_write,@getname
END
echo "== speedscope: the order of the events"
ringside export --to speedscope -o order.json order.dat
samples order.json

# Behind a loss, the event of a stack is not known, even if the first event after the loss is not chosen.
plan "$DATA/events.dat" lost.dat <<END
task 7 seven
0 1000 7 kmalloc call_site=@getname ptr=0x1000 bytes_req=100 bytes_alloc=128
0 lost 5
0 2000 7 kfree call_site=@vfs_read ptr=0x2000
0 2100 7 kernel_stack size=2 caller=@kmem_cache_alloc,@getname
0 3000 7 kmalloc call_site=@getname ptr=0x1000 bytes_req=100 bytes_alloc=128
0 3100 7 kernel_stack size=2 caller=@vfs_write,@getname
END
echo "== speedscope: a loss before an event that is not chosen"
ringside export --to speedscope -F kmalloc -F kernel_stack -o lost.json lost.dat
samples lost.json
