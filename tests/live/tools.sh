# shellcheck shell=bash disable=SC2154
# Each tool of Documentation/examples sees what it is for. Those that take kprobes, uprobes or function tracing are in tests/vm/inside/tools.

# tool NAME ARG...: lines into `out`
tool() { timeout -k 5 300 "$RINGSIDE" tool "$@" > out 2> err || { cat err; return 1; }; }

# A probe whose name an event of the kernel has already gets another, wherever the spec speaks of it; one whose name is free keeps it.
tool_taken_names() {
	printf '%s\n' 'help	two' 'command	stream' 'probe	uprobe:/bin/true:0x1000 name=sched/sched_switch' 'probe	uprobe:/bin/true:0x1000 name=ringside/nobody_has_it' \
		'hook	sched:sched_switch,common_pid/ringside:nobody_has_it,common_pid' 'event	signal' 'filter	my_sched_switch == 1' > two.tool
	tool --expand ./two.tool &&
		has "^ringside stream --probe 'uprobe:/bin/true:0x1000 name=sched/(sched_switch_[0-9]+)' --probe 'uprobe:/bin/true:0x1000 name=ringside/nobody_has_it' -H sched:\\1,common_pid/ringside:nobody_has_it,common_pid -e signal -f 'my_sched_switch == 1'\$" out
}
tool_execsnoop() { tool execsnoop --private sh -c 'exec env true' && has '^ +[0-9]+\.[0-9]{6} +[0-9]+ +[0-9]+ .*/env$' out && has ' .*/true$' out; }
# Other tasks end as well; what they are called is not asked for, as the kernel forgets names soon.
# shellcheck disable=SC2016
tool_exitsnoop() {
	tool exitsnoop -q sh -c 'sh -c "exit 107"; sh -c "kill -USR2 \$\$"; true' && has '^\[pid +[0-9]+<.*>\] [0-9:.]+ \+\+\+ exited with 107 \+\+\+$' err &&
		has ' \+\+\+ killed by SIGUSR2 \+\+\+$' err
}
# Of the tasks only the calls are told, not which signals they take and how they end: others end all the time. sh and cat have ended here.
only_calls() { hasnt '(\+\+\+|---)' err; }
whole_calls() { awk -f "$here/../tools/whole-calls.awk" err > calls; }
tool_opensnoop() { tool opensnoop -q cat /etc/hostname && whole_calls && has '^\[pid +[0-9]+<cat>\] openat\(AT_FDCWD, .*, O_RDONLY\) = 3$' calls && only_calls; }
# shellcheck disable=SC2016
tool_killsnoop() { tool killsnoop -q sh -c 'kill -CONT $$; cat /etc/hostname; true' && whole_calls && has 'kill\([0-9]+, SIGCONT\) += 0$' calls && only_calls; }
tool_tcpconnect() {
	tool tcpconnect --private bash -c '! { exec 3<>/dev/tcp/127.0.0.1/9; } 2> /dev/null' && has ' bash +127\.0\.0\.1 +[0-9]+ 127\.0\.0\.1 +9$' out
}
# The addresses of IPv6 are in fields of their own, which the same columns show.
tool_tcpconnect_ipv6() {
	tool tcpconnect --private bash -c '! { exec 3<>/dev/tcp/::1/9; } 2> /dev/null; ! { exec 3<>/dev/tcp/127.0.0.1/9; } 2> /dev/null' && has ' bash +::1 +[0-9]+ ::1 +9$' out &&
		has ' bash +127\.0\.0\.1 +[0-9]+ 127\.0\.0\.1 +9$' out && hasnt ' 0\.0\.0\.0 ' out &&
		timeout 300 "$RINGSIDE" stream -q -B "$buffer" -e sock:inet_sock_set_state --fields comm,saddr_v6.ip,daddr.ip,daddr_v6.ip,newstate -F \
			bash -c '! { exec 3<>/dev/tcp/::1/9; } 2> /dev/null' > out && has '^bash +::1 +::1 +::1 ' out
}
# Each of many connections that are accepted has a line.
tool_tcpconnect_accepted() {
	tool tcpconnect --private python3 -c 'import socket
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(8)
for i in range(50): socket.create_connection(s.getsockname()).close(); s.accept()[0].close()
open("port", "w").write(str(s.getsockname()[1]))' && is 50 "$(grep -cE " python3 +127\.0\.0\.1 +[0-9]+ 127\.0\.0\.1 +$(cat port)\$" out)"
}
# Nobody answers there: the first SYN is sent again after a second.
tool_tcpretrans() {
	# shellcheck disable=SC2016
	timeout 300 unshare -n bash -c 'ip link set lo up && ip addr add 192.0.2.1/32 dev lo && ip route add 192.0.2.0/24 dev lo &&
		exec "$0" tool tcpretrans --private timeout 4 bash -c "exec 3<>/dev/tcp/192.0.2.5/9"' "$RINGSIDE" > out 2> err
	has ' 192\.0\.2\.1 +[0-9]+ 192\.0\.2\.5 +9 ' out
}
# Some tasks wait for their CPU after they were woken, if only for a microsecond, and none of the lines is of less.
tool_runqslower() {
	tool runqslower 1us --private sh -c 'for i in 1 2 3 4 5; do sleep 0.02; done' && has '^ +[0-9.]+ +[0-9]+ ' out &&
		awk 'NR == 1 { from = index($0, "NEXT_PID") + 8; width = index($0, "TOOK us") + 7 - from }
			NR > 1 && !/DROPPED/ { n++; bad += substr($0, from, width) + 0 < 1 } END { exit !n || bad }' out
}
# bars_of FILE: how many are in all bars of a distribution in CSV.
bars_of() { awk -F, 'NR > 1 { n += $3 } END { print n + 0 }' "$1"; }
tool_runqlat() { tool runqlat -q --csv sh -c 'sleep 0.02; sleep 0.02' && has '^from,to,count,percent$' err && [ "$(bars_of err)" -ge 2 ]; }
tool_biolatency() { tool biolatency -q --csv dd if=/dev/zero of=synced bs=64k count=8 conv=fsync status=none && has '^from,to,count,percent$' err && [ "$(bars_of err)" -ge 1 ]; }
# They are woken when they have been seen asleep; one on each of two CPUs, for the reason that stands below.
# shellcheck disable=SC2016
tool_wakeuptime() {
	mkfifo fifo0 fifo1 && while_busy tool wakeuptime --private --csv sh -c 'for cpu in 0 1; do
		taskset -c $cpu cat fifo$cpu & until grep -q "^Name:.cat$" /proc/$!/status && grep -q "^State:.S" /proc/$!/status; do sleep 0.02; done; done
		echo > fifo0; echo > fifo1; wait' && has '^comm,pid,' out && has '^cat,' out
}
# A task that executes a program and soon ends has the name of that program.
# shellcheck disable=SC2016
tool_wakeuptime_names() {
	mkfifo fifo && tool wakeuptime --private --csv sh -c 'for i in $(seq 40); do taskset -c 0 cat fifo & echo > fifo; wait; done' &&
		has ',cat,' out && hasnt '(^|,)taskset,' out && rm fifo
}
# One on each of two CPUs, neither of which is idle: Linux 6.18 was seen not to tell of any switch from the idle task of one CPU, so the end of a sleep is not known
# there, and of single ones of the other. (while_busy is in profile.sh.)
tool_offcputime() { while_busy tool offcputime -F -c sh -c 'for cpu in 0 1; do taskset -c $cpu sleep 0.1; done' && has 'Event: sched_switch:S .*' out && has 'nanosleep' out; }
tool_syscount() { tool syscount -q --csv --columns syscall,calls sh -c 'env true' && has '^execve,[1-9]' err; }
tool_softirqs() { tool softirqs sleep 0.5 && has 'Event: softirq_entry:[A-Z]+ \([0-9]+\) Total: [0-9]+' out; }
# A disk's interrupts, where the folder lies on one: if this machine counted some meanwhile.
device_interrupts() { awk '/^ *[0-9]+:/ { for (i = 2; i <= 3; i++) n += $i } END { print n }' "$1"; }
tool_hardirqs() {
	tool hardirqs sh -c 'cat /proc/interrupts > before; for i in 1 2 3 4 5; do dd if=/dev/zero of=synced bs=64k count=8 conv=fsync; done 2> /dev/null; cat /proc/interrupts > after' || return
	[ "$(device_interrupts before)" = "$(device_interrupts after)" ] || has 'Event: irq_handler_entry:[0-9]+ \([0-9]+\) Total: [0-9]+' out
}
tool_biosnoop() {
	tool biosnoop --private dd if=/dev/zero of=synced bs=64k count=8 conv=fsync && has '^ +[0-9.]+ .* [0-9]+,[0-9]+ +[A-Z]*W[A-Z]* +[0-9]+ +[0-9]+ +[0-9]+\.[0-9]{3}$' out
}

