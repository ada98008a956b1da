cp "$DATA/events.dat" trace.dat
run() {
	echo "== $*"
	ringside split "$@"
	echo "exit status $?"
}
run -e 10 -s 1
run -r
run 1 2 3
run now
run trace.dat
run 5 4
run 900 901
run -i nothing.dat
run -C x
run -e many
run -e 0
run -r -s 0
run -e 10 -o /nowhere/part
mkdir parts
run -e 10 -o ''
run -e 10 -o parts/
run -e 10 -o -
ls -A . parts
rmdir parts
echo "== damaged: one compressed chunk of CPU 0"
ringside convert packed.dat
at=$(ringside dump --flyrecord packed.dat | awk '/size of cpu 0/ { print $1 }')
printf 'damage' | dd of=packed.dat bs=1 seek=$((at + 40)) conv=notrunc status=none
run -i packed.dat -o left
ringside report -t packed.dat 2>/dev/null >whole
ringside report -t left.1 | cmp - whole && wc -l <whole
ls -A
echo "== buffers"
cp "$DATA/instances.dat" trace.dat
run -t
run -b name
run -B alpha -b name
run --top -t
run -B 'a*' -B alpha -t --top
run -B '*a' -t
run -B alpha -t --top
run -B alpha --top -b alpha
run --top -b a/b
