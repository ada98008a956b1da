# Recorders that are a few words through /dev/tcp: one that does all as it should, by each protocol, and those that do not.
. "$TOP/tests/cli/log.bash"
start() { # start [OPTION...]: a listener at a free port of this machine
	: >"$log"
	ringside listen -p 0 --bind 127.0.0.1 "$@" 2>>"$log" &
	pid=$!
	wait_for 'listening on port'
	port=$(sed -n 's/.*listening on port //p' "$log")
}
stop() {
	kill $pid
	wait $pid
	echo "status $?"
	sed -E 's/(localhost|127\.0\.0\.1):[0-9]+/HOST:PORT/g; s/port [0-9]+$/port N/; s/kill [0-9]+/kill N/' "$log"
}
number() { printf '\\x%02x\\x%02x\\x%02x\\x%02x' $(($1 >> 24 & 255)) $(($1 >> 16 & 255)) $(($1 >> 8 & 255)) $(($1 & 255)); }
head_of() { # head_of REST KIND [NUMBER...]: of a message with so many bytes behind its numbers
	local rest=$1 kind=$2 text
	shift 2
	text=$(number $((12 + 4 * $# + rest)))$(number "$kind")$(number $((4 * $#)))
	for n; do text+=$(number "$n"); done
	printf '%b' "$text"
}
hello() { printf -- '-1V3\0'; printf '766679\0\0'; }
data() { # data FILE: in messages
	local size at
	size=$(stat -Lc %s "$1")
	for ((at = 0; at < size; at += 65000)); do
		head_of $((size - at < 65000 ? size - at : 65000)) 3
		tail -c +$((at + 1)) "$1" | head -c 65000
	done
}
ports() { # reads the answers of protocol 3: the greeting, V3, OK, RINIT of two CPUs; two ports
	head -c $((8 + 3 + 2 + 16)) <&3 >/dev/null
	IFS= read -r -d '' first <&3
	IFS= read -r -d '' second <&3
}
described() { # waits until the listener has understood what the data mean
	for _ in {1..1200}; do
		! compgen -G 'files/*.spool/meta' >/dev/null || return 0
		sleep 0.05
	done
	echo "never understood"
}
pages() { # pages CPU: its sub-buffers
	local offset size
	read -r offset size _ < <(ringside dump --flyrecord six.dat | grep "size of cpu $1")
	tail -c +$((offset + 1)) six.dat | head -c "$size"
}
ringside convert --file-version 6 -i "$DATA/marker.dat" -o six.dat
ringside report -q "$DATA/marker.dat" >want
mkdir files

echo "== as it should be"
start -d files
exec 3<>"/dev/tcp/127.0.0.1/$port"
{ hello; head_of 4 1 2 4096 1; printf 'tcp\0'; } >&3
ports
exec 4<>"/dev/tcp/127.0.0.1/$first" 5<>"/dev/tcp/127.0.0.1/$second"
{ data "$DATA/marker.dat"; head_of 0 4; } >&3
pages 0 >&4
pages 1 >&5
exec 4>&- 5>&-
head_of 0 0 >&3
wait_for 'kB of events'
exec 3>&-
ringside report -q files/trace.*.dat | cmp - want && rm files/*
stop
ls files

echo "== version 1, UDP"
start -d files -o one
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf '2\0004096\0000\0' >&3
head -c 8 <&3 >/dev/null
IFS= read -r -d '' both <&3
# What its command lines, options and data are in the file, version 1 does not send: it ends before them.
lines=$(LC_ALL=C grep -abo 'options  ' six.dat | head -n 1 | cut -d: -f1)
head -c $((lines - 4 - $(ringside dump --summary six.dat | sed -n 's/.*Saved command lines, \([0-9]*\) bytes.*/\1/p') - 8)) six.dat >&3
pages 0 >"/dev/udp/127.0.0.1/${both%,*}"
pages 1 >"/dev/udp/127.0.0.1/${both#*,}"
exec 3>&-
wait_for 'kB of events'
ringside report -q files/one.*.dat | sed 's/^.*-\([0-9]* *\[\)/\1/' | diff - <(sed 's/^.*-\([0-9]* *\[\)/\1/' want) && rm files/*
stop

echo "== broken and lying"
start -d files
tries=0
try() { # try [BYTES]: sends standard input, reads so much of what is answered and goes, or waits for what is said about it
	exec 3<>"/dev/tcp/127.0.0.1/$port"
	cat >&3 2>/dev/null
	tries=$((tries + 1))
	[ $# -eq 0 ] || { head -c "$1" <&3 >/dev/null; exec 3>&-; }
	wait_for ':[0-9]+: it ' $tries
	exec 3>&-
}
try 8 < <(:)
try < <(echo "GET / HTTP/1.0")
try < <(printf -- '-1V2\0')
try < <(printf -- '-1V3\0rubbish\0')
try < <(head -c 5000 /dev/zero | tr '\0' x)
try < <({ hello; head_of 0 4; })
try < <({ hello; head_of 0 1 0 4096 0; })
try < <({ hello; head_of 0 1 1000000 4096 0; })
try < <({ hello; head_of 0 1 2 4097 0; })
try < <({ hello; head_of 3 1 2 4096 1; printf tcp; })
try < <({ hello; head_of 4 1 2 4096 1; printf 'rdm\0'; })
try < <({ hello; head_of 0 1 2 4096 4000000000; })
try < <({ hello; printf '\xff\xff\xff\xff\0\0\0\1\0\0\0\0'; })
try < <({ hello; printf '\0\0\0\x0c\0\0\0\1\0\0\0\xff'; })
try < <({ hello; head_of 0 1 2 4096 0; head_of 0 0; })
try 30 < <({ hello; head_of 0 1 2 4096 0; })
try 40 < <({ hello; head_of 0 1 2 4096 0; data "$DATA/marker.dat" | head -c 10000; })
try < <(printf '2\0004096\00020\0')
stop
ls files

echo "== went away with data sent"
start -d files
exec 3<>"/dev/tcp/127.0.0.1/$port"
{ hello; head_of 4 1 2 4096 1; printf 'tcp\0'; } >&3
ports
exec 4<>"/dev/tcp/127.0.0.1/$first" 5<>"/dev/tcp/127.0.0.1/$second"
{ data "$DATA/marker.dat"; head_of 0 4; } >&3
pages 0 >&4
pages 1 >&5
exec 4>&- 5>&-
described
exec 3>&-
wait_for 'are kept'
ls files | sed 's/[a-z0-9.]*:[0-9]*/HOST:PORT/'
ringside restore -q -o again.dat files/*.spool
ringside report -q again.dat | cmp - want
stop

echo "== more than is allowed"
start -d files --max-size 4k
exec 3<>"/dev/tcp/127.0.0.1/$port"
{ hello; head_of 4 1 2 4096 1; printf 'tcp\0'; data "$DATA/marker.dat"; head_of 0 4; } >&3
ports
described
exec 4<>"/dev/tcp/127.0.0.1/$first" 5<>"/dev/tcp/127.0.0.1/$second"
{ pages 0; pages 1; } >&4
wait_for 'are kept'
exec 3>&- 4>&- 5>&-
rm -r files/*
stop
start -d files --max-time 100ms
exec 3<>"/dev/tcp/127.0.0.1/$port"
wait_for 'max-time'
exec 3>&-
stop
ls files

echo "== a log, in the background, too many"
ringside listen -p 0 --bind 127.0.0.1 -D -l daemon.log -d files --max-clients 1 >/dev/null
port=$(sed -n 's/.*listening on port //p' daemon.log)
exec 3<>"/dev/tcp/127.0.0.1/$port"
head -c 8 <&3; echo
exec 4<>"/dev/tcp/127.0.0.1/$port"
head -c 8 <&4
exec 3>&- 4>&-
log=daemon.log
wait_for 'went away'
kill "$(sed -n 's/.*kill \([0-9]*\).*/\1/p' daemon.log)"
sed -E 's/(localhost|127\.0\.0\.1):[0-9]+/HOST:PORT/g; s/port [0-9]+$/port N/; s/kill [0-9]+/kill N/' daemon.log

echo "== wrong use"
ringside listen
ringside listen -p 99999
ringside listen -p 0 -o a/b
ringside listen -p 0 -V --bind 127.0.0.1
ringside listen -p 4294967295 -V
ringside record -V here:5 -e sched true
ringside record -V 5 -e sched true
ringside record -V 2:5 -N here:5 -e sched true
ringside listen -p 0 -d nowhere
ringside listen -p 0 -d /proc/sys
ringside listen -p 0 --bind 192.0.2.1
start --bind '[127.0.0.1]' -d files
stop
ringside listen -p 0 --user nobody-of-this-name
ringside listen -p 0 --bind not.an.address.invalid 2>&1 | sed 's/invalid: .*/invalid: WHY/'
ringside listen -p 0 file
ringside listen -p 0 -l nowhere/log
