-- How long did each task run?
SELECT comm, pid, sum(dur) AS run, count(*) AS times, max(dur) AS longest, file
FROM sched
WHERE state = 'run'
GROUP BY file, comm, pid
ORDER BY run DESC, comm, pid, file;
