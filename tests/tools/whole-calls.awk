# Reads lines of system calls of several tasks, as `ringside syscalls` and strace print them. A call whose line was cut in two by another task's line
# ("<unfinished ...>" and "resumed") is printed as one line, in the place of its second part.
{ who = ""; text = $0 }
match($0, /^\[pid +[0-9]+[^]]*\] /) { who = substr($0, 1, RLENGTH); text = substr($0, RLENGTH + 1) }
text ~ / <unfinished \.\.\.>$/ { begun[who] = substr(text, 1, length(text) - length(" <unfinished ...>")); next }
match(text, /^<\.\.\. [a-z0-9_]+ resumed>/) {
	rest = substr(text, RLENGTH + 1)
	sub(/^\) +=/, ") =", rest)
	print who begun[who] rest
	next
}
{ print }
