# shellcheck shell=bash disable=SC2154
# Files that trace-cmd recorded and ringside wrote again, in each form: nobody sees a difference.
for file in "$data"/*.dat; do
	name=$(basename "$file" .dat)
	while read -r version codec; do
		again=$tmp/again.dat
		if ! "$O/tools/rewrite" "$file" "$again" "$version" "$codec" 2>"$tmp/errors"; then
			not_ok "$name as version $version, $codec" <"$tmp/errors"
		elif [ "$codec" = zlib ] && ! trace-cmd report -i "$again" >/dev/null 2>&1; then
			diff <(ringside report -i "$file" 2>&1) <(ringside report -i "$again" 2>&1) |
				nothing "$name as version $version, $codec (this trace-cmd is without zlib)"
		else
			alike "$name as version $version, $codec" "$file" "$again"
		fi
	done <<'END'
6 none
7 none
7 zlib
7 zstd
END
done
# Nothing in a version 6 file can be in another place: it is the same to the byte.
"$O/tools/rewrite" "$data/syscalls-v6.dat" "$tmp/again.dat" 6 none
cmp "$data/syscalls-v6.dat" "$tmp/again.dat" 2>&1 | nothing "syscalls-v6 as version 6, to the byte"

# Another program goes on with what ringside wrote.
for name in events instances; do
	"$O/tools/rewrite" "$data/$name.dat" "$tmp/again.dat" 7 zstd
	trace-cmd convert -i "$tmp/again.dat" -o "$tmp/converted.dat" --file-version 6 >/dev/null 2>&1
	diff <(trace-cmd report -i "$data/$name.dat" 2>&1) <(trace-cmd report -i "$tmp/converted.dat" 2>&1) |
		nothing "$name written by ringside, then converted by trace-cmd"
done
for name in events instances syscalls-v6; do
	trace-cmd dump --all -i "$data/$name.dat" >"$tmp/theirs" 2>&1
	if ringside dump --all "$data/$name.dat" >"$tmp/ours" 2>&1; then
		# The texts of the kernel, in whatever order.
		diff <(grep -v '^[[:space:]]*\[' "$tmp/theirs" | grep -E '^(name|print fmt|[0-9a-f]{16} |0x[0-9a-f]{16} :|[0-9]+ [^[])' |
			sort) <(grep -E '^(name|print fmt|[0-9a-f]{16} |0x[0-9a-f]{16} :|[0-9]+ [^[])' "$tmp/ours" | sort) |
			nothing "$name: dump --all has the same texts"
	else
		not_ok "$name: dump --all" <"$tmp/ours"
	fi
done
