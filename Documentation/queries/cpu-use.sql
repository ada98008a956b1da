-- How long was each CPU busy?
SELECT cpu, sum(dur) AS run, count(*) AS times, file
FROM sched
WHERE state = 'run'
GROUP BY file, cpu
ORDER BY file, cpu;
