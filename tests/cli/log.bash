# For tests of what goes on in the background: it writes its messages to $log, and a test waits for them.
log=$PWD/log
wait_for() { # wait_for PATTERN [COUNT]: in the log, that often
	local n
	for _ in {1..1200}; do
		n=$(grep -cE "$1" "$log" 2>/dev/null)	# it may not be there yet
		[ "${n:-0}" -lt "${2:-1}" ] || return 0
		sleep 0.05
	done
	echo "never came: $1"
}
