# diff on recordings whose calls are planned: what was made slower, or is called more often, is found; what was not, is not.
cd "$DATA"
ringside dump --kallsyms openat2.dat | awk '$3 ~ /^(vfs_read|vfs_open|dput|kfree|getname|fput|do_filp_open)$/ && !s[$3]++ { print $3, "0x" $1 }' >"$HOME/symbols"

# recording FILE SEED N RHO NOISE [FUNCTION=FACTOR|FUNCTION*TIMES]...: N rounds of calls of five functions one after the other. How long each takes is
# random with so much noise, of which RHO carries over to the function's next call. FUNCTION=1.1 takes so many times as long, FUNCTION*2 is
# called so many times in a round, FUNCTION@10 is called ten times in each of the first ten rounds and then no more; fput and getname are not called at all
# unless they are named. The plan is left in $HOME/plan.
recording() {
	local file=$1 seed=$2 n=$3 rho=$4 noise=$5
	shift 5
	awk -v seed="$seed" -v n="$n" -v rho="$rho" -v noise="$noise" -v changes="$*" '
	function draw() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
	function gauss() { return (draw() + draw() + draw() - 1.5) * 2 }
	{ at[$1] = $2 }
	function call(f, depth, took) {
		x[f] = rho * x[f] + sqrt(1 - rho * rho) * gauss()
		took = int(base[f] * factor[f] * exp(noise * x[f]))
		printf "0 %d 100 funcgraph_entry func=%s depth=0\n", t, at[f]
		printf "0 %d 100 funcgraph_exit func=%s depth=0 calltime=%d rettime=%d\n", t + took, at[f], t, t + took
		t += took + 300
	}
	END {
		for (i = 1; i < 100; i++) draw()
		k = split("vfs_read 20000 vfs_open 9000 dput 1500 kfree 700 do_filp_open 60000 getname 4000 fput 2500", b)
		for (i = 1; i <= k; i += 2) { f = name[(i + 1) / 2] = b[i]; base[f] = b[i + 1]; factor[f] = 1; times[f] = i <= 10; x[f] = gauss() }
		m = split(changes, c)
		for (i = 1; i <= m; i++) { split(c[i], p, /[=*@]/); if (c[i] ~ /=/) factor[p[1]] = p[2]; else times[p[1]] = p[2]; if (c[i] ~ /@/) last[p[1]] = 10 }
		t = 1000000000
		for (r = 0; r < n; r++)
			for (i = 1; i <= k / 2; i++)
				for (j = int(r * times[name[i]]); j < int((r + 1) * times[name[i]]) && !(last[name[i]] && r >= last[name[i]]); j++) call(name[i])
	}' "$HOME/symbols" >"$HOME/plan"
	plan "$DATA/openat2.dat" "$file" <"$HOME/plan"
}
different() { ringside diff --csv --columns function,verdict "$@" 2>/dev/null | tr -d '\r' | sed 1d | grep -v ',same$'; }
# covers NAME TRUTH FILES: is the truth in the interval of the ratio, and that no wider than 15 %?
covers() {
	ringside diff --csv --columns function,ratio_low,ratio,ratio_high "$3" "$4" 2>/dev/null | tr -d '\r' |
		awk -F, -v f="$1" -v truth="$2" '$1 == f { print $2 <= truth && truth <= $4 && $4 / $2 < 1.15 ? "covers " truth : "does not cover " truth ": " $0 }'
}

recording "$HOME/old.dat" 1 1000 0 0.2
recording "$HOME/slow.dat" 2 1000 0 0.2 vfs_read=1.1
recording "$HOME/other.dat" 3 1000 0 0.2 'dput*1.5' 'kfree*0.5' 'getname*1' vfs_open=0.7
cp "$HOME/plan" "$HOME/other"
cd "$HOME" || exit

