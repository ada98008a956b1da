-- Which task woke which, and how long did the woken task then wait to run?
SELECT by_comm, by_pid, comm, pid, count(*) AS count, sum(queued) AS queued, max(queued) AS max, file
FROM wakeups
GROUP BY file, by_comm, by_pid, comm, pid
ORDER BY count DESC, by_pid, pid, file;
