# Pairs of `record --latency` are calls to whatever knows calls. The recording is written by a plan, which says how long each takes.
events='
event ringside_latency do_work 3000 __probe_ip:8 count:4 __sp:8
event ringside_latency do_work_return 3001 __probe_func:8 __probe_ret_ip:8 ret:4 __sp_popped:8
event ringside_latency inner 3002 __probe_ip:8 __sp:8
event ringside_latency inner_return 3003 __probe_func:8 __probe_ret_ip:8 __sp_popped:8
task 7 seven
task 8 eight'
# do_work takes 8000 ns, inner in it 3000, in which the kernel opens a file for 2000, 300 of them in getname; another inner of 300.
plan "$DATA/openat2.dat" both.dat <<END
$events
0 1000 7 do_work __probe_ip=0x401000 count=5 __sp=0x7ff000
0 2000 7 inner __probe_ip=0x402000 __sp=0x7fe000
0 2500 7 funcgraph_entry func=@do_sys_openat2 depth=0
0 2600 7 funcgraph_entry func=@getname depth=1
0 2900 7 funcgraph_exit func=@getname depth=1 calltime=2600 rettime=2900
1 3000 8 inner __probe_ip=0x402000 __sp=0x8fe000
1 3300 8 inner_return __sp_popped=0x8fe008
0 4500 7 funcgraph_exit func=@do_sys_openat2 depth=0 calltime=2500 rettime=4500
1 5000 7 inner_return __sp_popped=0x7fe008	# it goes on on the other CPU
1 6000 7 sched_waking pid=8
1 9000 7 do_work_return ret=17 __sp_popped=0x7ff008
0 9500 7 inner __sp=0x7fe000			# it does not return
END
# With --cpu the calls that began there, whole, and those without a return.
plan "$DATA/openat2.dat" moved.dat <<END
$events
0 1000 7 inner __sp=0x7fe000
1 2000 7 inner_return __sp_popped=0x7fe008
1 3000 7 inner __sp=0x7fe000
0 4000 7 inner_return __sp_popped=0x7fe008
1 5000 7 inner __sp=0x7fe000
END
for cpu in 0 1; do
	echo "== --cpu $cpu"
	ringside report -q --cpu $cpu moved.dat | grep -v ^cpus
	ringside funcs --cpu $cpu --csv --columns function,calls,cut,total moved.dat 2>/dev/null
done
echo "== a time after the first record is one after the first of the chosen CPU"
ringside report -q --cpu 1 --since +0.000002 moved.dat | grep -v ^cpus
# Nothing but pairs, with a loss inside of one.
plan "$DATA/openat2.dat" pairs.dat <<END
$events
0 1000 7 do_work count=1 __sp=0x7ff000
0 2000 7 do_work_return ret=2 __sp_popped=0x7ff008
0 3000 7 do_work count=4 __sp=0x7ff000
0 lost 3
0 5000 7 do_work_return ret=8 __sp_popped=0x7ff008
0 6000 7 do_work count=16 __sp=0x7ff000
0 6500 7 do_work_return ret=32 __sp_popped=0x7ff008
END
# While CPU 0 loses events, 7 may call and return there: the returns on CPU 1 may be those of other calls.
plan "$DATA/openat2.dat" losing.dat <<END
$events
0 1000 8 do_work count=1 __sp=0x8ff000
1 1500 7 do_work count=1 __sp=0x7ff000
0 2000 8 do_work_return ret=1 __sp_popped=0x8ff008
1 3000 7 do_work_return ret=1 __sp_popped=0x7ff008
1 3500 7 do_work count=1 __sp=0x7ff000
1 8000 7 do_work_return ret=1 __sp_popped=0x7ff008
1 8500 7 inner __sp=0x7ff000
0 lost 4
0 9000 8 do_work count=1 __sp=0x8ff000
1 9100 7 do_work count=1 __sp=0x7ff000
1 9400 7 do_work_return ret=1 __sp_popped=0x7ff008
END
# As kernels with preemption mark what probes in programs tell: one was taken off a depth of 0, and off the flags above it.
plan "$DATA/openat2.dat" borrowed.dat <<END
$events
0 1000 7 do_work count=1 __sp=0x7ff000 common_flags=255 common_preempt_count=255
0 1200 7 inner __sp=0x7fe000 common_flags=3 common_preempt_count=255
0 1500 7 inner_return __sp_popped=0x7fe008 common_flags=255 common_preempt_count=255
0 2000 7 do_work_return ret=2 __sp_popped=0x7ff008 common_flags=255 common_preempt_count=255
END
for what in 'report --tree' 'report --tree --min-duration 2us' 'report --min-duration 2us' 'report --func inner' 'report --func do_work --tree' \
	'report --func inne' 'funcs --csv --columns function,calls,cut,total,self' 'graph --csv --columns path,calls,cut,total,self --min-percent 0' 'hist --time -P --folded' \
	'hist -P --flat' 'hist -P --folded --sum count' 'hist -P --folded --sum ret' 'report --profile'; do
	echo "== $what"
	# shellcheck disable=SC2086
	ringside $what both.dat
