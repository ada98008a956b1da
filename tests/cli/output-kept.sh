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
echo "== to append"
append() { # append OUTPUT WORD...: is the log what was there before, and then the output?
	ringside syscalls -q "${@:2}" >want 2>/dev/null
	echo keep | tee log >whole
	cat want >>whole
	ringside syscalls -q -o "$1" "${@:2}" >>log 2>message
	echo "status $?, $([ -s want ] && echo more || echo nothing) to append"
	cmp whole log
}
append - -i nosuch.dat
append - -i "$DATA/openat2.dat"
append - -c -i "$DATA/syscalls-v6.dat"
append /dev/stdout -i nosuch.dat
append /dev/stdout -c -i "$DATA/syscalls-v6.dat"
echo "== not to append: what stood behind the output is cut off, and what stood before it stays"
echo keep >log
ringside syscalls -c -i "$DATA/syscalls-v6.dat" | tee want >>log
seq 9999 >>log
(head -c 5 >/dev/null; exec ringside syscalls -c -o - -i "$DATA/syscalls-v6.dat") <>log >&0
tail -c +6 log | cmp - want
echo "== the output is the file that is read"
own() { # own FILE COMMAND...: is FILE, which the command reads, the recording that it was?
	cp "$DATA/syscalls-v6.dat" "$1"
	"${@:2}" 2>message
	echo "${*:2}: status $?, $(cmp "$DATA/syscalls-v6.dat" "$1" && echo kept)"
	cat message
}
for format in csv jsonl chrome perfetto speedscope sqlite folded text tsv; do
	own own.dat ringside export --to $format -o own.dat own.dat
done
own own.dat ringside page own.dat -o own.dat
own own.html ringside flame own.html -o own.html
own own.html ringside flame --diff own.html -o own.html "$DATA/syscalls-v6.dat" | sed "s|$DATA|DATA|"
own own.dat ringside syscalls -o ./own.dat own.dat
own own.dat ringside count -o own.dat own.dat
own own.dat ringside latency syscall -o own.dat -i own.dat
own trace.dat ringside syscalls -o trace.dat
own trace.170 ringside syscalls -ff -o trace -i trace.170
ln -s own.dat symbolic
ln own.dat hard
own own.dat ringside page own.dat -o symbolic
own own.dat ringside page own.dat -o hard
own own.dat ringside page - -o own.dat <own.dat
own own.dat ringside page symbolic -o own.dat
cat own.dat | own own.html ringside page - -o other.html
ringside convert -i own.dat -o own.dat && ringside report own.dat | cmp - <(ringside report "$DATA/syscalls-v6.dat") && echo converted in its place
echo "== a link: the file to which it leads is replaced"
linked() { # linked LINK FILE COMMAND...
	"${@:3}" >message 2>&1
	echo "${3} ${4}: status $?, $([ -L "$1" ] && echo a link), $(head -c 10 "$2" | tail -c 7), $(ls sub)"
}
ln -s nowhere/far.dat broken.dat
ringside convert -o broken.dat "$DATA/openat2.dat"
ln -s round.dat round.dat
ringside convert -o round.dat "$DATA/openat2.dat"
mkdir sub
ln -s sub/far.dat near.dat
ln -s near.dat nearer.dat
linked nearer.dat sub/far.dat ringside convert -o nearer.dat "$DATA/openat2.dat"
echo keep >sub/far.dat
linked near.dat sub/far.dat ringside convert -i "$DATA/openat2.dat" near.dat
head -c -200 "$DATA/syscalls-v6.dat" >cut.dat
linked near.dat sub/far.dat ringside restore -o near.dat cut.dat
linked near.dat sub/far.dat ringside export --to sqlite -o near.dat "$DATA/marker.dat"
linked near.dat sub/far.dat ringside export --to sqlite -o near.dat "$DATA/openat2.dat"
head -c 15 near.dat && echo
linked nearer.dat sub/far.dat ringside export --to csv -o nearer.dat "$DATA/marker.dat"
ringside export --to sqlite -o /dev/stdout "$DATA/marker.dat"