echo "== one function 10 % slower, in 1,000 calls"
different old.dat slow.dat
covers vfs_read 1.1 old.dat slow.dat
covers vfs_open 1 old.dat slow.dat
ringside diff --graph --csv --columns path,verdict old.dat slow.dat 2>/dev/null | tr -d '\r' | grep -v ',same$'
echo "== that is found, too, where the medians of the other functions are apart only because each is known from 1,000 calls"
for i in 312 318 319 332; do
	recording "$HOME/a.dat" $i 1000 0 0.2
	recording "$HOME/b.dat" $((i + 600)) 1000 0 0.2 vfs_read=1.1
	different a.dat b.dat
done
echo "== faster, more often, less often, new; and gone the other way round"
different old.dat other.dat | sort
different other.dat old.dat | sort
covers vfs_open 0.7 old.dat other.dat

echo "== calls and times are those of the plan, shares those of the whole change"
awk 'NR == FNR { name[$2] = $1; next } $4 == "funcgraph_exit" { f = substr($5, 6); from = substr($7, 10); to = substr($8, 9)
	n[f]++; s[f] += to - from } END { for (f in n) printf "%s,%d,%d,%d\n", name[f], n[f], s[f], s[f] }' symbols other | sort >want
ringside diff --csv --columns function,calls_new,total_new,self_new old.dat other.dat 2>notes | tr -d '\r' | sed 1d | sort | diff want - && echo "the same: $(wc -l <want)"
ringside diff --csv --columns share,change,self_old,self_new old.dat other.dat 2>/dev/null | tr -d '\r' | sed 1d |
	awk -F, '{ share += $1; change += $2; wrong += $4 - $3 != $2; d = $2 < 0 ? -$2 : $2; wrong += NR > 1 && d > last; last = d } END { printf "%.6f %d\n", share, wrong }'

echo "== for people"
ringside diff old.dat slow.dat
ringside diff --match vfs_open --all --explain old.dat slow.dat | sed -n 2p
echo "== twenty pairs of the same work, whose noise depends on what was before: pairs with a row that is not the same"
bad=0
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	recording "$HOME/a.dat" $((i * 7)) 250 0.9 0.3
	recording "$HOME/b.dat" $((i * 7 + 1000)) 250 0.9 0.3
	[ -z "$(different a.dat b.dat)" ] || bad=$((bad + 1))
done
[ $bad -le 1 ] && echo "one at the most" || echo "$bad"

echo "== what all functions that were called at the same time have in common is the machine; what one has beyond that is found"
recording "$HOME/machine.dat" 5 1000 0 0.2 vfs_read=1.33 vfs_open=1.33 dput=1.33 kfree=1.33 do_filp_open=1.33
recording "$HOME/beyond.dat" 6 1000 0 0.2 vfs_read=1.33 vfs_open=1.33 dput=1.8 kfree=1.33 do_filp_open=1.33
different old.dat machine.dat
ringside diff old.dat machine.dat 2>&1 | grep -o '^most functions took x1\.3'
different old.dat beyond.dat

echo "== where times depend on the machine, what is called for a short time only is not judged, and its row and a note say why; else it is"
for rho in 0.9 0; do
	recording "$HOME/long.dat" 7 1000 $rho 0.1 getname@10
	recording "$HOME/short.dat" 8 1000 $rho 0.1 getname@10 getname=1.9
	different long.dat short.dat
	ringside diff --explain --all --match getname long.dat short.dat 2>&1 | grep -o 'in which the machine may have been slower[:;].*'
done
echo "== where functions differ from each other, one that differs more must do so by far"
recording "$HOME/a.dat" 9 1000 0.9 0.1
recording "$HOME/b.dat" 10 1000 0.9 0.1 vfs_read=1.03 vfs_open=0.96 dput=1.03 kfree=1.2 do_filp_open=0.97
recording "$HOME/c.dat" 11 1000 0.9 0.1 kfree=2.5
different a.dat b.dat
different a.dat c.dat

echo "== where times depend on the machine, one function alone takes longer in a whole recording of the same work, however alike the others are and its calls"
recording "$HOME/a.dat" 12 1000 0.9 0.02
recording "$HOME/b.dat" 13 1000 0.9 0.02 kfree=1.12
recording "$HOME/c.dat" 14 1000 0.9 0.02 kfree=1.3
different a.dat b.dat
different a.dat c.dat
covers kfree 1.3 a.dat c.dat

