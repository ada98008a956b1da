# shellcheck shell=bash disable=SC2154
# trace-cmd hist and ours: the same counts for the same events, functions and callers. Shares are not compared: trace-cmd counts a few
# empty chains. A line of 100 % is a caller that ringside does not make a branch of.
counts() {
	grep '#' | sed -E 's/^[ |]*//; s/^%[0-9.]+ +/= /; s/ +/ /g; s/^--%[0-9.]+-- /-- /' | sort
}
whole_shares() {
	grep -v -- '--%100\.00--'
}
# Branches that only ringside tells: trace-cmd does not say when some chains end at a caller and others go on.
for file in openat2 events kprobes marker syscalls-v6; do
	diff <(trace-cmd hist "$data/$file.dat" 2>/dev/null | whole_shares | counts) <(ringside hist "$data/$file.dat" | whole_shares | counts) |
		grep '^[<>]' | grep -vE '^> -- ' | nothing "hist $file"
	diff <(trace-cmd hist -P -i "$data/$file.dat" 2>/dev/null | whole_shares | counts) <(ringside hist -P -i "$data/$file.dat" | whole_shares | counts) |
		grep '^[<>]' | grep -vE '^> -- ' | nothing "hist -P $file"
done
# Of these trace-cmd hist counts some stacks twice, one instance again with the next, and functions that call others not at all: its report tells.
for file in function-stacks instances; do
	diff <(trace-cmd report "$data/$file.dat" 2>/dev/null | sed -nE '/kernel_stack:/d; s/.* [0-9]+\.[0-9]+: function: +/ /; s/.* [0-9]+\.[0-9]+: ([a-z_]+): .*/ \1/; s/^ ([^ ]+)( .*)?$/\1/p' | sort | uniq -c | awk '{ print $1, $2 }') \
		<(ringside hist -P --flat "$data/$file.dat" | awk 'NR > 1 { print $1, $3 }' | sort -k 2) | nothing "hist --flat $file as its report"
done
