# shellcheck shell=bash disable=SC2154
# Our plug-ins in both programs: silent until asked, and then the same text, each alone and all together.
export TRACEEVENT_PLUGIN_DIR=$O/plugins RINGSIDE_PLUGIN_DIR=$O/plugins
same "plug-ins, not asked" "$data/events.dat"
for file in "$data"/*.dat; do
	same "plug-ins: $(basename "$file"): report -O decode" -O decode "$file"
done
for plugin in "$O"/plugins/*.so; do
	name=$(basename "$plugin" .so)
	same "plug-ins: report -O $name:decode" -O "$name:decode" "$data/events.dat"
done
# Were they loaded at all? Of each subsystem that the recordings have, a text that the kernel's format does not give.
while read -r name file text; do
	if ringside report -O "$name:decode" "$data/$file.dat" 2>&1 | grep -qE "$text"; then
		ok "plug-ins: $name decodes"
	else
		echo "no line of $file.dat has $text" | not_ok "plug-ins: $name decodes"
	fi
done <<'END'
sched events sched_switch: +[^ ]+:[0-9]+ \[nice -?[0-9]+\] [A-Z+]+ ==> [^ ]+:[0-9]+ \[nice
irq events softirq_raise: +TIMER$
timer events hrtimer_start: .* expires=[0-9]+\.[0-9]{9}s slack=0ns mode=ABS
kmem events mm_page_alloc: .* order=1 \(2 pages\) migratetype=unmovable gfp_flags=GFP_KERNEL_ACCOUNT\|__GFP_ZERO$
syscalls events sys_enter: +openat\(dfd=AT_FDCWD, filename=0x[0-9a-f]+, flags=O_RDONLY\|O_CLOEXEC, mode=0\)
syscalls events sys_exit: +execve = -2 ENOENT$
syscalls syscalls-v6 sys_enter_mmap: +addr=NULL, len=8192, prot=PROT_READ\|PROT_WRITE, flags=MAP_PRIVATE\|MAP_ANONYMOUS, fd=-1, off=0x0
syscalls syscalls-v6 sys_exit_access: +-2 ENOENT$
END
unset TRACEEVENT_PLUGIN_DIR RINGSIDE_PLUGIN_DIR