echo "== calls below the same outermost call are one observation, whatever other tasks do meanwhile"
# below FILE TASKS OUTER INNER: on its own CPU, each of the TASKS makes OUTER calls of vfs_open, one after the other, and INNER calls of kfree below each. The
# tasks take turns. Meanwhile another task makes 300 calls of dput.
below() {
	awk -v tasks="$2" -v outer="$3" -v inner="$4" '
	function line(t, cpu, what) { printf "%d %d %d %s\n", cpu, t, 100 + cpu, what }
	function call(t, took, cpu, f, depth) {
		line(t, cpu, "funcgraph_entry func=@" f " depth=" depth)
		line(t + took, cpu, "funcgraph_exit func=@" f " depth=" depth " calltime=" t " rettime=" t + took)
	}
	BEGIN {
		for (i = 0; i < 300; i++) call(1000000000 + i * 60000, 500, 0, "dput", 0)
		for (k = 1; k <= tasks; k++)
			for (o = 0; o < outer; o++) {
				took = outer == 1 ? 18000000 : 100000; t = 1000000000 + int(o * 18000000 / outer) + k * 10
				call(t, took, k, "vfs_open", 0)
				for (i = 0; i < inner; i++) call(t + 50 + i * int(took / (inner + 1)), 700, k, "kfree", 1)
			}
	}' | sort -n -k2,2 -s >lines
	plan "$DATA/openat2.dat" "$1" <lines
}
below none.dat 0 0 0
below one.dat 1 1 60
below two.dat 2 1 60
below forty.dat 1 94 40
below fewer.dat 1 121 40
below far.dat 1 20 40
below alone.dat 1 60 1
ringside diff --csv --all --columns function,calls_old,calls_new,verdict none.dat two.dat 2>/dev/null | tr -d '\r' | sed 1d | sort
for new in one two alone; do echo "$new: $(different none.dat $new.dat | sort | xargs)"; done
for new in fewer far; do echo "$new: $(different forty.dat $new.dat | sort | xargs)"; done

echo "== swapped sides: the same p-values, and the verdicts the other way round"
recording "$HOME/a.dat" 330 1000 0 0.2
recording "$HOME/b.dat" 930 1000 0 0.2 vfs_read=1.1
told() { ringside diff --csv --columns function,verdict,p_time,p_calls "$@" 2>/dev/null | tr -d '\r' | sed 1d | awk -F, '{ printf "%s %s %.6g %.6g\n", $1, $2, $3, $4 }' | sort; }
diff <(told a.dat b.dat) <(told b.dat a.dat | sed 's/ slower / Slower /; s/ faster / slower /; s/ Slower / faster /') && echo "the same: $(told a.dat b.dat | wc -l)"

echo "== several a side: what differs as much between recordings of one side is the same"
for i in 1 2 3; do
	recording "$HOME/a$i.dat" $((i + 100)) 300 0 0.1 vfs_open=1."$((i * 2))"
	recording "$HOME/b$i.dat" $((i + 200)) 300 0 0.1 vfs_open=1."$((i * 2 + 1))" vfs_read=1.3
done
different a1.dat b1.dat | sort
different a1.dat a2.dat a3.dat -- b1.dat b2.dat b3.dat
ringside diff a1.dat a2.dat -- b1.dat b2.dat --json --match kfree | sed -n 's/.*"calls_old": \([0-9]*\), "calls_new": \([0-9]*\),.*/\1 \2/p'

echo "== conditions"
for condition in 'slower > 5%' 'slower > 30%' 'vfs_*: slower' 'dput: slower' 'nosuch_*: slower' 'vfs_raed: slower' 'nosuch: any' 'nosuch: new' any new 'more often > 10 %' 'slower>5'; do
	ringside diff --fail-if "$condition" old.dat slow.dat >/dev/null 2>said
	echo "$condition: $? $(cat said)"
