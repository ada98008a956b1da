# Through all forms and back: the same report, the same metadata, and in the end the same bytes.
for name in events instances marker syscalls-v6 function-stacks; do
	cp "$DATA/$name.dat" before.dat
	while read -r version codec; do
		ringside convert -i before.dat --file-version "$version" --compression "$codec" after.dat || echo "$name: exit status $?"
		cmp <(ringside report -t "$DATA/$name.dat" 2>&1) <(ringside report -t after.dat 2>&1)
		diff <(ringside dump --head-page --head-event --ftrace-events --events --kallsyms --printk --cmd-lines "$DATA/$name.dat") \
			<(ringside dump --head-page --head-event --ftrace-events --events --kallsyms --printk --cmd-lines after.dat) | head -5
		ringside report --stat "$DATA/$name.dat" | grep -v 'recorded at\|bytes in size' >stat.before
		ringside report --stat after.dat | grep -v 'recorded at\|bytes in size' | diff stat.before - | head -5
		diff <(ringside report --uname "$DATA/$name.dat") <(ringside report --uname after.dat)
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

echo "== in its place, with one thread and with eight"
cp "$DATA/events.dat" trace.dat
RINGSIDE_THREADS=1 ringside convert one.dat
RINGSIDE_THREADS=8 ringside convert -o trace.dat
cmp one.dat trace.dat && echo "the same bytes"
ringside dump --summary trace.dat | grep -o 'zstd'
ls -A
