# shellcheck shell=bash
# What a user may have set before a recording: one of everything. Sourced by `restore`.

# set_to FILE TEXT: writes a setting; one that this kernel lacks is left alone
set_to() {
	[ ! -e "$TRACEFS/$1" ] || echo "$2" > "$TRACEFS/$1" || echo "# $1 does not take '$2'"
}

add_to() {
	[ ! -e "$TRACEFS/$1" ] || echo "$2" >> "$TRACEFS/$1" || echo "# $1 does not take '$2'"
}

# Settings alone: nothing is traced in the top, only prepared.
user_settings() {
	set_to trace_clock mono
	set_to buffer_subbuf_size_kb 8
	set_to buffer_size_kb 2000
	set_to per_cpu/cpu1/buffer_size_kb 900
	set_to buffer_percent 25
	set_to tracing_cpumask 1
	set_to saved_cmdlines_size 300
	set_to max_graph_depth 9
	set_to tracing_thresh 50
	set_to options/sym-offset 1
	set_to options/irq-info 0
	set_to options/funcgraph-proc 1
	set_to options/funcgraph-irqs 0
	set_to options/overwrite 0
	set_to options/record-tgid 1
	set_to set_ftrace_filter vfs_read
	add_to set_ftrace_filter vfs_write
	add_to set_ftrace_filter '__x64_sys_swapon:traceoff:3'
	set_to set_ftrace_notrace vfs_fsync
	set_to set_graph_function vfs_open
	set_to set_graph_notrace vfs_getattr
	set_to set_ftrace_pid 99999
	set_to set_ftrace_notrace_pid 99998
	set_to set_event_pid 99999
	set_to set_event_notrace_pid 99998
	set_to events/sched/sched_switch/filter 'prev_pid > 77'
	set_to events/sched/sched_process_exec/trigger 'traceoff if pid == 99999'
	set_to events/sched/sched_wakeup/trigger 'hist:keys=pid if pid == 99999'
	add_to kprobe_events 'p:rs_user/open do_sys_openat2 dfd=%di'
	set_to events/rs_user/open/filter 'dfd > 3'
	add_to synthetic_events 'rs_user_lat u64 lat; pid_t pid'

	mkdir "$TRACEFS/instances/rs_user"
	set_to instances/rs_user/trace_clock boot
	set_to instances/rs_user/buffer_size_kb 300
	set_to instances/rs_user/events/irq/enable 1
	set_to instances/rs_user/events/irq/irq_handler_entry/filter 'irq > 3'
	set_to instances/rs_user/set_ftrace_filter vfs_open
	set_to instances/rs_user/current_tracer function
	set_to instances/rs_user/tracing_on 0
}

# And traces in the top, in the middle of something.
user_traces() {
	set_to current_tracer function
	set_to events/sched/sched_wakeup/enable 1
	set_to events/sched/sched_switch/enable 1
	set_to events/timer/enable 1
	set_to tracing_on 0
}

user_stops() {
	set_to events/enable 0
	set_to current_tracer nop
	set_to tracing_on 1
}
