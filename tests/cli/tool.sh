# Tools: what they stand for, that the commands know all of their options, and what is said of faults in a spec.
examples=$TOP/Documentation/examples
echo '# the table has each spec as it is'
for spec in "$examples"/*.tool; do
	name=$(basename "$spec" .tool)
	ringside tool --show "$name" | cmp - "$spec" && ringside tool --list | grep -qxF "$(printf '%-13s %s' "$name" "$(sed -n 's/^help\t//p' "$spec")")" || echo "$name differs"
done
ringside tool --list | wc -l | grep -qx "$(ls "$examples"/*.tool | wc -l)" && echo 'and no others are listed'
echo '# all of their options are known'
for name in $(ringside tool --list | cut -d ' ' -f 1); do
	grep -qE '^need|^function.* or ' "$examples/$name.tool" && continue
	# shellcheck disable=SC2046 # a word for each argument
	ringside tool "$name" $(sed -n 's/^argument.*/1/p' "$examples/$name.tool") -q --help 2>&1 | sed -n "/^usage: /s/.*/$name/p"
done
echo '# what they stand for'
ringside tool --expand execsnoop make -j
ringside tool --expand tcpconnect
ringside tool --expand runqslower
ringside tool --expand runqslower 5ms --duration 10
ringside tool --expand funcslower "it's" 3us
ringside tool --expand funccount --duration 10
echo "status $?"
ringside tool funcslower --help
echo '# the options behind a program are its own, whatever the command; a recording is none'
ringside tool --expand syscount sh -c true
ringside tool --expand runqlat sh -c true
ringside tool --expand runqlat -- sh -c true
ringside tool --expand biolatency --csv --by pid sh -c true
ringside tool --expand funccount 'vfs_*' -q make -j
ringside tool --expand wakeuptime make -j
ringside tool --expand runqlat "$DATA/events.dat" -q | sed "s,$DATA,DATA,"
ringside tool --expand runqlat --nonsense sh -c true
printf 'help x\ncommand latency\n' >mine.tool
ringside tool --expand ./mine.tool block -a
echo '# a spec of our own, by path, then by name'
spec() { printf '%b' "$1" > mine.tool; ringside tool --expand ./mine.tool 2>&1; }
spec '# ours\n\n  help   what it shows\ncommand\tfuncs \nargument WHAT what to trace\ndefault sched\nevent $WHAT:*  \nfilter a == "x y" && $WHAT\nkey comm\nsort -calls\noption --memory 10 M\nprobe kprobe:f $retval\n'
mkdir -p "$HOME/.config/ringside/tools"
cp mine.tool "$HOME/.config/ringside/tools/execsnoop.tool"
ringside tool --expand execsnoop irq
ringside tool --list | grep execsnoop
XDG_CONFIG_HOME=$PWD/none ringside tool --list | grep execsnoop
rm -r "$HOME/.config"
echo '# faults'
spec 'help x\ncomand stream\n'
spec 'help x\ncommand rm\n'
spec 'help x\nevent y\ncommand stream\n'
spec 'help x\ncommand stream\nfilter y\n'
spec 'help x\ncommand stream\nevent\n'
spec 'help x\ncommand stream\nhelp y\n'
spec 'help x\ncommand stream\nevent $X\n'
spec 'help x\ncommand stream\nargument x y\n'
spec 'help x\ncommand stream\nargument X y\nargument X z\n'
spec 'help x\ncommand stream\ndefault z\n'
spec 'help x\ncommand stream\ncall open\n'
spec 'help x\ncommand stream\noption rm -rf\n'
spec 'help x\ncommand stream\noption -- rm\n'
spec 'help x\ncommand stream\nneed magic\n'
spec 'command stream\n'
spec 'help x'
spec ''
spec 'help x\0command stream\n'
ringside tool ./none.tool
ringside tool .
ringside tool execsnop
ringside tool
ringside tool --list execsnoop
ringside tool --show execsnoop more
ringside tool --show --list
ringside tool execsnoop --nonsense
# What is wrong with the options of a tool is said in its name, not in that of the command that it stands for.
ringside tool opensnoop --nosuchoption
ringside tool opensnoop --duration soon
ringside tool opensnoop --duration
spec 'help x\ncommand graph\ngraph vfs_*\n'
ringside tool ./mine.tool --nosuchoption
ringside tool --expand opensnoop --nosuchoption
echo '# without the list of symbols, no function is known to be missing'
printf 'help x\ncommand stream\nneed function this or that\nfunction this or that\n' > mine.tool
as_root=; [ "$(id -u)" = 0 ] || as_root=-r
if unshare -m $as_root mount -t tmpfs none /proc 2>/dev/null; then
	unshare -m $as_root sh -c 'mount -t tmpfs none /proc && exec ringside tool --expand ./mine.tool'
else
	echo 'ringside stream -l this'
fi
ringside tool --expand ./mine.tool
ringside tool --list > /dev/full
