# record --hosts with hosts that are none (tests/tools/fakehost): what they send is what a plan says, and their clocks are known.
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit; }
export META=$DATA/marker.dat RINGSIDE_RSH=$TOP/tests/tools/fakehost
hosts() { # hosts HOST,... [OPTION...]: what it says, but for the figures
	local hosts=$1
	shift
	rm -f times moments
	ringside record --hosts "$hosts" "$@" >out 2>err
	local status=$?
	grep '^ringside' err | sed -E 's/\([0-9]+ kB/(N kB/; s|/[^ ]*/trace-meta|trace-meta|; s|'"$TOP"'|TOP|' | sort
	echo "status $status; $(echo -- *.dat)"
}
# The times and texts of a report of markers.
lines() { sed -nE 's/.* ([0-9]+)\.([0-9]+): print: .*0x0: ([^ ]+ [0-9]+)$/\1\2 \3/p'; }
# Each event that a host has sent stands in the file, at the time that it was: as exact as the file says.
judge() { # judge HOST...
	for host; do
		error=$(ringside report --stat "trace-$host.dat" | sed -n 's/^clock: .* at [0-9]*, error \([0-9]*\) ns.*/\1/p')
		ringside report -q -t "trace-$host.dat" | lines | sort -k 3n >seen
		grep -F " $host " times | sort -k 3n | paste -d ' ' - seen | awk -v host="$host" -v error="$error" '
			$2 " " $3 != $5 " " $6 { print "what is missing or too much:", $0 }
			{ off = $4 - $1; if (off < -error || off > error) print host ": " off " ns off, and the error is to be " error; n++ }
			END { print host ": " n + 0 " events at their times" }'
	done
}

echo "== two hosts with clocks far apart"
hosts good-1000+40,good--500 -e sched true
judge good-1000+40 good--500
# Events that are farther apart than both errors are in their order.
ringside report -q -t -i trace-good-1000+40.dat -i trace-good--500.dat | lines | cut -d ' ' -f 2- >order
errors=$(for host in good-1000+40 good--500; do ringside report --stat trace-$host.dat | sed -n 's/^clock: .* at [0-9]*, error \([0-9]*\) ns.*/\1/p'; done | paste -sd +)
awk -v errors="$((errors))" 'NR == FNR { at[$2 " " $3] = $1; next } { if (before - at[$0] > errors) print $0, "is out of order"; if (at[$0] > before) before = at[$0]; n++ }
	END { print n, "in order" }' times order
sed -E 's/^ *//' err | awk '/^good/ { print $1, $2, $3, $NF }'
ringside report -i trace-good-1000+40.dat -i trace-good--500.dat -q | grep print: | sed -E 's/^ *([^ ]*):.*/\1/' | sort | uniq -c | sed 's/^ *//'
rm ./*.dat

# All of them are on this machine, so that the moments at which they shall begin and end are the same but for what is not known of their clocks.
# A moment lies a tenth of a second ahead. On a busy machine, a host may hear of it when it is over, or late: then the hosts record once more.
moments() {
	sort -k 2,3 moments | awk '{ if ($3 <= $4 || $3 > $4 + 3e9) print "not soon:", $0; if ($2 == was && $3 - at > 2e7) print "not together:", at, $0; was = $2; at = $3; n[$2]++ }
		END { for (what in n) print what, n[what] }' | sort
}
for _ in {1..9}; do
	moments | grep -q '^not' || break
	hosts good-1000+40,good--500 -e sched true >retried
	rm -f retried ./*.dat
done
moments

echo "== one prints a banner, one is late"
hosts banner,late-7 -e sched true
judge banner late-7
rm ./*.dat

echo "== one dies, one says why, one never was"
hosts dies-3,word-4,good,missing,refuses,mute -e sched true
judge good
for host in dies-3 word-4; do ringside report -q trace-$host.dat | grep -c " $host "; done
rm ./*.dat

echo "== all or none"
hosts good,refuses,good-9 --all-or-none -e sched true

echo "== the front is killed: what is restored has the times of this machine, and a clock that is damaged is told"
restored() { ringside restore "$1" 2>&1 | sed -E "s/: [0-9.]+ [kM]B.*//"; }
ringside record --hosts lasts-1000+40,lasts--500 -e sched true >out 2>err &
front=$!
for _ in {1..600}; do
	[ "$(cat trace-lasts-1000+40.dat.spool/cpu* 2>/dev/null | wc -c) $(cat trace-lasts--500.dat.spool/cpu* 2>/dev/null | wc -c)" = "81920 81920" ] && break
	sleep 0.05
