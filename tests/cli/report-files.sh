# Instances and several files: a name in front of each line.
ringside report "$DATA/instances.dat" | head -6
ringside report -B beta "$DATA/instances.dat" | head -3
ringside report -B 'gam*' "$DATA/instances.dat"; echo "status $?"
ringside report -i "$DATA/kprobes.dat" -i "$DATA/instances.dat" | sed -n '1,3p;118,121p'
ringside report --raw-ts "$DATA/kprobes.dat" "$DATA/marker.dat" "$DATA/instances.dat" |
	awk 'match($0, /[0-9]{11,}: /) || match($0, / [0-9]+: /) { t = substr($0, RSTART, RLENGTH - 2) + 0; bad += t < last; last = t; n++ }
	     END { print n, "records", bad + 0, "of them before an earlier one" }'
