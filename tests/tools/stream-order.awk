# Reads the output of `ringside stream`. Fails if a line has an earlier time than the line before it and is not marked as late. Prints
# "EVENTS LATE LOST": the number of events, how many of them are late, and how many were lost. A loss without a number counts as 0.
/\[[0-9]* ?EVENTS DROPPED\]$/ { match($0, /\[[0-9]*/); lost += substr($0, RSTART + 1, RLENGTH - 1); next }
/\[LATE\]$/ { marked = 1; late++; next }
{
	# The first word that looks like a time, behind "[CPU]".
	if (!match($0, / [0-9]+\.[0-9]+: /))
		next	# a further line of a stack
	time = substr($0, RSTART + 1, RLENGTH - 3) + 0
	events++
	if (!marked && time < last) {
		print "time goes back from " last ": " $0
		bad = 1
		exit
	}
	if (!marked)
		last = time
	marked = 0
}
END {
	if (!bad)
		print events + 0, late + 0, lost + 0
	exit bad
}
