# Arguments of functions of many signatures, against what the functions themselves got. Sourced by suite.
# shellcheck shell=bash disable=SC2154 # $here, $buffer: the suite's

# probes_of SOURCE PROGRAM: the options that probe it as the source's comments say
probes_of() {
	sed -nE "s|^/\* PROBE (.*) \*/$|--probe\nuprobe:$2:\1|p; s|^/\* RETURN (.*) \*/$|--probe\nuretprobe:$2:\1|p" "$1"
}
arguments_of() { sed -nE 's/^.*: ([a-zA-Z0-9_]+): +\([^)]*\)( .*)?$/\1\2/p' "$1"; }

# agree SOURCE COMPILER...: all that the comments name is fetched and right
agree() {
	local source=$here/$1 probes
	"${@:2}" -g -o sig "$source" > out 2>&1 || { cat out; return 1; }
	mapfile -t probes < <(probes_of "$source" ./sig)
	[ "${#probes[@]}" -gt 60 ] && record -q -B "$buffer" -F "${probes[@]}" ./sig > said && report > out && hasnt DROPPED out &&
		arguments_of out > got && diff said got && no_probes
}

# From the refusal in "why": takes the argument out of ${probes[@]}, and adds to "without" how its value goes out of what is expected.
drop_refused() {
	local lines text at before word event i	# the caret may be in the middle of the argument
	mapfile -t lines < why
	[ "${#lines[@]}" = 3 ] && [[ ${lines[0]} =~ (cannot be fetched|not in the debug information) ]] || { cat why; return 1; }
	text=${lines[1]#  } at=$((${#lines[2]} - 3))
	before=${text:0:at} word=${text:at}
	word=${before##* }${word%% *}
	for i in "${!probes[@]}"; do
		[ "${probes[i]}" != "$text" ] || probes[i]=${text/" $word"/}
	done
	event=${text#*:*:} event=${event%% *}
	[[ $text != *name=* ]] || event=${text##*name=}
	event=$(sed 's/[^a-zA-Z0-9_]\+/_/g' <<< "$event")
	[[ $text != uretprobe:* ]] || event+=_return
	word=$(sed -E 's/=.*//; s/:[a-z0-9]+$//; s/.*[^a-zA-Z0-9_]//' <<< "$word")
	echo "/^$event /s/ $word=(\"[^\"]*\"|[^ ]*)//" >> without
}
# The same where a compiler does not tell enough: what cannot be fetched is refused with a reason, all else is right. At least WANT are.
# agree_or_refuse WANT SOURCE COMPILER...
agree_or_refuse() {
	local source=$here/$2 probes
	"${@:3}" -g -o sig "$source" > out 2>&1 || { cat out; return 1; }
	mapfile -t probes < <(probes_of "$source" ./sig)
	: > without
	until record -q -B "$buffer" "${probes[@]}" true > /dev/null 2> why; do
		drop_refused || return
	done
	record -q -B "$buffer" -F "${probes[@]}" ./sig > said && report > out && hasnt DROPPED out && arguments_of out > got &&
		sed -E -f without said > want && diff want got && [ "$(grep -o '=' got | wc -l)" -ge "$1" ] && no_probes
}

run_signatures() {
	local level
	if [ ! -w "$tracefs/uprobe_events" ]; then
		skip "signatures" "no uprobe_events"
		return
	fi
	for level in 0 1 2; do
		check "fifty signatures in C, -O$level" agree signatures.c gcc "-O$level"
		if command -v g++ > /dev/null; then
			check "forty signatures in C++, -O$level" agree signatures.cc g++ "-O$level" -std=c++17
		else
			skip "signatures in C++, -O$level" "no g++"
		fi
	done
	check "signatures in C, without a word on where variables go" agree_or_refuse 60 signatures.c gcc -O2 -fno-var-tracking
	check "signatures in C++, DWARF 4" agree_or_refuse 80 signatures.cc g++ -O0 -gdwarf-4 -std=c++17
	for level in 0 2; do
		if command -v clang++ > /dev/null; then
			check "signatures in C, by clang -O$level" agree_or_refuse 140 signatures.c clang "-O$level"
			check "signatures in C++, by clang -O$level" agree_or_refuse 60 signatures.cc clang++ "-O$level" -std=c++17
		else
			skip "signatures by clang, -O$level" "no clang"
		fi
	done
}
