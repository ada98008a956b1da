# Instances and several files: a name in front of each line.
cd "$DATA"
ringside report instances.dat | head -6
ringside report -B beta instances.dat | head -3
ringside report -B 'gam*' instances.dat; echo "status $?"
ringside report -i kprobes.dat -i instances.dat | sed -n '1,3p;118,121p'
ringside report --raw-ts kprobes.dat marker.dat instances.dat |
	awk 'match($0, /[0-9]{11,}: /) || match($0, / [0-9]+: /) { t = substr($0, RSTART, RLENGTH - 2) + 0; bad += t < last; last = t; n++ }
	     END { print n, "records", bad + 0, "of them before an earlier one" }'
ringside report --ts-offset 5 kprobes.dat instances.dat | wc -l
