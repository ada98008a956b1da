help	who wakes whom, how often, and how long the woken task then waits to run
command	sched
option	--wakes
