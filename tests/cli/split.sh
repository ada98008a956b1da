export LC_ALL=C
# Lines without the heads of the files.
lines() {
	for file; do
		ringside report -t "$file" 2>&1 | grep -v '^ *cpus='
	done
}
parts() { # parts NAME OPTION...: the parts hold what the whole holds
	local name=$1
	shift
	echo "== $name: split -r $*"
	ln -s "$DATA/$name.dat" trace.dat
	ringside split -r "$@" >said
	lines trace.dat | sort >whole
	lines trace.dat.0* | sort | cmp - whole
	echo "$(wc -l <whole) lines in $(find . -name 'trace.dat.0*' | wc -l) files, $(awk '{ n += $2 } END { print n }' said) events"
	head -2 said
	rm ./*
}
parts events -e 5000
parts events -c -e 3000
parts events -p 20
parts events -m 100
parts events -c -u 90000
parts instances -e 42
parts function-stacks -s 1
parts openat2 -e 500
parts syscalls-v6 -e 100

echo "== in order: ten parts of the whole, line by line"
cp "$DATA/openat2.dat" trace.dat
ringside split -r -e 755 -o part
lines part.0* >parts
lines trace.dat | cmp - parts && ls part.* | wc -l
echo "== what is not the trace is in each part"
for what in --uname --version; do
	diff <(ringside report $what trace.dat) <(ringside report $what part.0007)
done
diff <(ringside dump --kallsyms --events --cmd-lines trace.dat) <(ringside dump --kallsyms --events --cmd-lines part.0010)
diff <(ringside report --stat trace.dat | grep -v 'offset=\|bytes in size') <(ringside report --stat part.0002 | grep -v 'offset=\|bytes in size')
rm ./*

echo "== times as they are printed, of a part"
cp "$DATA/events.dat" .
ringside report events.dat | sed -n '1001p;2000p' | cut -c 1-60
ringside split -i events.dat -o slow 26.012811 26.020912
ringside report events.dat | awk '$4 + 0 >= 26.012811 && $4 + 0 <= 26.020912' | wc -l
ringside report slow.1 | sed -n '2p;$p' | cut -c 1-60
ringside split -i events.dat -o end 0.0 25.894
ringside split -i events.dat -o exact -e 3 26.012811 >/dev/null
ringside report -t exact.1 | cut -c 1-60

echo "== one CPU, one buffer"
ringside split -i events.dat -C 1
ringside report --cpus events.dat.1
diff <(lines events.dat.1) <(ringside report -t --cpu 1 events.dat | tail -n +2) && echo "the same"
cp "$DATA/instances.dat" .
ringside split -i instances.dat -B 'alpha' -o alpha
ringside dump --summary alpha.1 | grep '\[buffer'
ls
echo "== the top buffer alone, under another name, another one in its place"
# The lines of one buffer, "" for the top one.
of() {
	ringside report -t "$1" | grep -v cpus= | awk -v name="$2" '$1 ~ /:$/ ? $1 == name ":" : name == ""' | sed -E 's/^ *[a-z]+: *//; s/^ *//'
}
buffers() {
	ringside dump --summary "$1" | sed -n 's/.*\[buffer "\([^"]*\)".*/buffer "\1"/p'
}
ringside split -i instances.dat -o swapped -B alpha -t --top -b before -B beta && buffers swapped.1
of swapped.1 '' | cmp - <(of instances.dat alpha) && of swapped.1 beta | cmp - <(of instances.dat beta)
ringside split -i swapped.1 -o only --top && buffers only.1 && of only.1 '' | cmp - <(of instances.dat alpha)
ringside split -i swapped.1 -o back --top -b alpha -B beta && buffers back.1
diff <(ringside report -t back.1) <(ringside report -t instances.dat) && echo "the same"
ringside split -i swapped.1 -o beta -B beta -t && of beta.1 '' | cmp - <(of instances.dat beta)
rm ./*
