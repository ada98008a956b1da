# Through all forms and back: the same report, the same metadata, and in the end the same bytes.
metadata() { ringside dump --head-page --head-event --ftrace-events --events --kallsyms --printk --cmd-lines "$1"; }
figures() { ringside report --stat "$1" | grep -v 'recorded at\|bytes in size'; }
for name in events instances marker syscalls-v6 function-stacks; do
	cp "$DATA/$name.dat" before.dat
	ringside report -t before.dat >report.before 2>&1
	metadata before.dat >metadata.before
	figures before.dat >stat.before
	ringside report --uname before.dat >uname.before
	while read -r version codec; do
		ringside convert -i before.dat --file-version "$version" --compression "$codec" after.dat || echo "$name: exit status $?"
		ringside report -t after.dat 2>&1 | cmp report.before -
		metadata after.dat | diff metadata.before - | head -5
		figures after.dat | diff stat.before - | head -5
		ringside report --uname after.dat | diff uname.before -
		mv after.dat before.dat
	done <<'END'
6 none
7 none
7 zlib
7 zstd
7 zlib
7 none
6 none
END
	[ "$name" != syscalls-v6 ] || cmp before.dat "$DATA/$name.dat"
	echo "$name: $(ringside report before.dat 2>/dev/null | wc -l) lines"
done
rm ./*.before

echo "== in its place, with one thread and with eight"
cp "$DATA/events.dat" trace.dat
RINGSIDE_THREADS=1 ringside convert one.dat
RINGSIDE_THREADS=8 ringside convert -o trace.dat
cmp one.dat trace.dat && echo "the same bytes"
ringside dump --summary trace.dat | grep -o 'zstd'
ls -A
