# Programs and their files, events and fields of the file that is to be read. Names of the running kernel: see tests/live.
cp "$DATA/events.dat" trace.dat
ask() { { echo "== $*"; ringside __complete "$@"; } | sed "s,$DATA,DATA,"; }
for command in record stream profile start set; do
	ask $command -e sched sl
	ask $command -e sched sleep ''
done
ask report -F sched_sw
ask report -F 'kfree, sched_wak'
ask report '--filter=kfree, sched_wak'
ask report -F 'sched_switch : prev_'
ask report -F 'sched_process_exec : '
ask report -F 'sched_switch:prev_pid==1 && next_p'
ask report -v -F 'sched/sched_stat_* : vr'
ask report -i "$DATA/kprobes.dat" -F 'sched_switch : prev_'
ask report "$DATA/openat2.dat" -F 'funcgraph_entry : de'
ask hist --only-event kmalloc --sum b
ask hist --only-event=kmem_cache_alloc --sum=bytes_
ask hist -i nothing.dat --sum b
ask help rep
ask export --to js

. "$TOP/completions/ringside.bash"
in_bash() { # a line as it stands before Tab
	COMP_LINE=$1 COMP_POINT=${#1} _ringside
	printf '%s  =>' "$1"
	printf ' <%s>' "${COMPREPLY[@]}"
	echo
}
in_bash "ringside report -F 'sched_switch : prev_com"
in_bash 'ringside report -F sched_switch\ :\ prev_com'
in_bash "ringside report -F 'sched_switch : next_p"
in_bash 'ringside hist --only-event kmalloc --sum bytes_'
mkdir -p bin && printf '#!/bin/sh\n' >bin/xyzzy-run && chmod +x bin/xyzzy-run
PATH=$PWD/bin:$PATH in_bash 'ringside record -e sched xyzzy-r'
echo "== behind --live the options are record's"
ringside __complete funcs --trac
ringside __complete funcs --live --trac
ringside __complete graph --live --matc
