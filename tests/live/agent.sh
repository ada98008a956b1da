# shellcheck shell=bash disable=SC2154
# Agents and who asks them, on this machine. An agent of ours records in an instance of its own (--private), which it names.

# An agent of ours at a free port: $port, $agent; what it says is in the file agented.
agent_waits() { # agent_waits [OPTION...]
	: > agented
	"$RINGSIDE" agent -N 127.0.0.1 --bind 127.0.0.1 -p 0 --private --temp "$PWD" "$@" > /dev/null 2> agented &
	agent=$!
	wait_for grep -q 'an agent listens on port' agented && port=$(sed -n 's/.*an agent listens on port //p' agented)
}
agent_ends() { kill "$agent" && wait "$agent"; }
agent_marker() { echo "$tracefs/instances/$(sed -n 's/.*recording in instance //p' agented | tail -n 1)/trace_marker"; }
# The numbers go into the marker of what the agent records, when it does.
agent_numbers() { sh -c "${numbered//MARKER/$1}"; }

# Is anything of what the agent recorded in left?
agent_left() {
	local name
	for name in $(sed -n 's/.*recording in instance //p' agented); do
		! [ -d "$tracefs/instances/$name" ] || return 1
	done
}

# While the command of the recorder waits for the file done, the numbers are written from outside.
agent_fed() { # agent_fed MARKER [TRY]
	wait_for test -e begun
	# With trace-cmd at one end nobody says when tracing is on.
	[ $# -eq 1 ] || wait_for sh -c "echo begins > $1" 2> /dev/null
	agent_numbers "$1"
	touch "done"
}
agent_waiting='touch begun; while [ ! -e done ]; do sleep 0.1; done'

agent_ours_ours() { # agent_ours_ours [OPTION...]: behind -A
	agent_waits || return
	record -A "127.0.0.1:$port" --name far -p nop "$@" sh -c "$agent_waiting" 2> err &
	local pid=$!
	wait_for test -e begun
	agent_fed "$(agent_marker)"
	wait "$pid" || { cat err agented; return 1; }
	agent_left && agent_ends && are_all_there trace-far.dat && "$RINGSIDE" dump --validate trace-far.dat > said && rm said out begun "done" err trace-far.dat agented && left
}
# This machine's recording beside an agent's, and two agents with one command.
agent_beside() {
	local first
	agent_waits && first=$port && mv agented first-agented || return
	local one=$agent
	agent_waits || return
	record -q -o all.dat -B "$buffer" -p nop -A "127.0.0.1:$first" --name one -p nop -A "127.0.0.1:$port" --name two -p nop sh -c "$agent_waiting; echo host > $tracefs/instances/$buffer/trace_marker" &
	local pid=$!
	wait_for test -e begun && echo 'of two' > "$(agent_marker)"
	mv agented second-agented && mv first-agented agented && echo 'of one' > "$(agent_marker)"
	touch "done"
	wait "$pid" || return
	kill "$one" "$agent"
	report -q all.dat | has 'host$' /dev/stdin && report -q all-one.dat | has 'of one$' /dev/stdin && report -q all-two.dat | has 'of two$' /dev/stdin && agent_left
}
# Marks made in turn here and there, where the clock is another one, are in this order when both files are read together.
agent_in_order() { # agent_in_order [CLOCK]
	local here="$tracefs/instances/$buffer/trace_marker" i
	agent_waits || return
	record -q -o all.dat -B "$buffer" -p nop -A "127.0.0.1:$port" --name one -C "${1:-local}" -p nop sh -c "$agent_waiting" 2> err &
	local pid=$!
	wait_for test -e begun
	for i in $(seq 1 2 19); do
		echo "mark $i" > "$here" && sleep 0.05 && echo "mark $((i + 1))" > "$(agent_marker)" && sleep 0.05
	done
	touch "done"
	wait "$pid" || { cat err agented; return 1; }
	agent_left && agent_ends && is '' "$(grep 'not compared' err)" &&
		is "$(seq -s ' ' 20)" "$(report -q all.dat all-one.dat | sed -n 's/.* mark \([0-9]*\)$/\1/p' | paste -sd ' ')" &&
		"$RINGSIDE" dump --validate all-one.dat > said
}
agent_theirs_ours() { # agent_theirs_ours [OPTION...]: trace-cmd asks our agent
	agent_waits || return
	theirs record -o h.dat --tsync-interval -1 -A "127.0.0.1:$port" -p nop "$@" sh -c "$agent_waiting" > said 2>&1 &
	local pid=$!
	wait_for test -e begun
	agent_fed "$(agent_marker)" try
	wait "$pid" || { cat said; return 1; }
	rmdir "$tracefs/instances/$buffer"
	agent_left && agent_ends && are_all_there h-127.0.0.1.dat && "$RINGSIDE" dump --validate h-127.0.0.1.dat > said
}
agent_ours_theirs() { # agent_ours_theirs [OPTION...]: we ask trace-cmd's agent, of which $buffer is the top instance
	local -x free
	local theirs pid
	agent_waits && free=$port && agent_ends || return
	{ theirs agent -N 127.0.0.1 -p "$free" > heard 2>&1 & }
	theirs=$!
	wait_for agent_listens "$free" || { cat heard; return 1; }
	record -A "127.0.0.1:$free" --name far -p nop "$@" sh -c "$agent_waiting" 2> err &
	pid=$!
	agent_fed "$tracefs/instances/$buffer/trace_marker" try
	wait "$pid" || { cat err heard; return 1; }
	kill "$(pgrep -P "$theirs")"
	wait_for rmdir "$tracefs/instances/$buffer" 2> /dev/null
	are_all_there trace-far.dat
}
# A socket of TCP in the state LISTEN at that port.
agent_listens() { grep -qE "^ *[0-9]+: [0-9A-F]+:$(printf %04X "$1") [0-9A-F]+:0000 0A" /proc/net/tcp; }

# Who asked is killed: the file is made all the same, and what the agent had set is put back.
agent_recorder_killed() {
	agent_waits || return
	"$RINGSIDE" record -q -A "127.0.0.1:$port" --name far -p nop sh -c "touch begun; exec sleep 500 > /dev/null 2>&1" 2> err &
	local pid=$!
	wait_for test -e begun && echo before > "$(agent_marker)" && kill -KILL "$pid"
	wait "$pid" 2> /dev/null
	wait_for test -e trace-far.dat && wait_for agent_left && agent_ends
	report -q trace-far.dat > out && has 'before$' out
}
# What serves it is killed: its guard puts everything back; who asked says so in one sentence and keeps what it has.
agent_killed() {
	agent_waits || return
	record -q -A "127.0.0.1:$port" --name far -p nop -s 1000 sh -c "$agent_waiting" 2> err &
	local pid=$!
	wait_for test -e begun && echo before > "$(agent_marker)" && wait_for agent_has_data && kill -KILL "$(pgrep -o -P "$agent")"
	wait_for grep -q 'went away while it recorded' err && touch "done"
	wait "$pid"
	# It may have gone before its clock was compared, which is said as well.
	is 1 $? && is 1 "$(grep -c 'went away while it recorded' err)" && wait_for agent_left
	local status=$?
	agent_ends && [ $status -eq 0 ] && "$RINGSIDE" restore -q -o again.dat trace-far.dat.spool && report -q again.dat > out && has 'before$' out
}
agent_has_data() { find trace-far.dat.spool -name 'cpu[0-9]*' -size +0 | grep -q .; }
# The agent is told to end: what it has is sent, and who asked ends well.
agent_told_to_end() {
	agent_waits || return
	record -q -A "127.0.0.1:$port" --name far -p nop sh -c "$agent_waiting" 2> err &
	local pid=$!
	wait_for test -e begun && echo before > "$(agent_marker)" && agent_ends
	wait_for test -e trace-far.dat && touch "done"
	wait "$pid" && report -q trace-far.dat > out && has 'before$' out && agent_left
}

# Do the agents $one and $agent serve nobody? The process that has served a recorder may be there for a moment when the recorder has ended, and the next
# recorder is refused then.
agents_are_free() { ! pgrep -P "$one,$agent" > /dev/null; }
# While one agent records already, another one, this machine or the command cannot begin: there is no file, and one that was there stays.
agent_alone() { # agent_alone STATUS WORDS OPTION...
	local status=$1 words=$2
	shift 2
	wait_for agents_are_free || return
	echo old > all-one.dat
	timeout 100 "$RINGSIDE" record -q -o all.dat "$@" > said 2> err
	is "$status" $? && has "$words" err && [ ! -e ran ] && echo old | cmp - all-one.dat && is all-one.dat "$(echo all*)"
}
agents_record_nothing() {
	local first
	agent_waits && first=$port && mv agented first-agented || return
	local one=$agent
	agent_waits || return
	local good=(-A "127.0.0.1:$first" --name one -p nop)
	agent_alone 1 'does not do what it was asked' "${good[@]}" -A "127.0.0.1:$port" --name two -e nosuch:event touch ran &&
		agent_alone 1 'nosuch' -B "$buffer" -e nosuch:event "${good[@]}" touch ran &&
		agent_alone 127 'no-such-command' -B "$buffer" -p nop "${good[@]}" no-such-command &&
		agent_alone 127 'no-such-command' "${good[@]}" no-such-command &&
		printf '#!/no/such/interpreter\n' > bad && chmod +x bad && agent_alone 1 'cannot run the command' "${good[@]}" ./bad
	local status=$?
	wait_for agents_are_free
	kill "$one" "$agent"
	[ $status -eq 0 ] || { cat err first-agented agented; return 1; }
	agent_left && mv first-agented agented && is 5 "$(grep -c 'recording in instance' agented)" && agent_left && rm bad
}
# Who takes nothing is given up when more waits than that, and the kernel is put back; marks are made until then.
agent_gives_up() {
	agent_waits --max-size 1M || return
	timeout 300 python3 "$here/lazy-recorder.py" "$port" > lazy 2>&1 &
	local pid=$! marker
	wait_for grep -q connected lazy && wait_for grep -q 'recording in instance' agented && marker=$(agent_marker) || { cat lazy agented; return 1; }
	wait_for agent_has_had_enough "$marker" || { cat agented; return 1; }
	wait "$pid"
	is 1 "$(grep -c 'the recorder takes the data so slowly that more of it waits than --max-size allows' agented)" && wait_for agent_left && agent_ends && is '' "$(ls -d ringside-agent-* 2> /dev/null)"
}
agent_has_had_enough() { # agent_has_had_enough MARKER: writes some MB more, unless it has
	grep -q 'max-size' agented || { agent_fill "$1"; return 1; }
}
agent_fill() { [ ! -e "$1" ] || perl -e 'open(my $f, ">>", $ARGV[0]) or exit; syswrite($f, "x" x 900) for 1 .. 4000' "$1"; }
# Who is behind with taking data says that it is to end: the recording ends then, not when all is taken.
agent_ends_when_told() {
	agent_waits || return
	timeout 300 python3 "$here/lazy-recorder.py" "$port" enough > lazy 2>&1 &
	local pid=$! marker
	wait_for grep -q connected lazy && wait_for grep -q 'recording in instance' agented && marker=$(agent_marker) || { cat lazy agented; return 1; }
	wait_for agent_is_behind "$marker" && touch enough && wait_for agent_left
	local status=$?
	hasnt 'the recorder' agented || status=1
	kill "$pid" && agent_ends && return $status
}
agent_is_behind() { # agent_is_behind MARKER: by more than sockets hold
	[ "$(cat ringside-agent-*.spool/* ringside-agent-*.cpu* 2> /dev/null | wc -c)" -gt 40000000 ] || { agent_fill "$1"; return 1; }
}

agent_ours_ours_losing() { agent_ours_ours -b 8 -s 3000000; }
agent_theirs_ours_losing() { marks=1 agent_theirs_ours -b 8 -s 3000000 && has 'EVENTS DROPPED' out; }
agent_ours_theirs_losing() { marks=1 numbered=$(held '$(pgrep -d, -P $(pgrep -o -x -f "trace-cmd agent -N 127.0.0.1 -p $free"))') agent_ours_theirs -b 8 && has 'EVENTS DROPPED' out; }

agent_all() {
	check "record -A of ringside agent: all arrive" agent_ours_ours
	check "record -A of ringside agent, with losses" agent_ours_ours_losing
	check "record -A of two agents, and a recording here" agent_beside
	check "record -A, and this machine's marks are in order: local" agent_in_order local
	check "record -A, and this machine's marks are in order: boot" agent_in_order boot
	check "record -A is killed" agent_recorder_killed
	check "agent is killed" agent_killed
	check "agent is told to end" agent_told_to_end
	check "record -A: where one cannot record, there is no file of the others" agents_record_nothing
	if command -v python3 > /dev/null && command -v perl > /dev/null; then
		check "agent --max-size: who takes nothing is given up" agent_gives_up
		check "agent is told to end by who is behind" agent_ends_when_told
	else
		skip "agent and who takes nothing" "python3 or perl"
	fi
	if theirs_works; then
		check "agent does what trace-cmd record -A asks" agent_theirs_ours
		check "agent does what trace-cmd record -A asks, with losses" agent_theirs_ours_losing
		check "record -A of trace-cmd agent" agent_ours_theirs
		check "record -A of trace-cmd agent, with losses" agent_ours_theirs_losing
	else
		skip "agent and record -A with trace-cmd" "no trace-cmd that records in an instance"
	fi
}
