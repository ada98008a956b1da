# What does not arrive is said once, and the status says so too, in every command and whatever it was that it printed.
once() { # once COMMAND...
	"$@" >/dev/full 2>err
	local status=$?
	# What a table says of the recording has no place in its CSV and is a warning.
	if [ "$status" -ne 1 ] || [ "$(grep -vc '^ringside: warning:' err)" -ne 1 ] || ! grep -q 'No space left on device' err; then
		echo "$*: status $status"
		cat err
	fi
}
commands=$(ringside help | sed -n 's/^  \([a-z-]*\)  *.*/\1/p')
echo "$(echo "$commands" | wc -w) or more commands" | grep -c '^[2-9][0-9] or'
once ringside help
for command in $commands; do
	once ringside "$command" --help
	once ringside help "$command"
done
ln -s "$DATA/openat2.dat" trace.dat
for what in --tree --profile --stat -E --events -f -e -p --uname --version --cpus --first-event --last-event -l -R -t -w \
	'--tree --min-duration 1us' '-T -F funcgraph_entry' '-F funcgraph_entry:depth==0'; do
	# shellcheck disable=SC2086
	once ringside report $what
done
once ringside report -P "$DATA/events.dat"
once ringside hist
once ringside hist --flat
once ringside hist --folded
once ringside dump
once ringside dump --all
once ringside split -o part
once ringside options
once ringside --version
# The tables, in each of their forms; and one that nobody reads says nothing.
unread() { # unread COMMAND...
	"$@" 2>err | true
	case ${PIPESTATUS[0]} in
	0 | 141) ! grep -qv '^ringside: warning:' err ;;
	*) false ;;
	esac || { echo "$*: unread"; cat err; }
}
for what in funcs graph sched count 'count --by comm' 'count --every 0.1' 'dist getdents64' 'slow getdents64' 'latency wakeup' mem 'report --profile' 'sql SELECT+1'; do
	for form in text --json --csv; do
		case $what in
		sql*) line=(sql "${what#sql }") ;;
		*) read -ra line <<< "$what" ;;
		esac
		[ "$form" = text ] || line+=("$form")
		once ringside "${line[@]/+/ }" "$DATA/events.dat"
		unread ringside "${line[@]/+/ }" "$DATA/events.dat"
	done
done
once ringside diff "$DATA/events.dat" "$DATA/events.dat"
for form in csv jsonl chrome perfetto folded speedscope text; do
	once ringside export --to "$form" "$DATA/events.dat"
	unread ringside export --to "$form" "$DATA/events.dat"
done
once ringside flame -o - "$DATA/events.dat"
once ringside page -o - "$DATA/events.dat"
# A closed one, too, and nothing of it in a file that is opened meanwhile.
ringside report --stat >&-
echo "status $?"
ringside convert -o copy.dat --file-version 6 >&- 2>err; echo "status $?"
ringside dump --validate copy.dat
