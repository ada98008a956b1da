# shellcheck shell=bash disable=SC2154
# Files with odd things in them, made by tests/tools/odd, in each form that holds them.
odd() { # odd NAME VERSION CODEC: $tmp/odd.dat
	rm -f "$tmp/odd.dat"
	"$O/tools/odd" "$1" "$tmp/odd.dat" "$2" "$3" 2>"$tmp/errors"
}

while read -r version codec; do
	for name in $("$O/tools/odd"); do
		form="odd $name, version $version, $codec"
		if ! odd "$name" "$version" "$codec"; then
			# Version 6 has one size of pages for all buffers, and says so.
			if [ "$name $version" = "instance-subbuf 6" ] && grep -q 'use version 7' "$tmp/errors"; then
				ok "$form is refused"
			else
				not_ok "$form" <"$tmp/errors"
			fi
			continue
		fi
		case $name in
		boot)
			# trace-cmd prints this clock as plain numbers. The data are those of `plain`.
			mv "$tmp/odd.dat" "$tmp/boot.dat"
			odd plain "$version" "$codec"
			diff <(ours "$tmp/boot.dat") <(theirs "$tmp/odd.dat") | nothing "$form"
			;;
		latency)
			# trace-cmd adds an empty line.
			diff <(trace-cmd report "$tmp/odd.dat" 2>/dev/null | sed '${/^$/d}') <(ringside report "$tmp/odd.dat") |
				nothing "$form"
			ringside hist "$tmp/odd.dat" 2>&1 | grep -c 'holds the text of a latency tracer' | grep -vx 1 |
				nothing "$form: hist says that it cannot"
			;;
		lost-extend)
			# trace-cmd keeps this gap to itself.
			ringside report "$tmp/odd.dat" | grep -c '^CPU:0 \[99 EVENTS DROPPED\]$' |
				grep -vx 1 | nothing "$form: the gap is told"
			same "$form" "$tmp/odd.dat"
			;;
		unknown-option)
			ringside report "$tmp/odd.dat" 2>&1 >/dev/null | grep -c 'unknown option 99' |
				grep -vx 1 | nothing "$form: one warning"
			diff <(theirs "$tmp/odd.dat") <(ringside report "$tmp/odd.dat" 2>/dev/null |
				tests/oracle/normalise ringside) | nothing "$form"
			;;
		*)
			same "$form" "$tmp/odd.dat"
			;;
		esac
	done
done <<'END'
6 none
7 none
7 zstd
END

# A CPU without data between others: trace-cmd's convert loses CPU 0's data when it is not listed.
odd hole 7 zstd
theirs "$tmp/odd.dat" >"$tmp/before"
trace-cmd convert -i "$tmp/odd.dat" -o "$tmp/converted.dat" >/dev/null 2>&1
diff "$tmp/before" <(theirs "$tmp/converted.dat") | nothing "odd hole, converted by trace-cmd"
for name in date offset tsc2nsec shift-lines; do
	odd "$name" 7 none
	for option in --nodate --raw-ts -t --ts-diff; do
		same "odd $name: report $option" $option "$tmp/odd.dat"
	done
	# trace-cmd ignores it for the first of its files.
	cp "$data/marker.dat" "$tmp/first.dat"
	same "odd $name: report --ts-offset 5000" -i "$tmp/first.dat" -i "$tmp/odd.dat" --ts-offset 5000
done
