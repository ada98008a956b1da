# shellcheck shell=bash disable=SC2154
# record --hosts by a real ssh: an sshd of our own on a loopback port, with its own keys and configuration, in the folder of the test.

# An sshd that takes one key. Its port is a free one: it is asked to take one until it can.
sshd_begin() {
	local name
	for name in host key other; do
		ssh-keygen -q -t ed25519 -N '' -f "$name" || return
	done
	cp key.pub known_keys && chmod 600 known_keys
	# All programs but ringside, which may be installed here.
	mkdir -p /run/sshd programs && ln -s /usr/bin/* programs 2> /dev/null
	rm -f programs/ringside
	printf '%s\n' "HostKey $PWD/host" "AuthorizedKeysFile $PWD/known_keys" 'ListenAddress 127.0.0.1' 'StrictModes no' 'UsePAM no' \
		'PermitRootLogin yes' 'PubkeyAuthentication yes' 'PasswordAuthentication no' 'KbdInteractiveAuthentication no' "SetEnv PATH=$PWD/programs" > sshd_config
	for _ in {1..20}; do
		port=$((20000 + RANDOM % 20000))
		: > sshd.log
		"$(sshd_program)" -D -e -f "$PWD/sshd_config" -p "$port" -o PidFile=none 2> sshd.log &
		sshd=$!
		wait_for eval 'grep -q "Server listening" sshd.log || ! kill -0 $sshd 2> /dev/null'
		grep -q 'Server listening' sshd.log && break
		kill "$sshd" 2> /dev/null
		wait "$sshd"
		sshd=
	done
	[ "$sshd" ] || { cat sshd.log; return 1; }
	echo "[127.0.0.1]:$port $(cut -d ' ' -f 1,2 host.pub)" > known_hosts
	{
		printf 'Host nobody\n\tPort 1\nHost stranger\n\tUserKnownHostsFile /dev/null\nHost locked\n\tIdentityFile %s\n' "$PWD/other"
		printf 'Host * !locked\n\tIdentityFile %s\n' "$PWD/key"
		printf 'Host *\n\tHostName 127.0.0.1\n\tPort %s\n\tUser root\n\tUserKnownHostsFile %s\n' "$port" "$PWD/known_hosts"
		printf '\tIdentitiesOnly yes\n\tIdentityAgent none\n\tGlobalKnownHostsFile /dev/null\n'
	} > config
}
sshd_program() { PATH=$PATH:/usr/sbin:/sbin command -v sshd; }
no_buffers() { ! ls -d "$tracefs/instances/$buffer"* 2> /dev/null; }
sshd_end() {
	# A recorder there may still be undoing what it did when the shell that called it has ended here.
	wait_for no_buffers
	kill "$sshd" && wait "$sshd"
	rm -rf programs host host.pub key key.pub other other.pub known_keys known_hosts sshd_config sshd.log config said out trace-*.dat
	left
}
by_ssh() { # by_ssh HOST,... OPTION...: what it says is in the file said
	local hosts=$1
	shift
	record --hosts "$hosts" --rsh "ssh -F $PWD/config" -B "$buffer-%h" "$@" > said 2>&1 < /dev/null
}
# One sentence about the host, and no other line of it.
ssh_says() { # ssh_says HOST PATTERN
	is 1 "$(grep -c -e "^$1:" -e "warning: $1 " said)" && has "warning: $1 is not recorded: $2" said || { cat said; return 1; }
}

ssh_records() {
	by_ssh a,b,localhost --ringside "$RINGSIDE" -e sched:sched_process_exec sh -c 'echo here; /bin/true; exit 7'
	is 7 $? && is 2 "$(grep -c '^[ab]: here$' said)" || { cat said; return 1; }
	for host in a b localhost; do
		report -q trace-$host.dat > out && has 'sched_process_exec: .*/true' out && report --stat trace-$host.dat > out && has '^clock: .* error [0-9]+ ns' out || return
	done
}
# What cannot be is said of each, and the one that can goes on.
ssh_refusals() {
	by_ssh nobody,stranger,locked,a --ringside "$RINGSIDE" -e sched:sched_process_exec true
	is 1 $? && ssh_says nobody '.*Connection refused: is sshd' && ssh_says stranger 'Host key verification failed: connect to it once' &&
		ssh_says locked '.*Permission denied .*: give it a key' && report -q trace-a.dat > out && has sched_process_exec out || return
	by_ssh nobody,a --all-or-none --ringside "$RINGSIDE" -e sched:sched_process_exec true
	is 1 $? && has 'nothing was recorded, as --all-or-none asks for' said
}
ssh_without_ringside() {
	by_ssh a -e sched:sched_process_exec true
	is 1 $? && ssh_says a 'there is no ringside .*; --push copies this one' || return
	TMPDIR=$PWD by_ssh a,b --push -e sched:sched_process_exec true
	is 0 $? && report -q trace-a.dat > out && has sched_process_exec out && report -q trace-b.dat > out && has sched_process_exec out || { cat said; return 1; }
}
# A namespace without tracefs, in which nobody may mount it.
ssh_without_tracefs() {
	local there="unshare -m sh -c 'umount -l $tracefs; umount -l /sys/kernel/debug 2> /dev/null; exec setpriv --bounding-set=-sys_admin --inh-caps=-sys_admin \"\$@\"' -"
	by_ssh a --ringside "$there $RINGSIDE" -e sched:sched_process_exec true
	is 1 $? && ssh_says a '.*tracefs'
}

ssh_run() { # ssh_run FUNCTION: with an sshd, which is ended in any case
	local status
	sshd_begin || return
	"$1"
	status=$?
	[ $status -eq 0 ] || { cat said sshd.log; }
	sshd_end && return $status
}

ssh_all() {
	if ! sshd_program > /dev/null || ! command -v ssh > /dev/null; then
		skip "record --hosts by ssh" "no sshd (Debian package openssh-server)"
		return
	fi
	if [ ! -e "$tracefs/events/sched/sched_process_exec" ]; then
		skip "record --hosts by ssh" "no scheduler events"
		return
	fi
	check "record --hosts by ssh: two hosts and this one" ssh_run ssh_records
	check "record --hosts by ssh: what ssh refuses" ssh_run ssh_refusals
	check "record --hosts by ssh: a host without ringside" ssh_run ssh_without_ringside
	check "record --hosts by ssh: a host without tracefs" ssh_run ssh_without_tracefs
}
