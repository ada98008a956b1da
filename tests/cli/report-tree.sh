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
