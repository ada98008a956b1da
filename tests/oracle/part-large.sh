# shellcheck shell=bash disable=SC2154
# Offsets beyond 4 GiB.
"$O/tools/odd" instances "$tmp/before.dat" 6 none
cp "$tmp/before.dat" "$tmp/far.dat"
# The table of the top buffer: the page of CPU 1 goes to 5 GiB, which costs no room.
entry=$(($(grep -abo flyrecord "$tmp/far.dat" | head -1 | cut -d: -f1) + 10 + 16))
offset=$(od -An -t u8 -j "$entry" -N 8 "$tmp/far.dat")
if dd if="$tmp/before.dat" of="$tmp/far.dat" bs=4096 skip=$((offset / 4096)) seek=1310720 count=1 conv=notrunc status=none; then
	printf '\0\0\0\100\001\0\0\0' | dd of="$tmp/far.dat" bs=1 seek="$entry" conv=notrunc status=none
	alike "a page at 5 GiB" "$tmp/before.dat" "$tmp/far.dat"
	same "a page at 5 GiB: report" "$tmp/far.dat"
else
	skip "a page at 5 GiB" "no files of that size here"
fi
rm -f "$tmp/far.dat"

if [ -z "${RINGSIDE_LARGE:-}" ]; then
	skip "files of 4.3 GB, written" "takes disk and minutes; RINGSIDE_LARGE=1 asks for it"
else
	# Of version 6 trace-cmd does not see what lies beyond 4 GiB in one CPU's data, and with zstd the file is small.
	while read -r version codec; do
		form="a file of 4.3 GB, version $version, $codec"
		"$O/tools/odd" large "$tmp/large.dat" "$version" "$codec" 2>&1 | nothing "$form: written"
		ringside report "$tmp/large.dat" 2>&1 | grep -c 'number=' | grep -vx 32 | nothing "$form: all events"
		[ "$version" = 6 ] || same "$form: report" "$tmp/large.dat"
		ringside report -t "$tmp/large.dat" >"$tmp/large.txt" 2>&1
		for again in 6:none 7:none 7:zlib 7:zstd; do
			ringside convert -i "$tmp/large.dat" -o "$tmp/large.dat" --file-version "${again%:*}" --compression "${again#*:}" 2>&1
			ringside report -t "$tmp/large.dat" 2>&1 | diff "$tmp/large.txt" -
		done | nothing "$form: converted through all forms"
		ringside split -i "$tmp/large.dat" -o "$tmp/large.part" -r -e 5 >/dev/null
		for file in "$tmp"/large.part.*; do
			ringside report -t "$file" | grep -v 'cpus='
		done | diff <(grep -v 'cpus=' "$tmp/large.txt") - | nothing "$form: split"
		rm -f "$tmp/large.dat" "$tmp"/large.part.*
	done <<'END'
6 none
7 none
7 zstd
END
fi
