# The same mistake has the same exit status in every command: 2 for what was typed, 1 for what could not be done.
commands=$(ringside help | sed -n 's/^  \([a-z-]*\)  .*/\1/p')
want() { # want STATUS COMMAND...: and a message of one line, which begins as they all do; of filters two more show where
	local status lines
	timeout 100 ringside "${@:2}" >out 2>err </dev/null
	status=$?
	mapfile -t lines <err
	if [ "$status" -ne "$1" ] || { [ ${#lines[@]} -ne 1 ] && ! { [ "$3" = -F ] && [ ${#lines[@]} -eq 3 ]; }; } || [ -s out ] || ! [[ ${lines[0]} =~ ^ringside(\ [a-z-]+)*:\  ]]; then
		echo "${*:2}: status $status, not $1"
		head -3 err
		head -2 out
	fi
}
mkdir folder
: >empty.dat
echo text >text.dat
for command in $commands; do
	# shellcheck disable=SC2086
	{
		want 2 $command --nosuch
		want 2 $command --nosuch=1
		want 2 $command -§
		want 2 $command --help=yes
	}
	help=$(ringside "$command" --help)
	# Each of its options: without its value, with one that it does not take.
	for option in $(ringside __complete "$command" -- | cut -f1); do
		case $option in
		--help) ;;
		# One whose value may be left out would run.
		*=) [[ $help == *"${option%=}[="* ]] || want 2 "$command" "${option%=}" ;;
		--*) want 2 "$command" "$option=1" ;;
		esac
	done
done
for command in report hist graph funcs sched 'slow x' dump 'convert -o out.dat -i' 'split -i'; do
	# shellcheck disable=SC2086
	for file in nothing.dat folder empty.dat text.dat; do
		want 1 $command $file
	done
done
for command in report hist graph funcs; do
	want 2 $command -F 'sched_switch : prev_pid ==' "$DATA/events.dat"
	want 2 $command -F 'sched_switch : nosuch == 1' "$DATA/events.dat"
	want 2 $command -F 'nosuch : prev_pid == 1' "$DATA/events.dat"
	want 2 $command --only-event nosuch "$DATA/events.dat"
	want 2 $command --pid x "$DATA/openat2.dat"
	want 2 $command --tid -1 "$DATA/openat2.dat"
	want 2 $command --cpu x "$DATA/events.dat"
	want 2 $command --func nosuch "$DATA/openat2.dat"
	want 2 $command --min-duration x "$DATA/openat2.dat"
	want 2 $command -B nosuch "$DATA/events.dat"
	want 2 $command --since x "$DATA/events.dat"
	want 2 $command --until x "$DATA/events.dat"
	want 2 $command --since 2 --until 1 "$DATA/events.dat"
	want 1 $command --kallsyms nothing "$DATA/events.dat"
done
want 2 split -i "$DATA/events.dat" -C x
want 2 split -i "$DATA/events.dat" x
want 2 split -i "$DATA/events.dat" -e x
want 2 convert -i "$DATA/events.dat" -o out.dat --compression nosuch
want 2 convert -i "$DATA/events.dat" -o out.dat --file-version 5
want 1 convert -i "$DATA/events.dat" -o /nowhere/out.dat
want 1 split -i "$DATA/events.dat" -o /nowhere/out
want 2 count -p 1 -a sched_switch
want 2 latency -p 1 -a wakeup
want 2 syscalls -p 1 -a
want 2 latency wakeup "$DATA/events.dat" true
want 2 latency wakeup nosuch -- true
want 2 latency wakeup -i "$DATA/events.dat" -- true
want 2 latency --from sched_waking --to sched_switch --on pid=next_pid wakeup -- true
want 2 count -a sched_switch "$DATA/events.dat" -- true
want 2 top --batch 1 -p 1 -a
want 2 nosuch
want 2 help nosuch
want 2 probe nosuch
want 2 probe vars /bin/ls main
echo '== words that are empty'
for option in pid tid only-event; do
	ringside count "--$option" '' "$DATA/openat2.dat"
	echo "$?"
done
ringside count --pid , "$DATA/openat2.dat"
