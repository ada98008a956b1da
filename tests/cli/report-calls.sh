# --func and --min-duration: the part of the whole report that awk finds in it, by the indentation of calls.
whole=$PWD/whole
# Lines as TASK, how deep (blanks behind the bar), duration in ns or -, kind, function, LINE
parse='
	function task() { t = $0; sub(/ *\[.*/, "", t); sub(/^ */, "", t); if (t ~ /^<idle>/) { match($0, /\[[0-9]+\]/); t = t substr($0, RSTART, RLENGTH) } return t }
	/funcgraph_(entry|exit):/ {
		t = task(); bar = index($0, "|  "); call = substr($0, bar + 3); match(call, /^ */); depth = RLENGTH / 2; call = substr(call, RLENGTH + 1)
		d = "-"; if (match($0, /[0-9.]+ us/)) { d = substr($0, RSTART, RLENGTH - 3) * 1000 }
		kind = call ~ /^}/ ? "exit" : call ~ /\);$/ ? "leaf" : "entry"
		name = call; sub(/\(.*/, "", name)
	}'
func() { # func FILE NAME: all from a call of NAME to its end
	ringside report "$1" 2>/dev/null | awk -v want="$2" "$parse"'
		NR == 1 { print; next }
		!/funcgraph_/ { t = task(); if (t in inside) print; next }
		kind != "exit" && !(t in inside) && name ~ "^(" want ")$" { if (kind == "entry") inside[t] = depth; print; next }
		t in inside { print; if (kind == "exit" && depth == inside[t]) delete inside[t] }'
}
long() { # long FILE NS: entries, exits and leaves of calls that last so long
	ringside report "$1" 2>/dev/null >"$whole"
	awk -v least="$2" "$parse"'
		NR == 1 { print; next }
		!/funcgraph_/ { next }
		FNR == NR { if (kind == "entry") at[t, depth] = FNR; else if (d + 0 >= least) { show[FNR] = 1; if (kind == "exit" && (t, depth) in at) show[at[t, depth]] = 1 }
			if (kind == "exit") delete at[t, depth]; last[FNR] = 1; next }
		FNR in show' "$whole" "$whole"
}
same() { # same WHAT, with files want and got
	if cmp -s want got; then
		echo "$1: $(($(wc -l <got) - 1)) lines"
	else
		diff want got | head -5
	fi
}
for name in path_openat getname walk_component do_sys_openat2 __cond_resched; do
	func "$DATA/openat2.dat" $name >want
	ringside report --func $name "$DATA/openat2.dat" >got 2>&1
	same "--func $name"
done
func "$DATA/openat2.dat" "link_path_walk.*|getname.*" >want
ringside report --func 'link_path_walk*,getname*' "$DATA/openat2.dat" >got 2>&1
same "--func link_path_walk*,getname*"
for us in 5 20 100 400; do
	long "$DATA/openat2.dat" ${us}000 >want
	ringside report --min-duration ${us}us "$DATA/openat2.dat" >got 2>&1
	same "--min-duration ${us}us"
done
echo "== both: of these calls only the long ones, with all inside"
func "$DATA/openat2.dat" path_openat | awk "$parse"'
	NR == 1 { print; next }
	kind == "entry" && name == "path_openat" { first = depth; block = "" }
	{ block = block $0 "\n" }
	kind == "exit" && depth == first && d >= 2000000 { printf "%s", block }' >want
ringside report --func path_openat --min-duration 2ms "$DATA/openat2.dat" >got 2>&1
same "both"
echo "== the function tracer, with stacks"
ringside report "$DATA/function-stacks.dat" | grep -c 'function: .*vfs_open'
ringside report --func vfs_open "$DATA/function-stacks.dat" | awk '/function:/ { n++ } !/function:|kernel_stack:|^=>|^$|cpus=/ { print } END { print n + 0 }'
echo "== as a tree"
ringside report --tree --min-duration 2ms "$DATA/openat2.dat"
ringside report --tree --func __legitimize_path "$DATA/openat2.dat" | head -8
echo "== threads"
ringside report "$DATA/events.dat" | grep -c -- '-165 '
ringside report --tid 165 "$DATA/events.dat" | grep -c -- '\[0'
echo "== errors"
for options in "--func do_filp_opne" "--func nothing_like_*" "--min-duration soon" "--tid ls" "--func getname --kallsyms /dev/null"; do
	# shellcheck disable=SC2086
	ringside report $options "$DATA/openat2.dat"
	echo "status $?"
done
