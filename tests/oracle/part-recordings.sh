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

# What makes trace-cmd print one CPU's records behind those of all others.
"$O/tools/plan" "$data/openat2.dat" "$tmp/migrated.dat" <<'END'
task 100 ls
task 200 sh
0 1000000000 100 funcgraph_entry func=@vfs_open depth=0
1 1000001000 100 funcgraph_exit func=@vfs_open depth=0 calltime=1000000000 rettime=1000001000
1 1000002000 100 funcgraph_entry func=@vfs_read depth=0
0 1000002500 200 funcgraph_entry func=@vfs_write depth=0
1 1000003000 100 funcgraph_exit func=@vfs_read depth=0 calltime=1000002000 rettime=1000003000
0 1000003500 200 funcgraph_exit func=@vfs_write depth=0 calltime=1000002500 rettime=1000003500
1 1000004000 100 funcgraph_entry func=@vfs_open depth=0
0 1000005000 100 funcgraph_exit func=@vfs_open depth=0 calltime=1000004000 rettime=1000005000
0 1000006000 200 funcgraph_entry func=@vfs_read depth=0
1 1000006500 100 funcgraph_entry func=@vfs_write depth=0
0 1000007000 200 funcgraph_exit func=@vfs_read depth=0 calltime=1000006000 rettime=1000007000
1 1000007500 100 funcgraph_exit func=@vfs_write depth=0 calltime=1000006500 rettime=1000007500
END
theirs "$tmp/migrated.dat" >"$tmp/theirs"
ours "$tmp/migrated.dat" >"$tmp/ours"
agree "calls that end on another CPU: report" "$tmp/migrated.dat"

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
		agree "recording $name: report" "$file"
		{ trace-cmd dump --all -i "$file" 2>&1 >/dev/null || echo "status $?"; } |
			nothing "recording $name: trace-cmd dump --all"
	done < <(find "$recordings" -name '*.dat' | sort)
else
	skip "recordings" "no $recordings; run the suite vm before"
fi
