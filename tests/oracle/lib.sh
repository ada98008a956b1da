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

# A filter for differences. trace-cmd may hold back the exit of a call that ended on another CPU, and then give it, with its duration, to the next
# call of that task: an exit is gone, and an entry that is later than it is shown as a complete call of the same duration. That is no difference.
without_exits_held_back() {
	awk '
	# The parts of a line of function_graph: task, cpu, ts, took, what.
	function parse(line) {
		if (!match(line, /-[0-9]+ +\[[0-9]+\] +[0-9]+\.[0-9]+: funcgraph_(entry|exit): +/))
			return 0
		took = substr(line, RSTART + RLENGTH)
		split(substr(line, RSTART, RLENGTH), word, /[][ :]+/)
		task = word[1]; cpu = word[2]; ts = word[3]; what = word[4]
		if (!match(took, /us +\|/))
			took = ""
		else
			took = substr(took, 1, RSTART - 1)
		return 1
	}
	{ lines[NR] = $0 }
	parse($0) {
		if (/^</ && what == "funcgraph_entry" && took != "") {
			leaf[task, took] = NR; at[task, took] = ts; where[task, took] = cpu
		} else if (/^>/ && what == "funcgraph_entry" && took == "") {
			begun[task, ts, cpu] = NR
		} else if (/^>/ && what == "funcgraph_exit" && took != "") {
			exited[task, took] = NR; then[task, took] = ts; there[task, took] = cpu
		}
	}
	END {
		for (key in exited) {
			split(key, part, SUBSEP)
			if (!(key in leaf) || then[key] + 0 >= at[key] + 0 || there[key] == where[key] || !((part[1], at[key], where[key]) in begun))
				continue
			delete lines[exited[key]]
			delete lines[leaf[key]]
			delete lines[begun[part[1], at[key], where[key]]]
		}
		for (i = 1; i <= NR; i++)
			if (i in lines)
				print lines[i]
	}'
}

# agree NAME, with $tmp/theirs and $tmp/ours: they are the same. A gap that only ringside tells is no difference: trace-cmd
# keeps it to itself when the page after it begins with a time stamp.
agree() {
	if [ "$(grep -cv '^ *[^ ]*:* *cpus=' "$tmp/theirs")" = 0 ]; then
		echo "trace-cmd prints nothing" | not_ok "$1"
		return
	fi
	diff "$tmp/theirs" "$tmp/ours" | grep '^[<>]' |
		grep -vE '^> .*CPU:[0-9]+ \[([0-9]+ )?EVENTS DROPPED\]$' | without_exits_held_back | nothing "$1"
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
