-- Which tasks waited for a CPU, how often and how long?
SELECT comm, pid, count(*) AS count, sum(dur) AS queued, sum(dur) / count(*) AS mean, max(dur) AS max, file
FROM sched
WHERE state = 'queued'
GROUP BY file, comm, pid
ORDER BY queued DESC, comm, pid, file;
