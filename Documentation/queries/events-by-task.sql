-- Which tasks are the events of?
SELECT comm, pid, count(*) AS count
FROM events
GROUP BY pid
ORDER BY count DESC;
