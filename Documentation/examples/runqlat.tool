help	how long tasks waited for a CPU after they were woken: median, 99th percentile and longest, for each CPU
command	sched
key	cpu
column	cpu,count,mean,p50,p99,max
