cp "$DATA/events.dat" trace.dat
run() {
	echo "== $*"
	ringside convert "$@"
	echo "exit status $?"
}
run
run a.dat b.dat
run -i trace.dat -o a.dat b.dat
run -o a.dat b.dat
run -o a.dat trace.dat
ringside convert -i trace.dat b.dat
cmp a.dat b.dat && rm a.dat b.dat
run --file-version 5 a.dat
run --compression lzma a.dat
run --file-version 6 --compression zstd a.dat
run -i nothing.dat a.dat
run /nowhere/a.dat
echo "== what is there and is no plain file stays what it is"
mkfifo pipe
mkdir folder
ln -s /proc/self/fd/1 link
for there in pipe folder link; do
	run -i trace.dat $there
	ringside restore -o $there trace.dat
done
[ -p pipe ] && [ -d folder ] && [ -L link ] && echo they are
ringside restore -o a.dat folder
rm -r pipe folder link
echo "== damaged: a compressed chunk"
ringside convert packed.dat
size=$(stat -c %s packed.dat)
at=$(ringside dump --flyrecord packed.dat | awk '/size of cpu 0/ { print $1 }')
printf 'damage' | dd of=packed.dat bs=1 seek=$((at + 40)) conv=notrunc status=none
run -i packed.dat --compression none a.dat
echo "== cut off"
ringside convert --file-version 6 plain.dat
at=$(ringside dump --flyrecord plain.dat | awk '/size of cpu 1/ { print $1 }')
head -c $((at + 8192)) plain.dat >cut.dat
run -i cut.dat a.dat
ringside report a.dat >whole
ringside report cut.dat 2>/dev/null | cmp -n "$(stat -c %s whole)" - whole && wc -l <whole
rm whole
ls -A
