# What diff tells of the two recordings besides the rows: how many events were lost, and which records were chosen.
# rounds FROM N: N calls of kfree, each 100 ns long, one every 1,000 ns.
rounds() {
	local t i
	for i in $(seq "$2"); do
		t=$(($1 + i * 1000))
		echo "0 $t 7 funcgraph_entry func=@kfree depth=0"
		echo "0 $((t + 100)) 7 funcgraph_exit func=@kfree depth=0 calltime=$t rettime=$((t + 100))"
	done
}
rounds 0 40 | plan "$DATA/openat2.dat" whole.dat
{ rounds 0 20; echo '0 lost 3'; rounds 30000 20; } | plan "$DATA/openat2.dat" lossy.dat

echo '== losses: the sum of all recordings for programs, as with the other tables of several files; for people those of each recording, once'
for files in 'whole.dat whole.dat' 'lossy.dat whole.dat' 'whole.dat lossy.dat' 'lossy.dat lossy.dat'; do
	# shellcheck disable=SC2086 # files
	ringside diff --json $files 2>/dev/null | grep -o '"losses": [0-9]*, "losses_complete": [a-z]*'
done
ringside graph --json lossy.dat lossy.dat 2>/dev/null | grep -o '"losses": [0-9]*, "losses_complete": [a-z]*'
ringside diff whole.dat lossy.dat | grep lost
echo '== the selection'
ringside diff --json --cpu 0 --func kfree whole.dat lossy.dat 2>/dev/null | grep -o '"selection": [^,]*'