tools_all() {
	check "tool: names of probes that are taken" tool_taken_names
	check "tool execsnoop" tool_execsnoop
	check "tool exitsnoop" tool_exitsnoop
	check "tool opensnoop" tool_opensnoop
	check "tool killsnoop" tool_killsnoop
	check "tool tcpconnect" tool_tcpconnect
	if grep -q '^0*1 ' /proc/net/if_inet6 2> /dev/null; then
		check "tool tcpconnect: IPv6" tool_tcpconnect_ipv6
	else
		skip "tool tcpconnect: IPv6" "no IPv6 on the loopback interface"
	fi
	if command -v python3 > /dev/null; then
		check "tool tcpconnect: connections that are accepted" tool_tcpconnect_accepted
	else
		skip "tool tcpconnect: connections that are accepted" "no python3"
	fi
	if [ ! -d "$tracefs/events/tcp/tcp_retransmit_skb" ] || ! command -v ip > /dev/null || ! unshare -n true 2> /dev/null; then
		skip "tool tcpretrans" "no event tcp:tcp_retransmit_skb, program ip or network of our own"
	else
		check "tool tcpretrans" tool_tcpretrans
	fi
	check "tool runqslower" tool_runqslower
	check "tool runqlat" tool_runqlat
	check "tool wakeuptime" tool_wakeuptime
	check "tool wakeuptime: names of tasks that end at once" tool_wakeuptime_names
	check "tool offcputime" tool_offcputime
	check "tool syscount" tool_syscount
	check "tool softirqs" tool_softirqs
	check "tool hardirqs" tool_hardirqs
	if [ "$(stat -f -c %T "$tmp")" = tmpfs ] || [ ! -d "$tracefs/events/block/block_rq_issue" ]; then
		skip "tool biosnoop" "no disk below $tmp"
	else
		check "tool biosnoop" tool_biosnoop
		check "tool biolatency" tool_biolatency
	fi
}
