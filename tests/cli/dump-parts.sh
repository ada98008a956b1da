cd "$DATA"
for part in --head-page --head-event --systems --options --clock --flyrecord --sections --strings; do
	echo "== $part"
	ringside dump $part instances.dat
done
for part in --options --clock --flyrecord --sections --strings; do
	echo "== $part, version 6"
	ringside dump $part syscalls-v6.dat
done
ringside dump --ftrace-events openat2.dat | grep '^name: '
ringside dump --events events.dat | grep -c '^name: '
ringside dump --printk instances.dat | head -3
ringside dump --cmd-lines marker.dat
# The text is the kernel's, to the byte.
ringside dump --kallsyms instances.dat | tail -n +2 | head -c 4053832 | md5sum
