# shellcheck shell=bash
# What the tests inside a guest share. `run` exports RINGSIDE, RECORDINGS, WORK, TRACEFS and HERE.

# What traces below do_sys_openat2 or vfs_read need of the kernel's functions: arming and disarming all of them takes an emulated machine seven seconds.
# shellcheck disable=SC2034
few=(-l do_sys_openat2 -l 'getname*' -l do_filp_open -l 'path_*' -l 'link_path_*' -l 'vfs_*' -l '*lookup*')

# Compression takes half of the time of a short recording in an emulated machine. A file that is not kept can do without; the others must be small, because they
# take the memory of the machine.
# shellcheck disable=SC2034
plain=(--compression none)

# check NAME COMMAND [ARG]…: one line of TAP; what a failing command said follows as comments.
check() {
	local name=$1 said status
	shift
	said=$("$@" 2>&1)
	status=$?
	if [ "$status" -eq 0 ]; then
		echo "ok - $name"
		return 0
	fi
	echo "not ok - $name"
	head -n 30 <<< "${said:-(status $status, nothing said)}" | cut -c -300 | sed 's/^/#   /'
	return 1
}

# skip NAME WHAT: WHAT is the missing feature
skip() {
	echo "ok - $1 # SKIP no $2"
}

# record NAME [ARG]…: records into $WORK/NAME.dat, says into $WORK/NAME.log; its status is ringside's.
record() {
	local name=$1
	shift
	timeout -k 5 400 "$RINGSIDE" record -o "$WORK/$name.dat" "$@" > "$WORK/$name.log" 2>&1
}

# must_record NAME [ARG]…: the same, and tells why it failed
must_record() {
	record "$@" || { local status=$?; cat "$WORK/$1.log"; return "$status"; }
}

# recorded NAME [ARG]…: the same as a test, with the report in $WORK/NAME.txt and the file kept.
recorded() {
	local name=$1
	check "$name: record" record_and_report "$@" || return
	cp "$WORK/$name.dat" "$RECORDINGS/"
}

record_and_report() {
	local name=$1
	must_record "$@" || return
	"$RINGSIDE" report -i "$WORK/$name.dat" > "$WORK/$name.txt" 2> "$WORK/$name.err" ||
		{ cat "$WORK/$name.err"; return 1; }
	[ ! -s "$WORK/$name.err" ] || { cat "$WORK/$name.err"; return 1; }
}

# refused NAME-OF-LOG TEXT [ARG]…: record must fail, with a message that matches TEXT and no file left.
refused() {
	local name=$1 text=$2
	shift 2
	! record "$name" "$@" || { echo "it recorded"; return 1; }
	grep -E -- "$text" "$WORK/$name.log" > /dev/null ||
		{ echo "the message lacks '$text':"; cat "$WORK/$name.log"; return 1; }
	[ ! -e "$WORK/$name.dat" ] || { echo "a file was left behind"; return 1; }
}

# events NAME: how many times each event is in a report, as "COUNT EVENT"
events() {
	sed -nE 's/.* [0-9]+\.[0-9]+: ([A-Za-z_0-9]+): .*/\1/p' "$WORK/$1.txt" | sort | uniq -c |
		awk '{ print $1, $2 }'
}

# has NAME REGEX: a line of the report matches
has() {
	grep -qE -- "$2" "$WORK/$1.txt" || { echo "no line matches '$2' in:"; head -n 15 "$WORK/$1.txt"; return 1; }
}

# only NAME REGEX: every line but the first (cpus=N) matches, and there is one
only() {
	[ "$(wc -l < "$WORK/$1.txt")" -gt 1 ] || { echo "the report is empty"; return 1; }
	! sed 1d "$WORK/$1.txt" | grep -vE -- "$2" | head -n 10 | grep . || return 1
}

# A program that is started costs an emulated machine 50 ms and more, pgrep a quarter of a second: what waits does so with what the shell has itself.
exec {never}<> <(:)
# pause SECONDS
pause() { read -rt "$1" -u "$never" || :; }

# stopped PID: it is, by a signal
stopped() {
	local line
	{ read -r line < "/proc/$1/stat"; } 2> /dev/null && [[ ${line##*) } == T* ]]
}

# ours_run: anything of ringside is running, its guard included
ours_run() {
	local task command
	for task in /proc/[0-9]*; do
		read -rd '' command < "$task/cmdline" && [[ $command == "$RINGSIDE"* ]] && return
	done 2> /dev/null
	return 1
}

# settle: wait until nothing of ringside is running any more
settle() {
	local tries=600
	while ours_run; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || { echo "still running:"; pgrep -fa "^$RINGSIDE"; return 1; }
		pause 0.2
	done
}
