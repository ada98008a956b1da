# shellcheck shell=bash disable=SC2154
# Files in parts: the reports of all parts are the report of the whole, with each program.
split_in() { # split_in FILE OPTION...: the parts are $tmp/part.*
	rm -f "$tmp"/part.*
	ringside split -r -i "$1" -o "$tmp/part" "${@:2}" >/dev/null 2>&1
}

# lines PROGRAM FILE...: without the heads, and without names of tasks: those that only events tell are told anew in each part
lines() {
	for file in "${@:2}"; do
		"$1" report -t -i "$file" 2>/dev/null | grep -v '^ *cpus=' | sed 's/^ *.*-\([0-9]* *\[[0-9]*\]\)/\1/'
	done
}

# trace-cmd folds a leaf call when the next line of all CPUs is its exit; a part has the same next line but at its end.
while read -r name events us pages; do
	for how in "-e $events" "-u $us" "-c -e $((events / 2))" "-p $pages"; do
		# shellcheck disable=SC2086
		split_in "$data/$name.dat" $how
		order=cat
		[[ $how = -[eu]* ]] || order=sort
		for program in trace-cmd ringside; do
			diff <(lines $program "$data/$name.dat" | $order) <(lines $program "$tmp"/part.* | $order) | sed "s/^/$program: /"
		done | nothing "$name: split $how"
	done
done <<'END'
events 7001 90000 100
instances 97 9000 1
kprobes 17 900 1
syscalls-v6 97 9000 2
END

# Each odd thing, in both versions: what ringside prints. trace-cmd reads the parts: as many events as ringside.
while read -r version codec; do
	for name in $("$O/tools/odd"); do
		case $name in latency) continue ;; esac
		"$O/tools/odd" "$name" "$tmp/odd.dat" "$version" "$codec" 2>/dev/null || continue
		for how in "-e 13" "-c -e 7"; do
			[ "$name" != many-pages ] && [ "$name" != subbuf-16k ] || how=${how% *}" 300"
			# shellcheck disable=SC2086
			split_in "$tmp/odd.dat" $how
			diff <(lines ringside "$tmp/odd.dat" | sort) <(lines ringside "$tmp"/part.* | sort)
		done | nothing "odd $name in parts, version $version, $codec"
		diff <(lines trace-cmd "$tmp/odd.dat" | grep -c number=) <(lines trace-cmd "$tmp"/part.* | grep -c number=) |
			nothing "odd $name in parts, version $version, $codec: trace-cmd reads them"
	done
done <<'END'
6 none
7 zstd
END
rm -f "$tmp"/part.* "$tmp/odd.dat"
