# shellcheck shell=bash disable=SC2154
# Several files in one report, by what their offsets, dates and clocks make of their times.
several() { # several ARGUMENT...: names of odd files and options
	local arguments=() arg
	for arg; do
		case $arg in
		-* | [0-9]*) arguments+=("$arg") ;;
		*)
			"$O/tools/odd" "$arg" "$tmp/$arg.dat" 7 none
			arguments+=(-i "$tmp/$arg.dat")
			;;
		esac
	done
	theirs -t "${arguments[@]}" >"$tmp/theirs"
	# Without the warning that clocks differ.
	ringside report -t "${arguments[@]}" 2>/dev/null | tests/oracle/normalise ringside >"$tmp/ours"
	agree "several files: $*"
}

several plain date
several plain offset
several date negative-date plain
several plain tsc2nsec
several plain shift-one
several plain shift-steps
several plain shift-lines
several tsc2nsec shift-one counter
several plain instances
several instances tsc2nsec negative-date
# trace-cmd does not obey the --ts-offset of the first file.
several plain offset --ts-offset -500
several offset plain --ts-offset -1234567890
several date --nodate plain
