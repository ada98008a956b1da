# Times: nanoseconds, raw, from zero, differences, offsets; the latency format.
for options in -t --raw-ts --align-ts --ts-diff '--ts-diff -t' -l '-l -R' '--ts2secs 1000000'; do
	echo "# $options"
	# shellcheck disable=SC2086
	ringside report $options "$DATA/kprobes.dat" | sed -n '2,4p'
done
ringside report -i "$DATA/kprobes.dat" --ts-offset 1000000000 | sed -n '2,3p'
ringside report --ts-offset 1s "$DATA/kprobes.dat"; echo "status $?"
