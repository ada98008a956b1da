# graph: a call that was open when events were lost has taken at least the time until then, and not until something shows that it is over. The shares follow from the plan.
cat >plan <<'END'
task 7 loser
task 8 other
0 1000000 7 funcgraph_entry func=@vfs_read depth=0
0 1010000 7 funcgraph_entry func=@rw_verify_area depth=1
0 1040000 7 funcgraph_entry func=@security_file_permission depth=2
0 lost 100
0 5001000000 7 funcgraph_entry func=@vfs_write depth=0
0 5001010000 7 funcgraph_exit func=@vfs_write depth=0 calltime=5001000000 rettime=5001010000
1 1000000 8 funcgraph_entry func=@vfs_open depth=0
1 1050000 8 funcgraph_exit func=@vfs_open depth=0 calltime=1000000 rettime=1050000
END
plan "$DATA/openat2.dat" lost.dat <plan
# loser: 40 us and 10 us; other: 50 us
ringside graph --by task --min-percent 0 --columns function,depth,share,percent,calls,cut,total lost.dat --csv
ringside graph --by task lost.dat
