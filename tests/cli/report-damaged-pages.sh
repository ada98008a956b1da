# At most ten places of damage are told of each file, and the damage of one file does not hide that of another.
ringside convert --file-version 6 -i "$DATA/openat2.dat" -o good.dat
# Each page says of itself that it has more data than fit into a page. Pages begin at multiples of 4096 bytes, and the last 12 are of one CPU.
cp good.dat first.dat
for ((page = 1; page <= 12; page++)); do
	printf '\377\017\0\0' | dd of=first.dat bs=1 seek=$(($(stat -c %s good.dat) / 4096 * 4096 - page * 4096 + 8)) conv=notrunc status=none
done
cp first.dat second.dat
ringside report first.dat >/dev/null 2>said
echo "status $?"
grep -c 'are damaged at' said
grep -c 'further places' said
ringside report -i first.dat -i second.dat -i good.dat >/dev/null 2>said
echo "status $?"
for file in first second good; do
	echo "$file: $(grep -c "$file.dat: the data of CPU [0-9]* are damaged at" said) places, $(grep -c "$file.dat: more of it" said) times more"
done
