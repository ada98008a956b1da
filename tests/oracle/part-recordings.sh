# shellcheck shell=bash disable=SC2154
# Recordings that ringside made: trace-cmd prints the same event lines and can show all that is in the files.
if [ -d "${RINGSIDE_VM_RECORDINGS:-/nonexistent}" ]; then
	while IFS= read -r file; do
		name=${file#"$RINGSIDE_VM_RECORDINGS"/}
		same "recording $name: report" "$file"
		{ trace-cmd dump --all -i "$file" 2>&1 >/dev/null || echo "status $?"; } |
			nothing "recording $name: trace-cmd dump --all"
		{ ringside dump --validate "$file" 2>&1 || echo "status $?"; } | grep -v ' is a valid trace file$' |
			nothing "recording $name: ringside dump --validate"
	done < <(find "$RINGSIDE_VM_RECORDINGS" -name '*.dat' | sort)
else
	skip "recordings" "no folder of recordings in \$RINGSIDE_VM_RECORDINGS"
fi
