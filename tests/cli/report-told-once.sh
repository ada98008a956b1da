# Damage is told once, also where the file is read twice.
cp "$DATA/openat2.dat" bad.dat
size=$(stat -c %s bad.dat)
printf 'damaged here' | dd of=bad.dat bs=1 seek=$((size - 30000)) conv=notrunc status=none
for options in '' --tree '--min-duration 1us' '--func do_sys_openat2 --min-duration 1us' '--since 1%' '--min-duration 1us --since 1%'; do
	# shellcheck disable=SC2086
	ringside report $options bad.dat 2>&1 >/dev/null | sed "s/offset [0-9]*/offset N/; s/byte [0-9]*/byte N/; s/^/report $options: /"
done
# A number that begins with 0 is decimal.
pid=$(ringside report "$DATA/events.dat" | sed -n '2s/^ *[^ ]*-\([0-9]*\) .*/\1/p')
ringside report --pid "$pid" "$DATA/events.dat" | cksum >want
ringside report --pid "000$pid" "$DATA/events.dat" | cksum | cmp - want && echo decimal