done
# What is known of a clock is saved once a second. Only what is saved after the events tells how exact their times are.
for clocks in trace-lasts-1000+40.dat.spool/clocks trace-lasts--500.dat.spool/clocks; do
	cat "$clocks" >before 2>/dev/null
	for _ in {1..600}; do
		[ -s "$clocks" ] && ! cmp -s before "$clocks" && break
		sleep 0.05
	done
done
rm before
{ kill -9 $front; wait $front; } 2>/dev/null
cp -r trace-lasts--500.dat.spool other.dat.spool
cp -r trace-lasts--500.dat.spool wild.dat.spool
for host in lasts-1000+40 lasts--500; do restored "trace-$host.dat"; done
judge lasts-1000+40 lasts--500
ls -d ./*lasts*.spool 2>/dev/null
sed -i 's/^until .*/until soon/' other.dat.spool/clocks
sed -i -E 's/^[0-9]+ /9223372036854775807 /' wild.dat.spool/clocks
for file in other wild; do restored $file.dat; done
ringside report --stat other.dat | grep -c '^clock'
ringside report -q -t other.dat | lines | grep -c 'lasts--500'
rm ./*.dat

echo "== liars, and one that is not"
hosts version,kind,long,early,done,ours,empty,meta,noise,unasked,time,cpu,buffer,good -e sched true
judge good
rm ./*.dat
hosts silent --host-timeout 300ms -e sched true
ls -d ./*.spool 2>/dev/null

echo "== names, files, words"
hosts good -o there/ -e sched true
hosts good,five -o one.dat -e sched true
ls there
rm -r there ./*.dat
printf 'good # the first\n\n  good-2\n' >list
SEEN=words hosts @list --ringside 'sudo ringside' -e sched -f 'comm == "it'\''s"' true
sort words
rm ./*.dat
hosts good -e sched --rsh "'$RINGSIDE_RSH' " true
hosts good --rsh "'$RINGSIDE_RSH" true
hosts good --rsh ./nowhere true
hosts good --rsh true true
hosts good --rsh '' -e sched true
hosts good --ringside ' ' -e sched true
for list in '' , a,,b a,a -a ../a a/b .,localhost 'a;b' @nowhere ...; do
	hosts "$list" -e sched true
done
hosts good -o - true
hosts good -o /dev/full -e sched true
hosts good -N host:1 true
hosts good -m 1000 true
hosts good --daemonize true
ringside record --rsh ssh true 2>&1

echo "== ssh gives up by itself, asks nobody, and what it says is told with a cure"
mkdir bin
cat >bin/ssh <<'END'
#!/bin/sh
for word; do case $word in exec*) ;; *) echo "$word" ;; esac; done >>told
case $* in *locked*) echo "root@locked: Permission denied (publickey)." >&2 ;; *) echo "a word of its own" >&2 ;; esac
exit 255
END
chmod +x bin/ssh
# Without a terminal.
export PATH=$PWD/bin:$PATH
setsid -w ringside record --hosts locked --rsh 'ssh -p 22' -e sched true 2>&1
cat told
rm told
setsid -w ringside record --hosts other --rsh "$PWD/bin/ssh" --host-timeout 15500ms -e sched true 2>&1
grep Timeout told
