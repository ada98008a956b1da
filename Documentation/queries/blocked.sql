-- Which tasks slept or waited for something, how long in all and at most?
SELECT comm, pid, count(*) AS count, sum(dur) AS blocked, max(dur) AS max
FROM sched
WHERE state = 'blocked'
GROUP BY pid
ORDER BY blocked DESC;
