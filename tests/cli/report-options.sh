# Options that no other test has.
cd "$DATA"
echo "== --ts2secs: of a clock of 1 GHz the times are what they were"
diff <(ringside report -t --ts2secs 1000000000 marker.dat) <(ringside report -t marker.dat) && echo "the same"
echo "== twice the frequency, half the time"
ringside report -t marker.dat | sed -n '2p' | cut -c 1-56
ringside report -t --ts2secs 2000000000 marker.dat | sed -n '2p' | cut -c 1-56
echo "== --ts-check: nothing to say of honest files"
diff <(ringside report --ts-check events.dat 2>&1) <(ringside report events.dat) && echo "the same"
echo "== -S and -I: no line with s or h in the flags"
ringside report events.dat | grep -cE '\] ..[sH]..  '
ringside report -S events.dat | grep -cE '\] ..[sH]..  '
ringside report -S -I events.dat | grep -cE '\] ..[shH]..  '
echo "== -q"
ringside report --cpu 7 marker.dat
ringside report -q --cpu 7 marker.dat
echo "== of a clock that has counted for some months, each tick is a time of its own, to the ns"
plan "$DATA/openat2.dat" "$OLDPWD/months.dat" <<END
0 36028797018963969 7 sched_waking pid=8
0 36028797018963970 7 sched_waking pid=8
0 36028797018963971 7 sched_waking pid=8
0 36028797018963973 7 sched_waking pid=8
END
for hz in 1000000000 500000000 2400000000; do ringside report -t --ts2secs $hz "$OLDPWD/months.dat" | sed -n 's/.* \([0-9.]*\): sched_waking.*/\1/p'; done
