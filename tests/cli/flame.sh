# flame: folded stacks against hist, the data inside a page against funcs, names that would be markup, what is refused.
ln -s "$DATA"/*.dat .
sum() { awk '{ n += $NF } END { print n }'; }
# The data in a page: base64 of what zlib deflated, which gzip reads with a head of its own.
data() {
	{ printf '\037\213\010\0\0\0\0\0\0\0'; sed -n "s|^<script type=\"text/plain\" id=\"data-$1\">\([A-Za-z0-9+/=]*\)</script>\$|\1|p" "$2" |
		base64 -d | tail -c +3; } | gzip -dc 2>/dev/null
}

echo "== folded: the same sums as hist counts by another way"
for what in time calls events; do
	got=$(ringside flame --folded --weight $what openat2.dat | sum)
	[ $what = time ] && time=--time || time=
	want=$(ringside hist -P --folded $time openat2.dat | sum)
	echo "$what $got $((got - want))"
done
echo $(($(ringside flame --folded --weight cpu openat2.dat | sum) + $(ringside flame --folded --weight off openat2.dat | sum)))
ringside flame --folded --weight events events.dat | awk '{ n = $NF; sub(/ [0-9]+$/, ""); print $0, n }' | sort >got
ringside hist -P --folded events.dat | sort | diff - got && echo "the same stacks: $(wc -l <got)"
ringside flame --folded --weight events --by task -o tasks.folded marker.dat
ringside hist --folded marker.dat | sum
sum <tasks.folded

echo "== a page: its functions are those of funcs"
ringside flame -o x.html openat2.dat
data flame x.html >x.json
column() { grep -o "\"functions\":{.*" x.json | grep -oE "\"$1\":\[[^]]*" | head -1 | cut -d'[' -f2 | tr , '\n'; }
grep -oE '"names":\[[^]]*' x.json | cut -d'[' -f2 | tr , '\n' | tr -d '"' >names
awk 'NR == FNR { name[NR - 1] = $1; next } { print name[$1] }' names <(column name) >functions
paste -d, functions <(column calls) <(column total) <(column self) <(column off) <(column irq) <(column p50) <(column p99) <(column max) |
	sed 's/,-1/,/g' | sort >got
ringside funcs --csv --columns function,calls,total,self,off,irq,p50,p99,max openat2.dat 2>/dev/null | tr -d '\r' | sed 1d | sort >want
diff want got && echo "the same: $(wc -l <got) functions"
grep -c "Content-Security-Policy\" content=\"default-src 'none'" x.html
grep -cE 'https?://|src=|href=' x.html

echo "== folded paths: the sums of all and of each function stay as they were"
machine --seed 5 --calls 30000 --functions 300 --cpus 4 --tasks 8 --switches events.dat plan.dat >/dev/null
ringside flame --memory 1M -o x.html plan.dat
data flame x.html >x.json
grep -q "rarer paths" x.json && echo "some are folded"
grep -oE '"names":\[[^]]*' x.json | cut -d'[' -f2 | tr , '\n' | tr -d '"' >names
awk 'NR == FNR { name[NR - 1] = $1; next } { print name[$1] }' names <(column name) >functions
paste -d, functions <(column calls) <(column total) <(column self) <(column off) <(column p50) <(column max) | sed 's/,-1/,/g' | sort >got
ringside funcs --csv --columns function,calls,total,self,off,p50,max plan.dat 2>/dev/null | tr -d '\r' | sed '1d; /^\[unknown\]/d' | sort >want
diff want got && echo "the same: $(wc -l <got) functions"
[ "$(ringside flame --memory 1M --folded --by task plan.dat | sum)" = "$(ringside flame --folded plan.dat | sum)" ] && echo "the same sum"

echo "== two files, one of which does not tell of times off the CPU: functions of that one have none, on a page as in funcs"
machine --seed 6 --calls 3000 --functions 20 --cpus 2 --tasks 4 --switches events.dat told.dat >/dev/null
printf '%s\n' 'task 7 reader' '0 1000 7 funcgraph_entry func=@vfs_read depth=0' '0 9000 7 funcgraph_exit func=@vfs_read depth=0 calltime=1000 rettime=9000' | plan openat2.dat silent.dat
ringside flame -o x.html told.dat silent.dat
data flame x.html >x.json
grep -oE '"names":\[[^]]*' x.json | cut -d'[' -f2 | tr , '\n' | tr -d '"' >names
awk 'NR == FNR { name[NR - 1] = $1; next } { print name[$1] }' names <(column name) >functions
paste -d, functions <(column calls) <(column total) <(column off) | sed 's/,-1/,/g' | sort >got
ringside funcs --csv --columns function,calls,total,off told.dat silent.dat 2>/dev/null | tr -d '\r' | sed '1d; /^\[unknown\]/d' | sort >want
diff want got && echo "the same: $(wc -l <got) functions, $(grep -c ',$' got) of them without times off the CPU"
frame() { grep -o "\"merged\":{.*" x.json | grep -oE "\"$1\":\[[^]]*" | head -1 | cut -d'[' -f2 | tr , '\n'; }
paste -d' ' <(awk 'NR == FNR { name[NR - 1] = $1; next } { print name[$1] }' names <(frame name)) <(frame off) | grep '^vfs_read '
ringside page -o x.html told.dat silent.dat
data head x.html | grep -oE '"file":[01],[^}]*"offKnown":[a-z]*,"irqKnown":[a-z]*' | sed 's/"buffer":"",//' | sort | uniq -c

echo "== of sections alone, neither the time off the CPU nor that of interrupts is known"
printf '0 %s\n' '1000 7 print buf=B|7|work' '1010 7 print buf=S|7|load|1' '1600 7 print buf=F|7|load|1' '1700 7 print buf=E|7' | plan "$DATA/openat2.dat" marks.dat
ringside page -o x.html marks.dat 2>/dev/null
data head x.html | grep -oE '"offKnown":[a-z]*,"irqKnown":[a-z]*'
data flame x.html | grep -oE '"(total|off|irq)":\[[^]]*\]' | head -3

echo "== names are data"
ringside convert --file-version 6 -i openat2.dat -o plain.dat
LC_ALL=C sed "s|do_sys_openat2|</script><b>'\"|; s|do_filp_open|<scri\&;\x80\xc3xy>|" plain.dat >hostile.dat
cmp -s <(stat -c %s plain.dat) <(stat -c %s hostile.dat) && echo "as long as it was"
ringside flame -o hostile.html hostile.dat
grep -cF '</script><b>' hostile.html
data flame hostile.html | grep -oF "</script><b>'\\\"" | head -1
ringside flame -o hostile.svg hostile.dat
grep -cF '<b>' hostile.svg
grep -oE '<title>&lt;/script[^;]*;[^;]*;[^;]*;[^;]*;' hostile.svg | head -1
head -c 38 hostile.svg; echo
ringside flame --folded hostile.dat | grep -aFc "</script><b>'\""
ringside flame --folded hostile.dat >hostile.folded
iconv -f UTF-8 -t UTF-8 hostile.folded >/dev/null && echo "valid UTF-8"
[ "$(grep -cF '<scri&:\x80\xc3xy>' hostile.folded)" -eq "$(ringside flame --folded plain.dat | grep -c do_filp_open)" ] && echo "colons and escapes in all of them"

echo "== refusals"
ringside flame -o x.txt openat2.dat; echo $?
ringside flame --weight heavy openat2.dat; echo $?
ringside flame --weight off -o x.html kprobes.dat; echo $?
ringside flame --weight calls -o new.html kprobes.dat; echo $?
ringside flame --sum nosuch -o new.html events.dat; echo $?
ringside flame --sum buf -o new.html openat2.dat; echo $?
ringside flame --sum bytes_rq -o new.html events.dat; echo $?
ringside flame --sum size --weight cpu events.dat; echo $?
ringside flame -o nosuch/x.html openat2.dat; echo $?
ringside flame -o new.html nosuch.dat; echo $?
ringside flame --by cpu --weight events -o new.html events.dat; echo $?
ringside flame openat2.dat >/dev/full; echo $?
ringside flame --folded openat2.dat >/dev/full; echo $?
ls -- *.html

echo "== the records that the head of a page tells: those that count counts, whatever the options leave out"
records() { data "$1" "$2" | grep -o '"records":[0-9]*' | head -1 | cut -d: -f2; }
count() { ringside count --csv "$@" 2>/dev/null | awk -F, 'NR > 1 { n += $2 } END { print n }'; }
ask() {
	ringside flame -o x.html "$@" 2>/dev/null
	ringside page -o y.html "$@" 2>/dev/null
	echo "$* $(records flame x.html) $(($(count "$@") - $(records flame x.html))) $(($(count "$@") - $(records head y.html)))"
}
for file in openat2.dat told.dat; do
	for options in "" "--cpu 0" "--since 20% --until 70%" "--comm *s*,*1" "-F funcgraph_exit -F sched_switch" "--min-duration 10us" "--only-event funcgraph_entry --cpu 0"; do
		# shellcheck disable=SC2086
		(set -f; ask $options $file)
	done
done
ask told.dat silent.dat
echo "== a pipe cannot be read once more for another weight"
# shellcheck disable=SC2002
cat kprobes.dat | ringside flame --folded - 2>&1
# Nor can a file of which a part was read before.
{ head -c 100 /dev/zero; cat kprobes.dat; } >part.bin
{ head -c 100 >/dev/null; ringside flame --folded - 2>&1; } <part.bin
ringside flame --folded - <kprobes.dat 2>/dev/null | cmp - <(ringside flame --folded --weight events kprobes.dat) && echo "a file can"
