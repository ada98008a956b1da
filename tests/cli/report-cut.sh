# A version 7 file that was cut off before its last options, which say where the data are: what is left of these is reported, by the CPUs and
# instances that they are of. Plain pages are whole up to 1500 bytes before the end; the pieces of compressed ones are not counted here.
cut() { # cut FILE BYTES: without its last so many bytes
	head -c -"$2" "$1" >cut.dat
	# The column of instances is as wide as they are.
	ringside report -q "$1" | sed 's/^ *//' >whole
	ringside report cut.dat 2>said | sed 's/^ *//' >left
	echo "$1 without $2: status ${PIPESTATUS[0]}, $(wc -l <left) lines, $(comm -23 <(sort -u left) <(sort -u whole) | grep -vcE '^cpus=|EVENTS DROPPED') others"
	grep warning said | sed 's/offset [0-9]*/offset N/'
}
for file in events instances; do
	ringside convert --compression none -i "$DATA/$file.dat" $file-none.dat
	cut $file-none.dat 1500
	cut $file-none.dat 16384
done
cut events-none.dat 500000

# Of compressed ones.
for file in "$DATA/events.dat" "$DATA/instances.dat"; do
	for codec in zlib zstd; do
		ringside convert --compression $codec -i "$file" $codec.dat
		for bytes in 1500 10000 20000; do
			cut $codec.dat $bytes
		done | sed -E 's/[0-9]{3,5} lines/many lines/'
	done
done

# What is found can be written as a whole file: of the last options only a piece is missing, and no page.
head -c -200 events-none.dat >cut.dat
ringside convert -i cut.dat whole.dat 2>/dev/null
echo "status $?"
ringside report whole.dat | cmp - <(ringside report "$DATA/events.dat") && echo the same

# Cut off before its events: nothing is restored of it, whatever stands under the name already.
restored() { # restored FILE BYTES: of its first so many
	head -c "$2" "$1" >short.dat
	ringside restore -o restored.dat short.dat 2>&1 | tail -n 1 | sed "s|[0-9]* kB|N kB|"
	echo "status ${PIPESTATUS[0]}, $(ls restored.dat 2>&1)"
}
restored events-none.dat 50000
ringside convert --file-version 6 -i "$DATA/events.dat" six.dat
restored six.dat 50000
echo mine >restored.dat
restored events-none.dat 500000
cat restored.dat
restored events-none.dat $(($(stat -c %s events-none.dat) - 16384))
ringside report restored.dat | grep -c ': sched_switch:'
ringside report -q short.dat 2>/dev/null | grep -c ': sched_switch:'
