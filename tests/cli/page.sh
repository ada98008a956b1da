# page: what is inside, against funcs, report and by awk; folding; names that would be markup; what is refused.
ln -s "$DATA"/*.dat .
# The data in a page: base64 of what zlib deflated, which gzip reads with a head of its own.
data() {
	{ printf '\037\213\010\0\0\0\0\0\0\0'; sed -n "s|^<script type=\"text/plain\" id=\"data-$1\">\([A-Za-z0-9+/=]*\)</script>\$|\1|p" "$2" |
		base64 -d | tail -c +3; } | gzip -dc 2>/dev/null
}
# table N: the rows of the N-th table on stdin, see lib/export/columns.h; the first column is of differences.
table() {
	od -An -v -w1 -tu1 | awk -v wanted="$1" '
		function u32(at) { return b[at] + 256 * (b[at + 1] + 256 * (b[at + 2] + 256 * b[at + 3])) }
		BEGIN { at = 0 }
		{ b[NR - 1] = $1 + 0 }
		END {
			for (; wanted > 1; wanted--) { n = u32(at); for (i = 0; i < n; i++) skip += u32(at + 4 + 4 * i); at += 4 + 4 * n + skip; skip = 0 }
			n = u32(at); from = at + 4 + 4 * n
			for (i = 0; i < n; i++) {
				rows = value = before = 0; unit = 1
				for (to = from + u32(at + 4 + 4 * i); from < to; from++) {
					value += b[from] % 128 * unit; unit *= 128
					if (b[from] >= 128) continue
					if (i == 0) value = before += value % 2 ? -(value + 1) / 2 : value / 2
					row[rows] = i ? row[rows] " " value : value; rows++; value = 0; unit = 1
				}
			}
			for (i = 0; i < rows; i++) print row[i]
		}' | sed 's/^ //'
}
# As many complete calls, and what they spent themselves, as funcs tells.
sums() { awk '$6 == 0 { n++; self += $2 - $8 - $9 - $10; off += $9 } END { print n, self, off }'; }
of_funcs() { ringside funcs --csv --columns calls,self,off "$@" 2>/dev/null | tr -d '\r' | awk -F, 'NR > 1 { n += $1; s += $2; o += $3 } END { print n, s, o }'; }

echo "== calls: start length name depth cpu cut folded callees off irq"
for file in openat2.dat events.dat syscalls-v6.dat; do
	ringside page -o $file.html $file
	data slices $file.html | table 1 | sums >got
	of_funcs $file | diff - got && echo "the same of $(cut -d' ' -f1 got) calls"
done
ringside page -o x.html openat2.dat
data slices x.html | table 1 >slices
ringside report -t openat2.dat | awk '/funcgraph_entry/ { t = $4; sub(/:/, "", t); split(t, p, "."); t = p[1] * 1000000000 + p[2]
	if (!first) first = t; print t - first }' | sort -n >want
awk '$6 % 2 == 0 { print $1 }' slices | sort -n | diff want - >differences && echo "the same beginnings: $(wc -l <want)"

echo "== the table of functions: of one without a complete call, no time is told, as in funcs; nor is time off the CPU without sched_switch"
column() { grep -o '"functions":{.*' x.json | grep -oE "\"$1\":\[[^]]*" | head -1 | cut -d'[' -f2 | tr , '\n'; }
ringside page -o marker.dat.html marker.dat
for file in events marker; do
	data flame $file.dat.html >x.json
	grep -oE '"names":\[[^]]*' x.json | cut -d'[' -f2 | tr , '\n' | tr -d '"' >names
	awk 'NR == FNR { name[NR - 1] = $1; next } { print name[$1] }' names <(column name) >functions
	paste -d, functions <(column calls) <(column cut) <(column total) <(column self) <(column off) <(column irq) <(column max) | sed 's/,-1/,/g' | sort >got
	ringside funcs --csv --columns function,calls,cut,total,self,off,irq,max $file.dat 2>/dev/null | tr -d '\r' | sed 1d | sort | diff - got && echo "the same: $(wc -l <got) functions, $(grep -c ',0,[0-9]*,,,,,$' got) without complete calls"
done

echo "== CPUs: who ran how long, by sched_switch"
data cpus events.dat.html | table 1 | awk '{ n++; sum += $2 } END { print n, sum }'
ringside report -t events.dat | awk '
	/\[[0-9]+\]/ { match($0, /\[[0-9]+\]/); cpu = substr($0, RSTART, RLENGTH); t = substr($0, RSTART); split(t, f, " "); t = f[3]; sub(/:/, "", t)
		split(t, p, "."); t = p[1] * 1000000000 + p[2]
		if (!(cpu in since)) { since[cpu] = t; idle[cpu] = /^ *<idle>/ }
		last[cpu] = t }
	/ sched_switch: / { if (!idle[cpu] && t > since[cpu]) { n++; sum += t - since[cpu] } since[cpu] = t; idle[cpu] = /==> swapper/ }
	END { for (cpu in since) if (!idle[cpu] && last[cpu] > since[cpu]) { n++; sum += last[cpu] - since[cpu] } print n, sum }'

echo "== waits: start length state; while CPU 0 loses events, 7 may run there whenever it is off CPU 1"
plan "$DATA/openat2.dat" losing.dat <<END
0 1000 0 sched_switch prev_pid=0 next_pid=8
1 1100 0 sched_switch prev_pid=0 next_pid=7
1 1200 7 sched_switch prev_pid=7 prev_state=1 next_pid=0
1 1250 0 sched_waking pid=7
1 1400 0 sched_switch prev_pid=0 next_pid=7
1 1500 7 sched_switch prev_pid=7 prev_state=1 next_pid=0
0 2000 8 sched_process_free pid=3
1 3000 0 sched_waking pid=7
1 5000 0 sched_switch prev_pid=0 next_pid=7
1 6000 7 sched_switch prev_pid=7 prev_state=0 next_pid=0
1 6500 0 sched_switch prev_pid=0 next_pid=7
1 7000 7 sched_switch prev_pid=7 prev_state=1 next_pid=0
0 lost 4
0 9000 8 sched_process_free pid=3
1 9100 0 sched_waking pid=7
1 9200 0 sched_switch prev_pid=0 next_pid=7
1 9500 7 sched_switch prev_pid=7 prev_state=0 next_pid=0
1 9900 0 sched_switch prev_pid=0 next_pid=7
END
ringside page -o losing.html losing.dat
data slices losing.html | table 2 | cut -d' ' -f1-3

echo "== folded: no call is forgotten, and the page is small enough"
ringside page --max-size 120k -o small.html openat2.dat
[ "$(stat -c %s small.html)" -le 122880 ] && echo "small enough"
data slices small.html | table 1 | awk '{ n += $7 > 1 ? $7 : 1; bars += $7 > 0 } END { print n, (bars > 0) }'
wc -l <slices
for file in x small; do data slow $file.html | grep -oE '"left":true|"function":"[^"]*"' | head -1; done
ringside page --max-size 60k -o none.html openat2.dat 2>&1 | sed 's/[0-9][0-9]* bytes/N bytes/'

echo "== a part of it"
ringside page --cpu 1 --since 40% --until 60% -o part.html events.dat
data cpus part.html | table 1 | awk '{ n++ } END { print (n > 0) }'
data head part.html | grep -oE '"selection":\[[^]]*\]'
data head part.html | grep -oE '"cpus":\[\{"cpu":[0-9]+' | head -1

echo "== a file that broke off: what there is of it, and status 1"
ringside convert --file-version 6 -i events.dat -o whole.dat
head -c $(($(stat -c %s whole.dat) * 9 / 10)) whole.dat >broken.dat
ringside page -o broken.html broken.dat 2>/dev/null; echo $?
data head broken.html | grep -o '"damaged":true'
ringside flame -o broken-flame.html broken.dat 2>/dev/null; echo $?
data flame broken-flame.html | grep -o '"damaged":true'

echo "== names are data"
ringside convert --file-version 6 -i openat2.dat -o plain.dat
LC_ALL=C sed "s|do_sys_openat2|</script><b>'\"|; s|do_filp_open|<scri\&;\x80\xc3xy>|" plain.dat >hostile.dat
ringside page -o hostile.html hostile.dat
grep -cF '<b>' hostile.html
data head hostile.html | grep -oF "</script><b>'\\\"" | head -1
data head hostile.html | grep -oF '<scri&;\\x80\\xc3xy>'
grep -c "Content-Security-Policy\" content=\"default-src 'none'" hostile.html
grep -cE 'https?://|src=|href=' hostile.html

echo "== standard output"
ringside page -o same.html openat2.dat
ringside page -o - openat2.dat | cmp - same.html && echo same
ringside flame -o - openat2.dat | grep -c 'Content-Security-Policy'
ls ./- 2>&1

echo "== refusals"
ringside page --max-size 1k openat2.dat; echo $?
ringside page -o nosuch/x.html openat2.dat; echo $?
ringside page -o new.html nosuch.dat; echo $?
ringside page --since 1000000 -o new.html openat2.dat; echo $?
ringside page --pid 99999 -o new.html events.dat; echo $?
ringside page --comm ls,nosuch -o some.html events.dat; echo $?
ls new.html none.html 2>&1
