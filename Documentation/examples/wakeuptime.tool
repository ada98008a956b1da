help	who wakes whom, how often, and how long it then takes to run
command	sched
option	--wakes
