-- Which waits for a CPU after a wakeup were longest?
SELECT ts, comm, pid, cpu, queued, by_comm, by_pid
FROM wakeups
ORDER BY queued DESC, ts
LIMIT 20;
