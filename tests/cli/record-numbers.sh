# Numbers that are too large for the kernel or for ringside's own units are refused. They were taken modulo 2^32 or 2^64.
refuse() { # refuse OPTION VALUE: before anything is looked for in the kernel
	ringside record "$@" -e sched true
	echo "status $?"
}
refuse --max-graph-depth 4294967296
refuse --max-graph-depth 4294967297
refuse --max-graph-depth 99999999999999999999
refuse --max-graph-depth deep
refuse -s 18446744073709552
refuse -s soon
refuse -b 18014398509481984
refuse -b 0
refuse --subbuf-size 18014398509481988
refuse -m 18014398509481984
for command in start set stream; do
	ringside "$command" --max-graph-depth 4294967296
done
