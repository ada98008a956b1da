# A trace from a pipe is what it is from its file: -, a FIFO, <(…), < FILE; and ./trace.dat is not read in its place.
. "$TOP/tests/cli/log.bash"
cp "$DATA/marker.dat" trace.dat
try() { # try COMMAND [OPTION...]: of events.dat by each way
	ringside "$@" "$DATA/events.dat" 2>&1 | sed "s,$DATA/events.dat,FILE,g" >want
	compare() {
		sed 's,standard input,FILE,g; s,/dev/fd/[0-9]*,FILE,g; s,fifo,FILE,g' >got
		cmp -s want got || { echo "$1 differs"; diff want got | head -4; }
	}
	ringside "$@" <"$DATA/events.dat" 2>&1 | compare "$*, < FILE"
	ringside "$@" - <"$DATA/events.dat" 2>&1 | compare "$* - < FILE"
	ringside "$@" -i - <"$DATA/events.dat" 2>&1 | compare "$* -i - < FILE"
	# On a busy machine the writer may be late by more than the second after which the wait is told. Before that second is over, nothing may be told.
	in_time() {
		cat >told
		[ $((${EPOCHREALTIME/./} - begun)) -lt 1000000 ] || sed -i '/^ringside: waiting for what process /d' told
		cat told
	}
	begun=${EPOCHREALTIME/./}
	# shellcheck disable=SC2002
	cat "$DATA/events.dat" | ringside "$@" 2>&1 | in_time | compare "| $*"
	begun=${EPOCHREALTIME/./}
	{ sleep 0.3; cat "$DATA/events.dat"; } | ringside "$@" 2>&1 | in_time | compare "slowly | $*"
	# shellcheck disable=SC2002
	cat "$DATA/events.dat" | ringside "$@" -i - 2>&1 | compare "| $* -i -"
	ringside "$@" <(cat "$DATA/events.dat") 2>&1 | compare "$* <(cat FILE)"
	cat "$DATA/events.dat" >fifo &
	ringside "$@" fifo 2>&1 | compare "$* FIFO"
	wait
	echo "$*: $(grep -c . want | sed 's/[0-9]\{3,\}/hundreds of/') lines"
}
mkfifo fifo
try report
try report --tree
try report --profile
try report --first-event
try hist -P
try dump
try dump --validate
try funcs
try graph
# What is read from a file is not to be found in the folder for temporary files.
mkdir tmp
TMPDIR=$PWD/tmp ringside report - < <(cat "$DATA/events.dat") | cksum | cmp - <(ringside report "$DATA/events.dat" | cksum)
ls tmp
ringside convert -o six.dat --file-version 6 <"$DATA/events.dat"
ringside convert -i - -o six-again.dat --file-version 6 < <(cat "$DATA/events.dat")
cmp six.dat six-again.dat && echo converted
ringside split -i - -o part < <(cat "$DATA/events.dat")
ringside split < <(cat "$DATA/events.dat")
# Two of them, one of them a pipe.
ringside report "$DATA/marker.dat" <(cat "$DATA/events.dat") | sed 's/^ *[^ ]*: / /; s/^ *//' | cksum | cmp - <(ringside report "$DATA/marker.dat" "$DATA/events.dat" | sed 's/^ *[^ ]*: / /; s/^ *//' | cksum)
# What is none is not read in the place of anything else.
echo nothing | ringside report - ; echo "status $?"
ringside report - </dev/null; echo "status $?"
ringside report - <&-; echo "status $?"
echo text >text
ringside report <text; echo "status $?"
gzip -c "$DATA/marker.dat" | ringside dump -i -; echo "status $?"
head -c 300000 "$DATA/events.dat" | ringside report - >/dev/null 2>err; echo "status $?, $(grep -c 'standard input:' err) said"
yes | timeout 100 ringside report -; echo "status $?"
(ulimit -f 100; trap '' XFSZ; TMPDIR=$PWD/tmp ringside report -) < <(cat "$DATA/events.dat") 2>&1 | sed "s,$PWD,PWD,"
TMPDIR=/nosuch ringside report - < <(cat "$DATA/events.dat")
# A recorder that writes only at its end is waited for, also by way of a wrapper; trace.dat is not read in its place, even if the recorder writes nothing.
numbered() { sed -E 's/process [0-9]+/process N/'; }
# Writes the recording when ringside has said that it waits. No function may start ringside: the shell that ran the function would have the same standard input.
late() { wait_for 'waiting for'; cat "$DATA/events.dat"; }
told() { cat "$log" out | numbered; rm -f "$log" out; }
late | ringside report --cpus 2>"$log" >out; told
late | timeout 100 ringside report --cpus 2>"$log" >out; told
late >fifo & ringside report --cpus <fifo 2>"$log" >out; wait; told
wait_for 'waiting for' | ringside report --cpus 2>"$log" >out; echo "status $?" >>out; told
{ wait_for 'waiting for'; echo of a list; } | ringside report --cpus 2>"$log" >out; echo "status $?" >>out; told
# A silent pipe of the program that started ringside is not.
python3 - <<-'END'
	import subprocess
	with subprocess.Popen(['timeout', '100', 'ringside', 'report', '--cpus'], stdin=subprocess.PIPE) as ringside:
	    print('status', ringside.wait(), flush=True)
END
# Standing in a loop, what the loop reads stays there, and its slow lines are not waited for.
{ echo one; until [ -e asked ]; do sleep 0.05; done; } | while read -r word; do
	timeout 100 ringside report --cpus 2>&1 | numbered
	: >asked
	echo "$word"
done
printf '%s\n' one two three | while read -r word; do
	ringside report --cpus 2>/dev/null | grep -c trace.dat
	echo "$word"
done
# It comes at once: after a second ringside would say that it waits, and on a busy machine the writer may be late by more.
echo of a list | { until read -rt 0; do sleep 0.05; done; exec ringside report --cpus; } | grep -c trace.dat
printf '%s\n' one two >list
while read -r word; do
	echo "$word $(ringside report --cpus | grep -c trace.dat)"
done <list
ringside report --cpus </dev/null | grep -c trace.dat
# A terminal is not waited for, and nor is a pipe of which nothing is known.
for what in '-i -' /dev/tty '' - ; do
	script -qec "timeout 100 ringside report --cpus $what" /dev/null </dev/null | tr -d '\r'
done
timeout 100 ringside report --cpus <>fifo; echo "status $?"
ringside report </; echo "status $?"
ringside dump ''; echo "status $?"
ringside convert -i "$DATA/marker.dat" -; echo "status $?"; ls -- ./- 2>/dev/null
