# shellcheck shell=bash disable=SC2154
# A host's and a guest's file are attached; both programs then print them in one order of time. What cannot be attached stays as it was.
pair() { # pair VERSION CODEC
	rm -f "$tmp"/host.dat "$tmp"/guest.dat
	"$O/tools/odd" kvm-host "$tmp/host.dat" "$1" "$2" && "$O/tools/odd" kvm-guest "$tmp/guest.dat" "$1" "$2"
}
sums() { md5sum "$tmp/host.dat" "$tmp/guest.dat"; }

# refused STATUS PATTERN ARGUMENT...
refused() {
	local want=$1 pattern=$2 before
	before=$(sums)
	shift 2
	ringside attach "$@" >"$tmp/said" 2>&1
	local status=$?
	[ "$status" -eq "$want" ] || echo "status $status of attach $*"
	grep -qE -e "$pattern" "$tmp/said" || { echo "no '$pattern' in:" && cat "$tmp/said"; }
	[ "$before" = "$(sums)" ] || echo "attach $* changed a file"
}

while read -r version codec; do
	pair "$version" "$codec"
	for round in 1 2; do
		{
			ringside attach -s $((1000 * 1000000)) "$tmp/host.dat" "$tmp/guest.dat" 99 100 101 102 >"$tmp/said" || echo "status $?"
			[ $round = 2 ] || diff - <(sed "s,$tmp/,,g" "$tmp/said") <<'END'
host.dat: guest guest.dat, id 0x606
  CPU 0 is task 100
  CPU 1 is task 101
END
			[ $round = 1 ] || grep -q 'knows the guest .* already' "$tmp/said" || cat "$tmp/said"
			# Ticks of 0.75 ns: each of the guest's 250 ticks behind one of the host's.
			ringside report -t -i "$tmp/host.dat" -i "$tmp/guest.dat" | grep -v cpus= | sed -E 's/^.* ([0-9]+\.[0-9]+): .*/\1/' >"$tmp/times"
			sort -n "$tmp/times" | cmp - "$tmp/times"
			[ "$(wc -l <"$tmp/times")" = 32 ] || echo "not 32 lines"
			[ "$(head -2 "$tmp/times" | paste -sd' ')" = '3.750000000 3.750000187' ] || head -2 "$tmp/times"
		} 2>&1 | nothing "attach, version $version, $codec: round $round"
	done
	trace-cmd report -t -i "$tmp/host.dat" -i "$tmp/guest.dat" 2>/dev/null | sed -nE 's/^.* ([0-9]+\.[0-9]+): +([a-z_]+): .*/\1 \2/p' >"$tmp/theirs"
	ringside report -t -i "$tmp/host.dat" -i "$tmp/guest.dat" | sed -nE 's/^.* ([0-9]+\.[0-9]+): +([a-z_]+): .*/\1 \2/p' | diff "$tmp/theirs" - |
		nothing "attach, version $version, $codec"
	for what in guest:TimeShift guest:TSC2NSEC host:GUEST; do
		trace-cmd dump --options "$tmp/${what%%:*}.dat" 2>/dev/null | grep -qiE "option ${what#*:}|${what#*:}" || echo "trace-cmd sees no ${what#*:}"
	done | nothing "attach, version $version, $codec: trace-cmd's dump"
	pair "$version" "$codec"
	{
		refused 2 'needs -s' "$tmp/host.dat" "$tmp/guest.dat" 100
		refused 2 'needs the host' -s 1 "$tmp/host.dat" "$tmp/guest.dat"
		refused 2 'no process id' -s 1 "$tmp/host.dat" "$tmp/guest.dat" x
		refused 2 'OFFSET.*wanted' -s one "$tmp/host.dat" "$tmp/guest.dat" 100
		refused 2 'OFFSET.*wanted' -s 1,0 "$tmp/host.dat" "$tmp/guest.dat" 100
		refused 1 'none of the tasks .*100 .CPU 0. or 101|none of the tasks .*101 .CPU 1. or 100' -s 1 "$tmp/host.dat" "$tmp/guest.dat" 7
		refused 1 'the same recording' -s 1 "$tmp/host.dat" "$tmp/host.dat" 100
		refused 1 'record the host with -C tsc2nsec' -s 1 "$tmp/guest.dat" "$tmp/host.dat" 100
		refused 1 'no trace id' -s 1 "$tmp/host.dat" "$data/instances.dat" 100
		refused 1 'No such file' -s 1 "$tmp/host.dat" "$tmp/none.dat" 100
	} | nothing "attach, version $version, $codec: what cannot be"
done <<'END'
6 none
7 none
7 zstd
END
