# shellcheck shell=bash
# What the parts of the suite share: TAP, and comparing trace-cmd's text with ringside's.
tmp=${tmp:?is made by the suite}

ok() { # ok NAME
	n=$((n + 1))
	echo "ok $n - oracle: $1"
}

not_ok() { # not_ok NAME, what is wrong on stdin
	n=$((n + 1))
	echo "not ok $n - oracle: $1"
	head -8 | cut -c 1-200 | sed 's/^/#   /'
}

skip() { # skip NAME WHY
	n=$((n + 1))
	echo "ok $n - oracle: $1 # SKIP $2"
}

# nothing NAME, complaints on stdin: none is good
nothing() {
	local complaints
	complaints=$(cat)
	if [ -z "$complaints" ]; then
		ok "$1"
	else
		not_ok "$1" <<<"$complaints"
	fi
}

# theirs ARGUMENT..., ours ARGUMENT...: the report in common terms
theirs() {
	trace-cmd report "$@" 2>/dev/null | tests/oracle/normalise trace-cmd
}

ours() {
	ringside report "$@" 2>&1 | tests/oracle/normalise ringside
}

# A filter for normalised text: each call of function_graph in two lines, wherever it was folded, and all lines sorted. The second line of a call has
# the task and the duration, but neither the time, the CPU nor the depth of the exit, as a line that is folded with the wrong exit does not tell these.
unfolded() {
	awk '
	{
		at = match($0, / funcgraph_(entry|exit): +/)
		bar = index($0, "|  ")
		if (!at || !bar || !match($0, /[^ ]+-[0-9]+ +\[[0-9]+\]/)) {
			print
			next
		}
		task = substr($0, RSTART, RLENGTH)
		sub(/ +\[[0-9]+\]$/, "", task)
		took = substr($0, at + 23, bar - at - 23)
		call = substr($0, bar + 3)
		if (/ funcgraph_entry: /) {
			folded = sub(/\(\);$/, "() {", call)
			print substr($0, 1, at + 22) "|  " call
			if (!folded)
				next
		}
		print "exit of", task, took
	}' | sort
}

# A filter for what diff prints. A gap that only ringside tells is no difference: trace-cmd keeps it to itself when the page after it begins with a
# time stamp.
differences() {
	grep '^[<>]' | grep -vE '^> .*CPU:[0-9]+ \[([0-9]+ )?EVENTS DROPPED\]$'
}

# agree NAME [FILE], with $tmp/theirs and $tmp/ours: they are the same. trace-cmd 3.1.6 looks for the exit of a call on all CPUs, and when it has
# taken one from another CPU, it may print that CPU's later records at the end, or fold a call with the exit of another. So, of a FILE with calls,
# texts that differ must have the same lines when nothing is folded, and report -R, which folds nothing, must be the same in order.
agree() {
	if [ "$(grep -cv '^ *[^ ]*:* *cpus=' "$tmp/theirs")" = 0 ]; then
		echo "trace-cmd prints nothing" | not_ok "$1"
		return
	fi
	diff "$tmp/theirs" "$tmp/ours" | differences >"$tmp/differences"
	if [ -s "$tmp/differences" ] && [ $# = 2 ] && grep -q ' funcgraph_entry: ' "$tmp/theirs"; then
		{
			diff <(unfolded <"$tmp/theirs") <(unfolded <"$tmp/ours") | differences
			diff <(theirs -R "$2") <(ours -R "$2") | differences
		} >"$tmp/differences"
	fi
	nothing "$1" <"$tmp/differences"
}

# same NAME ARGUMENT...: both programs print the same.
same() {
	theirs "${@:2}" >"$tmp/theirs"
	ours "${@:2}" >"$tmp/ours"
	agree "$1"
}

# alike NAME FILE OTHER: each program prints the same of both files
alike() {
	{
		diff <(trace-cmd report -i "$2" 2>&1) <(trace-cmd report -i "$3" 2>&1) | sed 's/^/trace-cmd: /'
		diff <(ringside report -i "$2" 2>&1) <(ringside report -i "$3" 2>&1) | sed 's/^/ringside: /'
	} | nothing "$1"
}
