# shellcheck shell=bash disable=SC2154
# Recordings that ringside made: trace-cmd prints the same event lines and can show all that is in the files.

# saved_names FILE: a filter for trace-cmd's text. As long as only idle tasks have been printed, trace-cmd takes the name that a
# sched event tells beside the one that the file has saved, and may then print either; ours is always the saved one.
saved_names() {
	awk 'FILENAME == ARGV[1] { pid = $1; sub(/^ *[0-9]+ /, ""); saved[pid] = $0; next }
	match($0, /[^ ]+-[0-9]+ +\[[0-9]+\]/) {
		task = substr($0, RSTART, RLENGTH)
		pid = task; sub(/ +\[[0-9]+\]$/, "", pid); sub(/^.*-/, "", pid)
		comm = task; sub(/-[0-9]+ +\[[0-9]+\]$/, "", comm)
		if (pid in saved && comm != saved[pid] && length(comm) <= 16)
			$0 = substr($0, 1, RSTART + length(comm) - 17) sprintf("%16s", saved[pid]) substr($0, RSTART + length(comm))
	}
	{ print }' <(ringside dump --cmd-lines -i "$1" | grep -E '^ *[0-9]+ ') -
}

recordings=${RINGSIDE_VM_RECORDINGS:-$O/vm}	# where tests/vm leaves them
if [ -d "$recordings" ]; then
	while IFS= read -r file; do
		name=${file#"$recordings"/}
		{ ringside dump --validate "$file" 2>&1 || echo "status $?"; } | grep -v ' is a valid trace-cmd file$' |
			nothing "recording $name: ringside dump --validate"
		if head -c 32 "$file" | grep -aq zlib && ! trace-cmd report "$file" >/dev/null 2>&1; then
			skip "recording $name: report" "this trace-cmd is without zlib"
			continue
		fi
		# User stacks have names in ours.
		case $name in
		*/ustack-*) set -- -v -F user_stack ;;
		*) set -- ;;
		esac
		theirs "$@" "$file" | saved_names "$file" >"$tmp/theirs"
		ours "$@" "$file" >"$tmp/ours"
		agree "recording $name: report"
		{ trace-cmd dump --all -i "$file" 2>&1 >/dev/null || echo "status $?"; } |
			nothing "recording $name: trace-cmd dump --all"
	done < <(find "$recordings" -name '*.dat' | sort)
else
	skip "recordings" "no $recordings; run the suite vm before"
fi
