-- Which calls took longest, when, and in which task?
SELECT function, total, ns(total) AS time, ts, comm, pid, cpu
FROM calls
WHERE cut IS NULL
ORDER BY total DESC, ts
LIMIT 20;
