# Files of CPUs as a killed trace-cmd leaves them. They have only sub-buffers, so any file could be taken for one.
exec 2>&1
ringside convert --file-version 6 -i "$DATA/events.dat" -o whole.dat
ringside restore -q -o meta.dat whole.dat
while read -r at size _ _ _ _ cpu; do
	tail -c +$((at + 1)) whole.dat | head -c "$size" >trace.dat.cpu"${cpu%]}"
done < <(ringside dump --flyrecord whole.dat | grep 'of cpu')
run() { # run FILE...: what is made of them
	echo keep >new.dat
	ringside restore -o new.dat -i meta.dat "$@"
	echo "status $?, $(head -c 4 new.dat | grep -a keep)"
}
echo "== whole"
run trace.dat.cpu*
ringside report new.dat | cmp - <(ringside report whole.dat) && echo the same
echo "== other files: text, a compressed file, zeros, a recording's beginning cut off"
seq 9999 >text
run text
seq 99999 | gzip -n >packed
run packed
head -c 8192 /dev/zero >zeros
run zeros
tail -c +1000 trace.dat.cpu0 >shifted
run shifted
run text trace.dat.cpu1
run zeros trace.dat.cpu1
echo "== damaged"
cp trace.dat.cpu1 hurt
for at in 0 40960; do
	head -c 4096 text | dd of=hurt bs=1 seek=$at conv=notrunc status=none
done
run hurt
ringside report new.dat 2>/dev/null | wc -l
echo "== each sub-buffer torn at its end: what stands before is taken"
cp trace.dat.cpu1 torn
for ((at = 3000; at < $(stat -c %s torn); at += 4096)); do
	dd if=/dev/zero of=torn bs=1 seek="$at" count=1096 conv=notrunc status=none
done
run torn
ringside report new.dat 2>/dev/null | wc -l
head -c 2048 torn >short
truncate -s 4096 short
run trace.dat.cpu0 short
echo "== an input stays"
ringside restore -o torn -i meta.dat torn trace.dat.cpu0
ringside restore -o meta.dat -i meta.dat torn
cmp <(head -c 4 meta.dat) <(head -c 4 whole.dat)
