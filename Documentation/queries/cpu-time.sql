-- Which tasks had the CPUs for how long?
SELECT comm, pid, sum(dur) AS run, count(*) AS times, max(dur) AS longest
FROM sched
WHERE state = 'run'
GROUP BY pid
ORDER BY run DESC;
