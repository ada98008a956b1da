# funcs and graph against plans: traces of calls whose figures tests/tools/machine computes without looking at what it writes. Counts and sums are
# the same, quantiles within 1 %.
columns=calls,cut,total,self,off,blocked,queued,preempted,irq,min,max,p50,p90,p99

# differ: the answers, then the CSV of a table, both as "NAME FIGURES...". What differs is printed, and how much was compared.
differ() {
	awk '
	function number(x) { return x == "" || x == "-" ? 0 : x }
	function same(i, a, b) { return i < 13 ? a == b : (a == 0) == (b == 0) && b <= a * 1.01 && b >= a * 0.99 }
	FNR == NR { want[$1] = $0; n++; next }
	!($1 in want) { print "not planned: " $0; next }
	{ split(want[$1], w); for (i = 2; i <= 15; i++) if (!same(i, number(w[i]), number($i))) print $1 ": column " i " is " number($i) ", planned is " number(w[i]); delete want[$1] }
	END { for (name in want) print "not told: " want[name]; print (n > 100 ? "more than 100" : n) " compared" }' "$1" "$2"
}
# The same of paths with losses: a call whose callers are not all known is below [unknown], and none is where it does not belong.
within() {
	awk '
	FNR == NR { for (i = 2; i <= 10; i++) want[$1, i] = $i; next }
	{ for (i = 2; i <= 10; i++) if (i != 3 && $i > 0 + want[$1, i]) print $1 ": column " i " is " $i ", planned is " 0 + want[$1, i]; n += $2 }
	END { print (n > 5000 ? "more than 5000" : n) " calls on their paths" }' "$1" "$2"
}
# Blanks for commas, and a dash for each empty field.
rows() { awk -F, 'NR > 1 { gsub(/["\r]/, ""); for (i = 1; i <= NF; i++) if ($i == "") $i = "-"; $1 = $1; print }'; }

try() {
	machine "$@" "$DATA/events.dat" plan.dat >answers || return
	echo "== $*"
	sed -n 's/^F //p' answers >want
	ringside funcs --csv --columns "function,$columns" plan.dat 2>/dev/null | rows | grep -v '^\[' >got
	differ want got
	sed -n 's/^P //p' answers | awk '{ $3 = "-"; print }' >want
	ringside graph --min-percent 0 --csv --columns "path,$columns" plan.dat 2>/dev/null | rows | sed 's/^hard and soft interrupts;*//' |
		awk '/^[^ ]/ && !/unknown/ && $2 { $3 = "-"; print }' >got
	case " $* " in *" --lose"*) within want got ;; *) differ want got ;; esac
}

try --seed 1
try --seed 2 --functions 500 --cpus 16 --tasks 64 --switches --migrate
try --seed 3 --calls 5000 --switches --migrate --irqs both --tsc
try --seed 4 --calls 5000 --switches --migrate --irqs events --cpus 4 --tasks 20 --two
try --seed 5 --switches --irqs graph --lose 300
for seed in 1 2 3; do
	try --seed $seed --switches --migrate --irqs both --cpus 4 --tasks 20 --tsc --lose 200
	try --seed $seed --switches --migrate --irqs events --cpus 3 --tasks 9 --lose 300
	try --seed $seed --switches --migrate --irqs graph --cpus 4 --tasks 20 --two --lose 300
	try --seed $seed --switches --migrate --irqs both --cpus 5 --tasks 15 --two --lose-sched 100
	try --seed $seed --switches --migrate --irqs both --cpus 4 --tasks 12 --two --lose 60 --lose-sched 60
done
machine --seed 8 --calls 60000 --functions 500 --cpus 16 --tasks 64 --switches "$DATA/events.dat" plan.dat >answers
echo "== little memory"
sed -n 's/^F //p' answers >want
ringside funcs --memory 1M --csv --columns "function,$columns" plan.dat 2>/dev/null | rows | grep -v '^\[' >got
differ want got
# Some functions call others by paths that were folded, so that the table depends on which ones were.
for threads in 1 2 4; do
	RINGSIDE_THREADS=$threads ringside funcs --memory 1M --callers-of '*' --csv plan.dat >"$threads.csv" 2>"$threads.err"
	RINGSIDE_THREADS=$threads ringside graph --memory 1M --min-percent 0 --csv plan.dat >>"$threads.csv" 2>>"$threads.err"
done
grep -q "rarer paths" 1.csv && cmp 1.csv 2.csv && cmp 1.csv 4.csv && cmp 1.err 4.err && echo "the same paths are folded for any number of threads"
# The tree has the calls of folded paths, too, but it is not known any more who made them.
sed -n 's/.*[0-9] \(of the rarer paths\)/\1/p' 1.err
