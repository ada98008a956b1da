# A file of -o is replaced only by an answer that is complete.
into() { # into NAME COMMAND...: what is in old.txt afterwards, by its first word
	echo keep >old.txt
	"${@:2}" -o "$1" 2>message
	echo "$2 $3: status $?, $(grep -c . message) messages, $(head -c 4 old.txt)"
}
echo "== nothing to read"
for command in syscalls count 'latency wakeup'; do
	# shellcheck disable=SC2086
	into old.txt ringside $command -i nosuch.dat
done
ln -s old.txt link.txt
into link.txt ringside syscalls -i nosuch.dat
for command in page flame; do
	echo keep >old.html
	ringside $command -o old.html nosuch.dat 2>message
	echo "$command: status $?, $(cat old.html)"
done
for format in csv perfetto tsv; do
	into old.txt ringside export --to $format nosuch.dat
done
echo "== no room"
full() { (ulimit -f 20; trap '' XFSZ; exec "$@"); }
machine --seed 8 --calls 20000 --functions 100 --cpus 4 --tasks 16 "$DATA/events.dat" plan.dat >/dev/null
into old.txt full ringside count plan.dat --by pid,comm,depth,func,overrun,calltime,rettime --csv
grep -o 'File too large' message
echo "== of a file that is damaged there is all that could be read"
head -c 300000 plan.dat >cut.dat
into old.txt ringside count cut.dat --csv
ringside count cut.dat --csv 2>/dev/null | cmp - old.txt
