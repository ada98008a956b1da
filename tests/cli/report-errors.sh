# Each fault in one sentence with a cure, and a status that is not 0.
ringside report; echo "status $?"
echo nothing >empty.dat
ringside report empty.dat; echo "status $?"
ringside report /; echo "status $?"
ringside report --tre "$DATA/openat2.dat" | head -2
ringside report --no-such; echo "status $?"
ringside report --color=red "$DATA/openat2.dat"; echo "status $?"
# What is there of a truncated file is printed.
head -c 4473000 "$DATA/syscalls-v6.dat" >cut.dat
ringside report cut.dat >out; echo "status $?"
wc -l <out
# Nobody reads to the end.
ringside report "$DATA/events.dat" | head -1; echo "status ${PIPESTATUS[0]}"
ringside report "$DATA/events.dat" >/dev/full; echo "status $?"
# The same bytes at any number of threads.
for threads in 1 2 3 8; do
	RINGSIDE_THREADS=$threads ringside report -l "$DATA/events.dat" | cksum
done | sort -u | wc -l
# Colour only when asked for.
ringside report "$DATA/openat2.dat" | grep -c "$(printf '\033')"
ringside report --color=always "$DATA/openat2.dat" | sed -n 2p | cat -v
# A file that may not be read. Nothing keeps root from reading it.
cp "$DATA/marker.dat" secret.dat
chmod 000 secret.dat
other=()
[ "$(id -u)" != 0 ] || other=(setpriv --reuid 65534 --clear-groups)
if "${other[@]}" test -x "$(command -v ringside)" 2>/dev/null; then
	"${other[@]}" "$(command -v ringside)" report secret.dat; echo "status $?"
else
	printf '%s\n' 'ringside: secret.dat: Permission denied; use sudo, or let its owner make it readable for you' 'status 1'
fi
