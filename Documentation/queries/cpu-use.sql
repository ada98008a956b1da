-- How long was each CPU busy?
SELECT cpu, sum(dur) AS run, count(*) AS times
FROM sched
WHERE state = 'run'
GROUP BY cpu
ORDER BY cpu;
