# Formats that no kernel has written: the events are shown by what is left of them, one sentence says so, and the status is 1. Filters know
# the fields that are left.
ringside convert --compression none -i "$DATA/kprobes.dat" whole.dat
damage() { # damage OLD NEW: a text in the file, of the same length
	[ ${#1} = ${#2} ] || echo "$1 and $2 have different lengths"
	LC_ALL=C sed "s/$(sed 's/[*.[]/\\&/g' <<<"$1")/$2/" whole.dat >damaged.dat
}
show() { # show OPTION...
	echo "report $*"
	ringside report "$@" -i damaged.dat 2>said | grep sched_switch: | sed 1q
	echo "status ${PIPESTATUS[0]}"
	cat said
}
all() {
	show
	show -R
	show -F 'sched_switch: next_pid > 2'
}
damage 'char prev_comm[16];' 'char prev_comm[16[;'
all
damage "prev_pid;$(printf '\t')offset:24;" "prev_pid;$(printf '\t')offset:24#"
all
# A plug-in does without the print format.
damage 'prev_comm, REC->prev_pid' 'prev_comm, {REC>prev_pid'
show
show -N
damage 'prev_comm=%s prev_pid=%d' 'prev_comm=%s" rev_pid=%d'
show -N
damage 'prev_comm=%s' "prev$(printf '\001')comm=%s"
show -N
damage 'prev_pid=%d' 'prev%99999d'
show -N
damage 'name: sched_switch' 'nbme: sched_switch'
ringside report --check-events -i damaged.dat
