-- How are the events spread over the CPUs?
SELECT cpu, count(*) AS count, min(ts) AS first, max(ts) AS last, file
FROM events
GROUP BY file, cpu
ORDER BY file, cpu;
