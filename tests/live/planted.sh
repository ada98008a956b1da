# shellcheck shell=bash disable=SC2154
# What others may have put where a recording or a profile writes: nothing of it is followed, written to or removed.

# others_folder: the folder "open" in which anybody can write, as /tmp, and the folder "victim" of somebody who does not
others_folder() {
	mkdir open victim && chmod 1777 open && echo precious > victim/cpu0 && cp victim/cpu0 victim/meta
}
untouched() { is "cpu0 meta " "$(ls victim | tr '\n' ' ')" && is precious "$(cat victim/cpu0)" && is precious "$(cat victim/meta)"; }

planted_spools() {
	others_folder && ln -s ../victim open/trace.dat.spool || return
	record -B "$buffer" -o open/trace.dat -e sched touch ran > out 2>&1
	is 1 $? && has 'trace.dat.spool is a link' out && is 1 "$(grep -c . out)" && untouched && [ ! -e ran ] && rm open/trace.dat.spool || return
	mkdir open/trace.dat.spool && chown 65534 open/trace.dat.spool
	record -B "$buffer" -o open/trace.dat -e sched touch ran > out 2>&1
	is 1 $? && has "trace.dat.spool is there already and is somebody else's" out && is 1 "$(grep -c . out)" && is trace.dat.spool "$(ls open)" && [ ! -e ran ] || return
	chown 0 open/trace.dat.spool && chmod 777 open/trace.dat.spool
	record -B "$buffer" -o open/trace.dat -e sched touch ran > out 2>&1
	is 1 $? && has 'in which others can write' out && [ ! -e ran ] && rmdir open/trace.dat.spool &&
		record -q -B "$buffer" -o open/trace.dat -e sched true && is trace.dat "$(ls open)" || return
	# Where somebody else has made the folder, what restore writes to is his own.
	mkdir -p open/x.spool && chown 65534 open/x.spool && ln -s ../../victim/cpu0 open/x.spool/cpu0 && cp open/trace.dat open/x.spool/meta && ! "$RINGSIDE" restore open/x.spool 2> err &&
		has 'nothing is restored' err && rm open/x.spool/cpu0 && cp victim/cpu0 open/x.spool && ! "$RINGSIDE" restore open/x.spool 2> err && has 'nothing is restored' err && untouched
}
# The second one is refused, and the first goes on in its spool.
spool_in_use() {
	"$RINGSIDE" record -q -B "$buffer" -e sched sh -c 'echo yes > begun; while [ ! -e go ]; do sleep 0.1; done' &
	local pid=$!
	wait_for test -s begun && record -B "$buffer-b" -e sched true > out 2>&1
	is 1 $? && has 'trace.dat.spool is in use' out && [ -s trace.dat.spool/meta ] && touch go
	ended "$pid" 0 && report | has sched_ /dev/stdin
}
refused_profile() { # refused_profile PATTERN FILE
	profile -p nop -B "$buffer" -o "$2" touch ran > out 2>&1
	is 1 $? && has "$1" out && is 1 "$(grep -c . out)" && [ ! -e ran ]
}
profile_output() {
	others_folder && ln -s ../victim/cpu0 open/prof && chown -h 65534 open/prof || return
	refused_profile 'there is no folder nowhere;' nowhere/prof && refused_profile 'is a folder' open && refused_profile "not the name" '' && refused_profile 'prof is a link' open/prof &&
		untouched && rm out || return
	# Plain files are replaced, what root itself has linked is followed, a pipe is written to.
	echo old > plain && ln -s plain mine && profile -q -p nop -B "$buffer" -o mine true && has Event: plain && [ -L mine ] && echo old > plain &&
		profile -q -p nop -B "$buffer" -o plain true && has Event: plain && profile -q -p nop -B "$buffer" -o /dev/null true &&
		profile -q -p nop -B "$buffer" -o /dev/stdout true > out && has Event: out && profile -q -p nop -B "$buffer" -o >(cat > piped) true && wait_for grep -q Event: piped &&
		rm -r open victim piped && left mine out plain
}
# The file to which the user's own link leads is replaced, and the spool is beside it. A link that somebody else may have planted is refused.
linked_output() {
	mkdir elsewhere && ln -s elsewhere/real.dat linked.dat && record -q -B "$buffer" -o linked.dat -e sched sh -c 'ls > before; ls elsewhere > spool' &&
		[ -L linked.dat ] && [ ! -L elsewhere/real.dat ] && report elsewhere/real.dat | has sched_ /dev/stdin && is real.dat.spool "$(cat spool)" &&
		hasnt spool$ before && echo old > elsewhere/real.dat && record -q -B "$buffer" -o linked.dat -e sched true && [ -L linked.dat ] &&
		report elsewhere/real.dat | has sched_ /dev/stdin && is real.dat "$(ls elsewhere)" || return
	"$RINGSIDE" record -q -B "$buffer" -o linked.dat -e sched sh -c 'echo yes > begun; sleep 2; kill -9 "$PPID"' > out 2>&1
	[ -s begun ] && rm elsewhere/real.dat begun && "$RINGSIDE" restore -q linked.dat && report elsewhere/real.dat | has sched_ /dev/stdin &&
		is real.dat "$(ls elsewhere)" || return
	ln -s nowhere/real.dat broken.dat && record -B "$buffer" -o broken.dat -e sched touch ran > out 2>&1
	is 1 $? && has 'there is no such folder' out && [ ! -e ran ] && others_folder && ln -s ../victim/cpu0 open/trace.dat && chown -h 65534 open/trace.dat || return
	record -B "$buffer" -o open/trace.dat -e sched touch ran > out 2>&1
	is 1 $? && has 'trace.dat is a link' out && [ ! -e ran ] && untouched && is trace.dat "$(ls open)" && rm -r open victim elsewhere spool before &&
		left broken.dat linked.dat out
}
planted_all() {
	check "planted links and folders in the place of the spool" planted_spools
	check "record -o follows a link of the user and no planted one" linked_output
	check "a spool that is in use" spool_in_use
	check "profile -o is opened first, and follows no planted link" profile_output
}
