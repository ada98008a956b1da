# Is the report of one task's function_graph well formed? Every root call is `root`, every brace closes,
# the indentation equals the depth, and there are only events of the graph, all of the task `task`.
#
# An interrupt that arrives while the tracer returns from a function, the kernel counts on the wrong level: one
# too deep when the exit is recorded before the call is taken off the task's stack, one too low when
# it is recorded after. So one level more or less is right from irq_enter_rcu to irq_exit_rcu, and
# for the softirqs that may follow. If it counts irq_enter_rcu as a root call, what follows is not recorded,
# because the tracer finds that it is no root.
function complain(text) {
	if (++complaints <= 5)
		print "line " NR ": " text ": " $0
}

NR == 1 && /^cpus=/ { next }

!/: funcgraph_(entry|exit):/ { complain("not of the graph"); next }

{
	who = $0
	sub(/ *\[[0-9]+\].*/, "", who)
	sub(/^ */, "", who)
	if (first == "")
		first = who
	if (who != first || index(who, task "-") != 1)
		complain("another task than " task)

	call = substr($0, index($0, "|  ") + 3)
	match(call, /^ */)
	indent = RLENGTH
	call = substr(call, RLENGTH + 1)
	closes = call ~ /^}/
	opens = call ~ /\{$/
	lines++
	if (closes)
		depth--
	# Of a root call, only the first of the two can be seen: right behind its brace, or before its entry is recorded, when the tracer has already
	# found that it is a root.
	if (call ~ /^irq_enter_rcu\(/ && (depth > 0 ? indent == 2 * (depth + 1) || indent == 2 * (depth - 1) : (closed || lines == 1) && indent == 2)) {
		interrupted = indent / 2 - depth
		leaving = 0
	}
	if (interrupted && call ~ /^irq_exit_rcu\(/ && indent == 2 * (depth + interrupted))
		leaving = 1
	if ((leaving && indent == 2 * depth) || (interrupted < 0 && depth == 0 && closes && indent == 0))
		interrupted = leaving = 0
	if (indent != 2 * (depth + interrupted))
		complain("indented by " indent " at depth " depth)
	if (depth == 0 && !closes && !interrupted) {
		roots++
		if (index(call, root "(") != 1)
			complain("a root call")
	}
	closed = closes
	if (opens)
		depth++
	else if (!closes && call !~ /\);$/)
		complain("neither a call nor a brace")
}

END {
	if (depth != 0)
		complain("ends at depth " depth)
	if (roots < 3 || lines < 4 * roots)
		complain("too little: " roots + 0 " root calls, " lines + 0 " lines; at the end")
	exit complaints > 0
}