done
echo "== flame: the same times by path, as the plan has them"
ringside flame --folded both.dat
ringside flame --folded --by task both.dat
ringside flame -o both.svg both.dat && grep -oE '<title>(inner|do_work)[^<]*' both.svg
echo "== only pairs"
for what in 'funcs --csv --columns function,calls,cut,total' 'report --tree' 'hist --time --flat' 'hist --flat' 'hist --sum count --flat' 'report --profile'; do
	echo "== $what"
	# shellcheck disable=SC2086
	ringside $what pairs.dat
done
echo "== known are the first call of 8, which returns before the loss, and the last one of 7"
ringside report -q losing.dat | cut -c 25-
ringside report --profile losing.dat | sed 's/(ts.*//'
ringside funcs --csv --columns function,calls,cut,total losing.dat
echo "== none of them is in an interrupt"
ringside graph --csv --columns path,calls,total,self,irq borrowed.dat
ringside report -I -S borrowed.dat | cut -c 25-
echo "== a call in an interrupt tells the time of interrupts"
plan "$DATA/openat2.dat" isr.dat <<END
event ringside_latency isr 3010 __probe_ip:8 __sp:8
event ringside_latency isr_return 3011 __probe_func:8 __probe_ret_ip:8 __sp:8
0 1000 7 sys_enter id=1
0 2000 7 isr __sp=0xffffc90000002000 common_flags=8
0 4500 7 isr_return __sp=0xffffc90000002000 common_flags=8
0 5000 7 sys_exit id=1 ret=3
END
ringside funcs --csv --columns function,calls,total,self,irq isr.dat
ringside sql --csv -i isr.dat 'select function, total, self, irq from calls order by ts'
# A probe in a program is hit inside of the kernel's function that handles it: do_work begins in the first path_openat, whose rest is not inside of it, and
# returns in the last. It takes 5000 ns, the do_sys_openat2 in it 2000. The call of a second one is over in 500.
plan "$DATA/openat2.dat" handled.dat <<END
$events
0 1000 7 funcgraph_entry func=@path_openat depth=0
0 1200 7 do_work count=5 __sp=0x7ff000
0 1300 7 funcgraph_entry func=@getname depth=1
0 1350 7 funcgraph_exit func=@getname depth=1 calltime=1300 rettime=1350
0 1500 7 funcgraph_exit func=@path_openat depth=0 calltime=1000 rettime=1500
0 2000 7 funcgraph_entry func=@do_sys_openat2 depth=0
0 4000 7 funcgraph_exit func=@do_sys_openat2 depth=0 calltime=2000 rettime=4000
0 6000 7 funcgraph_entry func=@path_openat depth=0
0 6200 7 do_work_return ret=17 __sp_popped=0x7ff008
0 6300 7 funcgraph_exit func=@path_openat depth=0 calltime=6000 rettime=6300
0 7000 7 funcgraph_entry func=@path_openat depth=0
0 7100 7 do_work count=6 __sp=0x7ff000
0 7200 7 funcgraph_exit func=@path_openat depth=0 calltime=7000 rettime=7200
0 7600 7 do_work_return ret=18 __sp_popped=0x7ff008
END
echo "== what it begins in ends inside of it"
for what in '' '--func do_work' '--func do_work --min-duration 3us' '--min-duration 3us'; do
	echo "== $what"
	# shellcheck disable=SC2086
	ringside funcs $what --csv --columns function,calls,cut,total handled.dat
	# shellcheck disable=SC2086
	ringside report $what handled.dat | cut -c 25-
