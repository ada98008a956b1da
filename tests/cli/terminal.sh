# What a file says does not command a terminal; a pipe gets it as it is.
command -v script >/dev/null || { echo "SKIP: no script(1) to have a terminal by"; exit 0; }
export PAGER=cat
ringside convert -i "$DATA/marker.dat" --file-version 6 -o plain.dat
# Of the same length each: names of tasks, of functions, of events, in markers; ESC, CR, LF, C1, no UTF-8, a turn of direction.
perl -pe 's/trace-cmd/\e[31m\r\nX\xff/g; s/rcu_preempt/rc\xe2\x80\xaeeemp\xc2\x9b/g; s/phase1/\e[7m\r\n/g; s/193 sh/193 \e~/g' plain.dat >evil.dat
perl -pe 's/sched_wakeup/sched\e[0m_up/g' plain.dat >name.dat
terminal() { # terminal COMMAND: what it sends to one
	script -qec "stty -opost; $1" /dev/null </dev/null
}
commands() { # of those in the input
	LC_ALL=C grep -acP '[\x00-\x08\x0b-\x1f\x7f]|\xe2\x80\xae|\xc2\x9b|\xff'
}
for what in report 'report --tree' 'report --profile' 'report -w' 'report -R' 'report -l -t' 'report --events' 'report -E' 'report -f' 'report -N' hist 'hist --flat' \
	'hist --folded' dump 'dump --all' 'dump --cmdlines'; do
	terminal "ringside $what evil.dat 2>&1" >out
	echo "$what: $(commands <out) commands, $(grep -c '\\x1b\|\\u202e\|\\u009b\|?\[' out | sed 's/^[1-9][0-9]*/some/') shown"
done
for what in 'count --by comm' 'count --by comm,event --columns comm,event,count'; do
	terminal "ringside $what evil.dat 2>&1" >out
	echo "$what: $(commands <out | sed 's/^[1-9][0-9]*/some/') commands, $(grep -o '\\x1b~' out | sort -u) $(grep -c x5c out)"
done
terminal 'ringside report evil.dat' | grep -m1 'sched_wakeup:.*x1b'
terminal 'ringside report evil.dat' | grep -m1 'phase\|B|193|.x1b'
terminal 'ringside report --color=always evil.dat' | sed -n 3p | cat -v
ringside report evil.dat | commands
for what in report 'report -E' 'report --events' hist; do
	terminal "ringside $what name.dat 2>&1" >out
	echo "$what: $(commands <out) commands, $(grep -c 'sched?\[0m_up\|sched.x1b.0m_up' out | sed 's/^[1-9][0-9]*/some/') shown"
done
# Without /dev/null a closed descriptor stays closed, and the terminal is as safe.
if unshare -m true 2>/dev/null; then
	terminal "unshare -m sh -c 'mount -t tmpfs none /dev && exec ringside dump --all evil.dat <&- 2>&1'" >out
	echo "no /dev/null: $(commands <out) commands, $(grep -c '\\x1b' out | sed 's/^[1-9][0-9]*/some/') shown"
else
	echo 'no /dev/null: 0 commands, some shown'
fi
# Messages.
name=$(printf 'no\033[31m\r\377such\342\200\256')
terminal "ringside report '$name' 2>&1"
ringside report "$name" 2>&1 | cat -v
terminal "ringside report -B '$name' plain.dat 2>&1"
# What has none of it is the same on a terminal.
for what in report 'report --tree' hist dump; do
	for file in plain.dat "$DATA/function-stacks.dat"; do
		terminal "ringside $what --color=never $file 2>&1" 2>&1 | cmp - <(ringside $what --color=never "$file" 2>&1) && echo same
	done
done
# Where a picture went is said to a person, and only to one.
for what in page 'flame --weight events' 'flame --weight events -o f.svg'; do
	terminal "ringside $what plain.dat 2>&1" | sed 's/[0-9.]* MB/N MB/'
	ringside $what plain.dat 2>&1
done
