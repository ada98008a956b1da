# shellcheck shell=bash disable=SC2154
# Files that trace-cmd recorded and ringside wrote again, in each form: nobody sees a difference.
convert() { # convert IN OUT VERSION CODEC
	ringside convert -i "$1" -o "$2" --file-version "$3" --compression "$4"
}
for file in "$data"/*.dat; do
	name=$(basename "$file" .dat)
	while read -r version codec; do
		again=$tmp/again.dat
		if ! convert "$file" "$again" "$version" "$codec" 2>"$tmp/errors"; then
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
convert "$data/syscalls-v6.dat" "$tmp/again.dat" 6 none
cmp "$data/syscalls-v6.dat" "$tmp/again.dat" 2>&1 | nothing "syscalls-v6 as version 6, to the byte"

# Files with odd things in them, empty CPUs in the middle and instances among them, through all forms.
for name in $("$O/tools/odd"); do
	forms="7:zstd 7:none 7:zlib 6:none 7:zstd"
	[ "$name" != instance-subbuf ] || forms="7:zstd 7:none 7:zlib 7:zstd"
	"$O/tools/odd" "$name" "$tmp/odd.dat" 7 none
	cp "$tmp/odd.dat" "$tmp/before.dat"
	for form in $forms; do
		convert "$tmp/before.dat" "$tmp/again.dat" "${form%:*}" "${form#*:}" 2>&1 | grep -v 'unknown option'
		diff <(ringside report -t "$tmp/odd.dat" 2>/dev/null) <(ringside report -t "$tmp/again.dat" 2>/dev/null) |
			sed "s/^/$form: /"
		diff <(ringside dump --options "$tmp/odd.dat" 2>/dev/null | grep -v '^ *[0-9]* [0-9]*.*offset and size\|Option.*@\|CPUs\]:$') \
			<(ringside dump --options "$tmp/again.dat" 2>/dev/null | grep -v '^ *[0-9]* [0-9]*.*offset and size\|Option.*@\|CPUs\]:$') |
			sed "s/^/$form: /" >"$tmp/options"
		[ "${form%:*}" = 6 ] || [ "$name" = latency ] || cat "$tmp/options"
		mv "$tmp/again.dat" "$tmp/before.dat"
	done | nothing "odd $name through all forms"
done

# Another program goes on with what ringside wrote.
for name in events instances; do
	convert "$data/$name.dat" "$tmp/again.dat" 7 zstd
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