done
ringside report --tree --func do_work handled.dat
echo "== nothing that takes time"
cd "$DATA" || exit
ringside hist --time events.dat; echo $?
ringside hist --time --csv events.dat; echo $?
ringside funcs instances.dat; echo $?
cd "$HOME" || exit
echo "== a program jumps out of a function, again and again: what it marks is not inside of what it has left, nor of earlier marks"
{
	echo "$events"
	# The functions take 100 ns each and the sections 700 ns, of which 600 are their own. The 3rd section is that of a function that ends a section and returns.
	for i in 0 1 2 3 4 5 6 7 8 9; do
		at=$((1000 + i * 1000))
		echo "0 $at 7 print buf=B|7|work"
		echo "0 $((at + 100)) 7 inner __sp=$((0x7fe000 - i * 64))"
		[ $i = 3 ] || echo "0 $((at + 200)) 7 do_work __sp=$((0x7fd000 - i * 64))"
		[ $i = 3 ] || echo "0 $((at + 300)) 7 do_work_return __sp_popped=$((0x7fd008 - i * 64))"
		echo "0 $((at + 700)) 7 print buf=E|7"
		[ $i = 3 ] && echo "0 $((at + 750)) 7 inner_return __sp_popped=$((0x7fe008 - i * 64))"
	done
	# A section without a name ends, too, and not the one around it.
	echo "0 20000 7 print buf=B|7|outer"
	echo "0 20100 7 print buf=B|7|"
	echo "0 20300 7 print buf=E|7"
	echo "0 20700 7 print buf=E|7"
} | plan "$DATA/openat2.dat" jumps.dat
ringside funcs --csv --columns function,calls,cut,total,self jumps.dat
ringside graph --min-percent 0 --csv --columns path,calls,cut,total,self jumps.dat
# Its name has brackets, and is found all the same.
ringside dist --csv '[no name]' jumps.dat
ringside graph --csv --columns path,calls,total '[no name]' jumps.dat 2>/dev/null
echo "== a function calls itself 100,000 times, and the kernel has missed the returns of all but the outermost: in seconds, not minutes"
{
	echo "$events"
	awk 'BEGIN {
		for (i = 0; i < 100000; i++) {
			sp = 2147418112 - 32 * i
			print 0, now += 10, 7, "do_work count=1 __sp=" sp
			print 0, now += 10, 7, "inner __sp=" sp - 16
			print 0, now += 10, 7, "inner_return __sp_popped=" sp - 8
		}
		print 0, now += 10, 7, "do_work_return ret=1 __sp_popped=" 2147418112 + 8 }'
} | plan "$DATA/openat2.dat" recursion.dat
timeout 60 ringside funcs --csv --columns function,calls,cut,total,self recursion.dat 2>/dev/null
echo "== do_work waits for k0 of the kernel, whose return is late; k1 is over when k2 begins higher on the stack, and k2 is not inside of it"
plan "$DATA/openat2.dat" waits.dat <<'END_OF_PLAN'
event ringside_latency do_work 3000 __probe_ip:8 __sp:8
event ringside_latency do_work_return 3001 __probe_ret_ip:8 __sp_popped:8
event ringside_latency k0 3002 __probe_ip:8 __sp:8
event ringside_latency k0_return 3003 __probe_ret_ip:8 __sp_popped:8
event ringside_latency k1 3004 __probe_ip:8 __sp:8
event ringside_latency k2 3006 __probe_ip:8 __sp:8
event ringside_latency k2_return 3007 __probe_ret_ip:8 __sp_popped:8
0 1000 7 k0 __sp=0xffffc90000003f00
0 1100 7 do_work __sp=0x7ff000
0 2000 7 k1 __sp=0xffffc90000003800
0 3000 7 k2 __sp=0xffffc90000003c00
0 3030 7 k2_return __sp_popped=0xffffc90000003c08
0 4000 7 do_work_return __sp_popped=0x7ff008
0 5000 7 k0_return __sp_popped=0xffffc90000003f08
END_OF_PLAN
ringside graph --min-percent 0 --csv --columns path,calls,cut,total waits.dat 2>/dev/null
