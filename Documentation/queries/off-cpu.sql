-- Which functions were on the stack when their task was off the CPU?
SELECT function, count(*) AS calls, sum(off) AS off, sum(blocked) AS blocked, sum(preempted) AS preempted, sum(queued) AS queued
FROM calls
WHERE off > 0
GROUP BY function
ORDER BY off DESC, function;
