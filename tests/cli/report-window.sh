# --since and --until: what they show is the part of the whole report whose lines have such times.
window() { # window FILE SINCE UNTIL OPTION...
	local file=$1 since=$2 until=$3
	shift 3
	ringside report "$@" "$file" | awk -v a="$since" -v b="$until" '
		NR == 1 { print; next }
		/^CPU:/ { next }
		/^ *[^ ].*-[0-9]+ +\[[0-9]+\]/ { match($0, / [0-9]+\.[0-9]+:/); t = substr($0, RSTART + 1) + 0; on = t >= a + 0 && t <= b + 0 }
		on' >whole
	ringside report "$@" --since "$since" --until "$until" "$file" 2>&1 | grep -av '^CPU:' >part
	if cmp -s whole part; then
		echo "$(basename "$file") $since $until $*: $(($(wc -l <part) - 1)) lines"
	else
		diff whole part | head -5
	fi
}
for file in events openat2 kprobes marker syscalls-v6; do
	times=$(ringside report "$DATA/$file.dat" 2>/dev/null | grep -aoE ' [0-9]+\.[0-9]{6}:' | tr -d ' :' |
		awk '{ t[NR] = $1 } END { print t[1], t[int(NR * .3)], t[int(NR / 2)], t[int(NR * .7)], t[NR] }')
	# shellcheck disable=SC2086
	set -- $times
	window "$DATA/$file.dat" "$2" "$4"
	window "$DATA/$file.dat" "$3" "$3"
	window "$DATA/$file.dat" "$1" "$1"
	window "$DATA/$file.dat" 0 "$1"
	window "$DATA/$file.dat" "$5" "$5"
	window "$DATA/$file.dat" "$4" 99999
done
window "$DATA/events.dat" 25.990005000 25.990048000 -t
window "$DATA/events.dat" 25.99 26.1 --cpu 1 --only-event 'sched:*'
echo "== relative"
count() { ringside report "$@" "$DATA/openat2.dat" | grep -c '\[0'; }
count
count --since 0%
count --until 100%
count --since +0
count --until +0
# The trace lasts 60.522400 ms.
ringside report --since 40% --until 60% "$DATA/openat2.dat" >part
ringside report --since +0.02420896 --until +36313.44us "$DATA/openat2.dat" | cmp - part && wc -l <part
echo "== + and % count from the first record of the chosen CPUs and buffers"
chosen() { # chosen FILE OPTION...
	local file=$1
	shift
	ringside report -t "$@" "$file" | grep -oP ' \K[0-9]+\.[0-9]{9}(?=: )' >times
	awk -F. '{ t = ($1 - first) * 1000000000 + $2; if (NR == 1) { first = $1; begin = t = $2 } if (t - begin >= 20000000) n++ } END { print n + 0 }' times
	ringside report "$@" --since +0.02 "$file" | grep -cP '\[\d{3}\] '
	awk -F. '{ t[NR] = ($1 - first) * 1000000000 + $2; if (NR == 1) { first = $1; t[1] = $2 } }
		END { for (i = 1; i <= NR; i++) n += t[i] - t[1] <= (t[NR] - t[1]) / 4; print n }' times
	ringside report "$@" --until 25% "$file" | grep -cP '\[\d{3}\] '
}
for options in "" "--cpu 0" "--cpu 1" "-B alpha" "-B beta --cpu 1"; do
	# shellcheck disable=SC2086
	echo "$options:" $(chosen "$DATA/instances.dat" $options)
done
echo "== errors"
for options in "--since 99" "--since 99 --cpu 1" "--until 1" "--since 26 --until 25.9" "--since 90% --until +0.1" "--since noon" "--until 101%" "--since +" "--since 99999999999999999999"; do
	# shellcheck disable=SC2086
	ringside report $options "$DATA/events.dat"
	echo "status $?"
done
ringside report --since 25.9000003 --until 25.9000002 "$DATA/events.dat"
