# shellcheck shell=bash disable=SC2154
# Recordings that ringside made: trace-cmd prints the same event lines and can show all that is in the files.
recordings=${RINGSIDE_VM_RECORDINGS:-$O/vm}	# where tests/vm leaves them
if [ -d "$recordings" ]; then
	while IFS= read -r file; do
		name=${file#"$recordings"/}
		{ ringside dump --validate "$file" 2>&1 || echo "status $?"; } | grep -v ' is a valid trace file$' |
			nothing "recording $name: ringside dump --validate"
		if head -c 32 "$file" | grep -aq zlib && ! trace-cmd report "$file" >/dev/null 2>&1; then
			skip "recording $name: report" "this trace-cmd is without zlib"
			continue
		fi
		same "recording $name: report" "$file"
		{ trace-cmd dump --all -i "$file" 2>&1 >/dev/null || echo "status $?"; } |
			nothing "recording $name: trace-cmd dump --all"
	done < <(find "$recordings" -name '*.dat' | sort)
else
	skip "recordings" "no $recordings; run the suite vm before"
fi
