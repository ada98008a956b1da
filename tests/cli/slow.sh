# slow: the slowest calls, their parts, and why.
cd "$DATA"

echo "== the slowest calls are those of the plain report, and their parts add up"
ringside report -R openat2.dat | awk '
	function field(name, v) { v = $0; return sub(".* " name "=", "", v) ? substr(v, 1, match(v " ", / /) - 1) : "" }
	function hex(text, n, i) { for (n = i = 0; i < length(text);) n = n * 16 + index("0123456789abcdef", substr(text, ++i, 1)) - 1; return n }
	/funcgraph_exit:/ && field("func") == "getname" { print hex(substr(field("rettime"), 4)) - hex(substr(field("calltime"), 4)) }' | sort -rn >"$HOME/want"
ringside slow getname --csv --columns total openat2.dat 2>/dev/null | tr -d '\r' | sed 1d | diff "$HOME/want" - && echo "the same: $(wc -l <"$HOME/want") calls"
for function in do_sys_openat2 path_openat vfs_open; do
	ringside slow "$function" -n 100 --csv --columns total,self,below,irq,off openat2.dat 2>/dev/null | tr -d '\r' | tr , ' ' |
		awk -v f="$function" 'NR > 1 && $1 != $2 + $3 + $4 + $5 { print "not", $0 } END { print f, NR - 1 }'
done

echo "== ten of them, or all; the excess is what is above the median, and never below 0"
for n in '' '-n 0' '-n 3'; do
	# shellcheck disable=SC2086 # an option and its value
	ringside slow dput $n --csv --columns total openat2.dat 2>/dev/null | sed 1d | wc -l
done
ringside slow dput -n 0 openat2.dat | grep -c '^#'
ringside report -R openat2.dat | grep -c 'funcgraph_exit: .*func=dput '
ringside slow dput -n 0 --csv --columns total,typical,excess openat2.dat 2>/dev/null | tr -d '\r' |
	awk -F, 'NR > 1 { wrong += $3 != ($1 > $2 ? $1 - $2 : 0); zero += $3 == 0 } END { print wrong + 0, (zero ? "some are 0" : "none is 0") }'
ringside slow do_sys_openat2 --over 1us -n 0 --csv --columns total openat2.dat 2>/dev/null | sed 1d | wc -l

echo "== without sched_switch nothing is said of why, but for what can be seen"
ringside slow getname openat2.dat | sed '/^#/d; /^   /d; /^$/d'
ringside slow getname -n 2 openat2.dat | sed -n '/^#1/,/^$/p'

echo "== one of them in full"
ringside slow getname --call 1 openat2.dat

echo "== --over"
ringside slow do_sys_openat2 --over 2ms --csv --columns call,total openat2.dat 2>/dev/null
ringside slow do_sys_openat2 --over 1s openat2.dat; echo $?

echo "== two files"
cp "$DATA/openat2.dat" one.dat
cp one.dat two.dat
ringside slow getname -i one.dat -i two.dat -n 2 --csv --columns total,file 2>/dev/null | sort
ringside slow getname -i one.dat -i two.dat -n 2 | sed -n 's/^#[12] //p' | sort
rm one.dat two.dat
echo "== a pipe"
ringside slow getname --csv -i - <openat2.dat 2>/dev/null | head -2

echo "== refusals"
ringside slow openat2.dat; echo $?
ringside slow nosuchfunction openat2.dat; echo $?
ringside slow getnam openat2.dat; echo $?
ringside slow getname kprobes.dat; echo $?
ringside slow wakeups openat2.dat; echo $?
ringside slow getname --call 100 openat2.dat; echo $?
ringside slow getname --call 0 openat2.dat; echo $?
ringside slow getname -n 1000000 openat2.dat; echo $?
ringside slow getname --over 0 openat2.dat; echo $?
ringside slow getname --sort totl openat2.dat 2>&1 | cut -c1-60
ringside slow getname events.dat; echo $?
ringside slow getname nosuch.dat; echo $?
echo '== no cause explains more than the excess; it explains nothing of an excess below a fifth, as that of call 4, where 16634 - 123 is the median'
ringside slow wait4 -n 100 "$DATA/events.dat" --csv --columns call,total,excess,explains 2>/dev/null | awk -F, 'NR == 1 { next }
	$4 > $3 || ($4 != "") != ($3 >= int($2 / 5) && $3 > 0) { print "wrong:", $0 } { n++; known += $4 != "" } END { print n, "calls,", known, "explained" }'
