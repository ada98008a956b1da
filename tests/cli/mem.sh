# mem against what awk adds up of the raw fields, and against trace-cmd mem.
file=$DATA/events.dat

echo "# every figure, by awk"
# What is allocated at an address that is still held has been freed unseen.
ringside report -R "$file" --only-event 'kmem:k*' | awk '
	function field(name) { return match($0, " " name "=[^ ]*") ? substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 2) : "" }
	function back(p) { f = site[p]; alloc[f] -= a[p]; req[f] -= r[p]; delete site[p] }
	/ (kmalloc|kmem_cache_alloc)(_node)?: / {
		p = field("ptr"); if (p in site) { back(p); again++ }
		f = field("call_site"); sub(/\+0x.*/, "", f); site[p] = f; a[p] = field("bytes_alloc"); r[p] = field("bytes_req")
		allocs[f]++; alloc[f] += a[p]; req[f] += r[p]; total_a[f] += a[p]; total_r[f] += r[p]
		if (alloc[f] > max_a[f]) max_a[f] = alloc[f]
		if (req[f] > max_r[f]) max_r[f] = req[f]
		if (alloc[f] - req[f] > max_w[f]) max_w[f] = alloc[f] - req[f]
	}
	/ (kfree|kmem_cache_free): / { p = field("ptr"); if (p in site) { frees[site[p]]++; back(p) } else if (p !~ /^(0|0x0+|\(nil\))$/) unknown++ }
	END {
		for (f in allocs)
			print f "," alloc[f] - req[f] "," alloc[f] "," req[f] "," total_a[f] "," total_r[f] "," max_a[f] "," max_r[f] "," max_w[f] + 0 "," allocs[f] "," frees[f] + 0
		print unknown " " again >"notes"
	}' | LC_ALL=C sort >awk
ringside mem "$file" --csv 2>said | tail -n +2 | LC_ALL=C sort >ours
diff awk ours && echo "$(wc -l <ours) functions as awk's"
sed -n 's/^ringside: warning: memory was [a-z ]* \([0-9]*\) times*.*/\1/p' said | paste -sd ' ' | diff notes - && cat notes

echo "# JSON has the same, and sums of it"
ringside mem "$file" --json >json
python3 -c '
import json
t = json.load(open("json"))
rows = t["rows"]
assert sorted(",".join(str(v) for v in r.values()) for r in rows) == sorted(open("ours").read().split())
assert all(t["sums"][c] == sum(r[c] for r in rows) for c in ("waste", "alloc", "req", "total_alloc", "total_req", "allocs", "frees"))
print(t["sums"]["allocs"], t["sums"]["frees"], len(t["meta"]["notes"]))'

echo "# trace-cmd mem"
# It keeps what was freed unseen, of one function here, and its MaxWaste is MaxAlloc less MaxReq.
if command -v trace-cmd >/dev/null; then
	trace-cmd mem -i "$file" | awk 'NR > 2 { print $1 "," $5 "," $6 "," $7 "," $8 }' | LC_ALL=C sort >theirs
	ringside mem "$file" --csv --columns function,total_alloc,total_req,max_alloc,max_req 2>/dev/null | tail -n +2 | LC_ALL=C sort | diff theirs - && echo same
else
	echo same
fi

echo "# tasks and CPUs are chosen"
sum() { ringside mem "$file" --csv --columns allocs "$@" 2>/dev/null | awk 'NR > 1 { n += $1 } END { print n + 0 }'; }
echo $((12905 - $(sum --cpu 0) - $(sum --cpu 1))) "$(sum --comm nosuch)"
[ "$(sum --comm sh)" = "$(ringside report -R "$file" --comm sh | grep -cE '^ +sh-.* (kmalloc|kmem_cache_alloc): ')" ] && echo "those of sh"
ringside mem -n 2 --sort total_alloc "$file" --csv --columns function,total_alloc 2>/dev/null

echo "# memory that others allocate again is not held any more, and a free of theirs is not one of those that were chosen"
plan "$DATA/events.dat" again.dat <<END
task 10 alpha
task 11 beta
0 1000 10 kmalloc call_site=@getname ptr=0x1000 bytes_req=100 bytes_alloc=128
1 2000 11 kmalloc call_site=@vfs_read ptr=0x1000 bytes_req=50 bytes_alloc=64
0 2500 10 kmalloc call_site=@getname ptr=0x2000 bytes_req=100 bytes_alloc=128
1 3000 11 kmalloc call_site=@vfs_read ptr=0x2000 bytes_req=50 bytes_alloc=64
1 4000 11 kfree call_site=@vfs_read ptr=0x2000
END
ringside mem again.dat --csv --columns function,alloc,max_alloc,allocs,frees 2>/dev/null | grep getname
ringside mem --pid 10 again.dat --csv
for chosen in --comm=alpha --cpu=0; do
	ringside mem $chosen again.dat --csv --columns function,alloc,max_alloc,allocs,frees 2>/dev/null | tail -n +2
done

echo "# nothing, and what is wrong"
ringside mem "$DATA/openat2.dat"
ringside mem --sort wast "$file"; echo "status $?"
ringside mem nosuch.dat; echo "status $?"

echo "# lost events are told: they may have freed what seems to be held"
plan "$DATA/events.dat" lost.dat <<END
0 1000 7 kmalloc call_site=@vfs_read ptr=0x1000 bytes_req=10 bytes_alloc=16
0 1100 7 kfree ptr=0x1000
1 1200 8 kmalloc call_site=@vfs_write ptr=0x2000 bytes_req=10 bytes_alloc=16
0 1300 7 kfree ptr=0x3000
0 lost 5
0 2000 7 kmalloc call_site=@vfs_read ptr=0x4000 bytes_req=10 bytes_alloc=16
1 2100 8 kmalloc call_site=@vfs_write ptr=0x2000 bytes_req=10 bytes_alloc=16
END
ringside mem --columns function,alloc,req,allocs,frees lost.dat
ringside mem --json lost.dat 2>/dev/null | grep -o '"losses": [0-9]*'
