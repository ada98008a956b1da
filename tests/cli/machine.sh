# funcs and graph against plans: traces of calls whose figures tests/tools/machine computes without looking at what it writes. Counts and sums are
# the same, quantiles within 1 %.
columns=calls,cut,total,self,off,blocked,queued,preempted,irq,min,max,p50,p90,p99

# differ LOSSES: the answers, then the CSV of a table, both as "NAME FIGURES...". What differs is printed, and how much was compared.
# Where the entry of one call and the exit of the next one are lost, only functions tell by their durations that these are two, and only
# on one CPU: with losses a few cut calls may be one instead of two.
differ() {
	awk -v losses="$1" '
	function number(x) { return x == "" || x == "-" ? 0 : x }
	function same(i, a, b) {
		if (i == 3 && losses) return b <= a && b >= a - 2 - a / 20
		return i < 13 ? a == b : (a == 0) == (b == 0) && b <= a * 1.01 && b >= a * 0.99
	}
	FNR == NR { want[$1] = $0; n++; next }
	!($1 in want) { print "not planned: " $0; next }
	{ split(want[$1], w); for (i = 2; i <= 15; i++) if (!same(i, number(w[i]), number($i))) print $1 ": column " i " is " number($i) ", planned is " number(w[i]); delete want[$1] }
	END { for (name in want) print "not told: " want[name]; print (n > 100 ? "more than 100" : n) " compared" }' "$2" "$3"
}
# Blanks for commas, and a dash for each empty field.
rows() { awk -F, 'NR > 1 { gsub(/["\r]/, ""); for (i = 1; i <= NF; i++) if ($i == "") $i = "-"; $1 = $1; print }'; }

try() {
	machine "$@" "$DATA/events.dat" plan.dat >answers || return
	case " $* " in *" --lose "*) losses=1 ;; *) losses=0 ;; esac
	echo "== $*"
	sed -n 's/^F //p' answers >want
	ringside funcs --csv --columns "function,$columns" plan.dat 2>/dev/null | rows | grep -v '^\[' >got
	differ $losses want got
	# A path below a call of which neither entry nor exit is recorded has no name for that, and is not the planned one.
	[ $losses = 0 ] && ! ringside graph --min-percent 0 --csv --columns path plan.dat 2>/dev/null | grep -q '\[unknown\];' || return 0
	sed -n 's/^P //p' answers | awk '{ $3 = "-"; print }' >want
	ringside graph --min-percent 0 --csv --columns "path,$columns" plan.dat 2>/dev/null | rows | sed 's/^hard and soft interrupts;*//' |
		awk '/^[^ ]/ && !/unknown/ && $2 { $3 = "-"; print }' >got
	differ 0 want got
}

try --seed 1
try --seed 2 --functions 500 --cpus 16 --tasks 64 --switches --migrate
try --seed 3 --calls 5000 --switches --migrate --irqs both --tsc
try --seed 4 --calls 5000 --switches --migrate --irqs events --cpus 4 --tasks 20 --two
try --seed 5 --switches --irqs graph --lose 300
try --seed 1 --switches --migrate --irqs both --cpus 4 --tasks 20 --tsc --lose 200
try --seed 1 --switches --migrate --irqs graph --cpus 4 --tasks 20 --two --lose 300
machine --seed 8 --functions 500 --cpus 16 --tasks 64 --switches "$DATA/events.dat" plan.dat >answers
echo "== little memory"
sed -n 's/^F //p' answers >want
ringside funcs --memory 1M --csv --columns "function,$columns" plan.dat 2>/dev/null | rows | grep -v '^\[' >got
differ 0 want got