done
ringside diff --fail-if 'more often > 40%' --fail-if 'less often > 60%' old.dat other.dat >/dev/null; echo $?
for condition in 'slow > 10%' 'slower > x' 'slower > 10% or so' 'new > 10%' ': slower' 'slower >= 10%' ''; do
	ringside diff --fail-if "$condition" old.dat slow.dat 2>&1 | cut -d';' -f1
done

# In front of the colon '>' is a part of a name.
ringside diff --fail-if 'list<int>: slower > 5%' old.dat slow.dat 2>&1 >/dev/null | cut -d';' -f1
# A wrong name is told even where another condition holds.
ringside diff --fail-if any --fail-if 'nosuch: slower' old.dat slow.dat >/dev/null; echo $?
# --match says which rows can fulfil a condition, and when there are none.
ringside diff --fail-if any --match kfre old.dat slow.dat; echo $?
echo "== an old side of no time at all: there is no percentage"
for ns in 0 9; do
	for i in $(seq 40); do
		echo "0 $((i * 1000)) 7 funcgraph_entry func=@kfree depth=0"
		echo "0 $((i * 1000 + ns)) 7 funcgraph_exit func=@kfree depth=0 calltime=$((i * 1000)) rettime=$((i * 1000 + ns))"
	done >lines
	plan "$DATA/openat2.dat" "took$ns.dat" <lines
done
for new in 0 9; do ringside diff took0.dat "took$new.dat" | grep 'all calls'; done

echo "== recursive calls: a function's total has the outermost ones, a path's all of its own, as in graph; the last call does not end"
cat >lines <<-PLAN
	0 1000 7 funcgraph_entry func=@kfree depth=0
	0 2000 7 funcgraph_entry func=@kfree depth=1
	0 2300 7 funcgraph_exit func=@kfree depth=1 calltime=2000 rettime=2300
	0 3000 7 funcgraph_exit func=@kfree depth=0 calltime=1000 rettime=3000
	0 4000 7 funcgraph_entry func=@kfree depth=0
	0 5000 7 funcgraph_entry func=@kfree depth=1
	0 5500 7 funcgraph_exit func=@kfree depth=1 calltime=5000 rettime=5500
PLAN
plan "$DATA/openat2.dat" recursive.dat <lines
ringside diff --csv --columns function,calls_new,total_new,self_new took9.dat recursive.dat 2>/dev/null | tr -d '\r'
ringside diff --graph --sort path --csv --columns path,calls_new,total_new,self_new took9.dat recursive.dat 2>/dev/null | tr -d '\r' >got
cat got
ringside graph --csv --columns path,calls,total,self recursive.dat 2>/dev/null | tr -d '\r' | sed 1d | diff <(sed 1d got) - && echo 'the same as graph'

echo "== refusals"
ringside diff old.dat 2>&1 | cut -d';' -f1
ringside diff old.dat slow.dat other.dat 2>&1 | cut -d';' -f1
ringside diff old.dat -- 2>&1 | cut -d';' -f1
ringside diff -- old.dat 2>&1 | cut -d';' -f1
ringside diff old.dat nosuch.dat; echo $?
ringside diff old.dat "$DATA/instances.dat" 2>&1 | sed "s|$DATA/||"
ringside diff --sort functon old.dat slow.dat 2>&1 | cut -c1-70

# The section "a;b" takes 5 us, and b, which a calls, takes 0.1 us: both have the path "a;b".
echo "== paths with the same text are one row"
plan "$DATA/openat2.dat" semicolon.dat <<'PLAN'
task 7 seven
0 1000 7 print buf=B|7|a;b
0 2000 7 print buf=B|7|c,"d
0 5000 7 print buf=E
0 6000 7 print buf=E
0 9000 7 print buf=B|7|a
0 9100 7 print buf=B|7|b
0 9200 7 print buf=E
0 9300 7 print buf=E
PLAN
ringside diff --graph --all --csv --columns path,calls_old,total_old,self_new semicolon.dat semicolon.dat 2>/dev/null | tr -d '\r' | sort
