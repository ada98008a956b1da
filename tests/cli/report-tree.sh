# The kernel's picture; every brace that opens closes, and indentation is depth.
ringside report --tree "$DATA/openat2.dat" | head -20
ringside report --tree "$DATA/openat2.dat" | grep -m 5 '/\*'
ringside report --tree -t "$DATA/openat2.dat" | sed -n '3,6p'
ringside report --tree "$DATA/openat2.dat" | grep -v '^#' | awk '
	{ text = $0; sub(/^[^|]*\|[^|]*\|  /, "", text); match(text, /^ */); indent = RLENGTH }
	text ~ /\{/ { if (indent != 2 * depth) bad++; depth++; opened++ }
	text ~ /^ *\}/ { depth--; if (indent != 2 * depth) bad++; closed++ }
	text ~ /;$/ { if (indent != 2 * depth) bad++ }
	END { print (opened > 1000), (opened == closed), depth, bad + 0 }'
# What --since and --until cut is theirs, not the recording's edge.
ringside report --tree --since 50% "$DATA/openat2.dat" | grep -m1 -o '/\* entered before .*'
ringside report --tree --until 55% "$DATA/openat2.dat" | grep -o ': had not returned .*' | sort | uniq -c | sed 's/^ *//'
# Durations from 100 us on are yellow, from 10 ms on red; shares of 5 % and more red, of 0.5 % and more green.
ringside report --tree --color=always "$DATA/openat2.dat" | sed -n 's/^.*| \(.*|  mutex_unlock();\).*/\1/p' | head -1 | cat -v
ringside report --tree --color=always "$DATA/openat2.dat" | sed 's/\x1b\[[0-9]*m//g' | cmp - <(ringside report --tree "$DATA/openat2.dat") && echo same
ringside hist --color=always -P --flat "$DATA/events.dat" | sed -n '2p;9p;30p' | cat -v
ringside hist --color=always "$DATA/events.dat" | sed 's/\x1b\[[0-9]*m//g' | cmp - <(ringside hist "$DATA/events.dat") && echo same
