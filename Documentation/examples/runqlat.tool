help	how long tasks waited for a CPU after they were woken, as a distribution
command	latency
kind	wakeup
option	-a
