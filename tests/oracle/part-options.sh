# shellcheck shell=bash disable=SC2154,SC2086
# The options of report that no other part of the suite gives: both programs print the same. Of files with instances alone 3.1.6 forgets
# the instances with some of them, so those go without.
while IFS='|' read -r name options; do
	for name in $name; do
		same "$name: report $options" $options -i "$data/$name.dat"
	done
done <<'END'
events instances|-e
events instances|-f
events instances|-P
events instances|-E
events instances|-T -F sched_switch:prev_pid==1
events instances|--filter-test -F sched_switch:prev_pid==1
events instances|-q
events instances|-I
events instances|-S
events|--cpus
events|--first-event
events|--last-event
events instances|--version
events instances|--ts2secs 1000000
events instances|--ts-check
events|--align-ts
events instances|-n sched_switch
events instances|-r sched_switch
events instances|-L
events|-w -F sched
events|--cpu 0,1
END

# dump's parts; trace-cmd says before each in which section of the file it is.
for what in --head-page --head-event --ftrace-events --systems --events --kallsyms --printk --cmd-lines; do
	diff <(trace-cmd dump $what -i "$data/events.dat" 2>/dev/null | grep -v "^.\[Section ") <(ringside dump $what -i "$data/events.dat") | nothing "events: dump $what"
done
diff <(ringside dump --all -i "$data/events.dat") <(ringside dump -a -i "$data/events.dat") | nothing "events: dump -a"
