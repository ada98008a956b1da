-- Which tasks slept or waited for something, how long in all and at most?
SELECT comm, pid, count(*) AS count, sum(dur) AS blocked, max(dur) AS max, file
FROM sched
WHERE state = 'blocked'
GROUP BY file, comm, pid
ORDER BY blocked DESC, comm, pid, file;
