-- How are the events spread over the CPUs?
SELECT cpu, count(*) AS count, min(ts) AS first, max(ts) AS last
FROM events
GROUP BY cpu
ORDER BY cpu;
