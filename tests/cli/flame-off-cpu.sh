# flame --off-cpu of a recording by a plan, in which stands how long each task is off the CPU, why, and from where; names that would be markup.
# Worker sleeps twice, 500 ns until it is woken and 200 more until it runs (one stack), 3000 and 0 (another); other is preempted for 700; nobody sees late woken.
cat >plan <<'END'
task 100 worker
task 200 other;<b>
task 300 late
0 1000 100 sched_switch prev_pid=100 prev_state=1 next_pid=200
0 1000 100 kernel_stack size=3 caller=@__schedule,@schedule,@do_nanosleep
0 1000 100 user_stack tgid=100 caller=0x401000
0 1500 200 sched_waking pid=100
0 1700 200 sched_switch prev_pid=200 prev_state=0 next_pid=100
0 1700 200 kernel_stack size=2 caller=@__schedule,@schedule
0 2000 100 sched_switch prev_pid=100 prev_state=2 next_pid=300
0 2000 100 kernel_stack size=2 caller=@schedule,@io_schedule
0 2400 300 sched_switch prev_pid=300 prev_state=1 next_pid=200
0 2400 300 kernel_stack size=2 caller=@__schedule,@schedule
0 2700 200 sched_switch prev_pid=200 prev_state=1 next_pid=300
0 5000 300 sched_waking pid=100
0 5000 300 sched_switch prev_pid=300 prev_state=0 next_pid=100
0 9000 100 sched_switch prev_pid=100 prev_state=0 next_pid=0
END
plan "$DATA/events.dat" off.dat <plan
ln -s "$DATA/openat2.dat" .
columns() { ringside sched --csv --columns comm,blocked,preempted,queued,off "$@" off.dat 2>/dev/null | tr -d '\r'; }

echo "== as the plan says"
ringside flame --off-cpu --folded off.dat
# A frame behind a variable is a trampoline of ftrace's, which the list of symbols does not have.
variable=$(ringside dump --kallsyms off.dat | awk '$2 == "d" && $1 != last { print $1; exit } { last = $1 }')
sed "s/size=2 caller=@schedule,@io_schedule/size=3 caller=@schedule,0x$variable,@io_schedule/" plan | plan "$DATA/events.dat" trampoline.dat
ringside flame --off-cpu --folded trampoline.dat | grep io_schedule | sed "s/0x$variable/TRAMPOLINE/"
echo "== by task; those that were asked for"
ringside flame --off-cpu --by task --folded off.dat
ringside flame --off-cpu --pid 200 --folded off.dat
echo "== the sums are those of sched"
columns
for state in blocked preempted queued; do
	want=$(columns | awk -F, -v s=$state 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == s) at = i } { n += $at } END { print n + 0 }')
	echo "$state $(($(ringside flame --off-cpu --folded off.dat | awk -v s=$state '$1 ~ "^" s ";" { n += $NF } END { print n + 0 }') - want))"
done

echo "== a picture and a page"
ringside flame --off-cpu --by task -o off.svg off.dat
grep -oE '<title>(blocked|waking|preempted|other)[^<]*' off.svg
grep -c '<b>' off.svg
ringside flame --off-cpu -o off.html off.dat && sed -n 's|^<script type="text/plain" id="data-flame">\(.*\)</script>|\1|p' off.html | wc -l

echo "== no stacks; nothing of that kind; what does not go together"
grep -v _stack plan | plan "$DATA/events.dat" bare.dat
ringside flame --off-cpu --folded bare.dat; echo $?
ringside flame --off-cpu -o x.html openat2.dat; echo $?
ringside flame --off-cpu --pid 4711 -o x.html off.dat; echo $?
ringside flame --off-cpu --weight cpu off.dat; echo $?
ringside flame --off-cpu --sum size off.dat; echo $?
ringside flame --off-cpu --by cpu --folded off.dat; echo $?
cat off.dat | ringside flame --off-cpu --folded -i - | wc -l
ls -- *.html
echo "== ticks of unknown length are no ns; of a known length they are"
{ echo 'clock x86-tsc'; cat plan; } | plan "$DATA/events.dat" ticks.dat
ringside flame --off-cpu --folded ticks.dat; echo $?
printf '%s\n' 'clock x86-tsc' 'tsc2nsec 2147483648 31 0' | cat - plan | plan "$DATA/events.dat" known.dat
diff <(ringside flame --off-cpu --folded off.dat) <(ringside flame --off-cpu --folded known.dat); echo $?
