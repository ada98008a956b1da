-- Which system calls took longest?
SELECT ts, comm, pid, syscall, total, ns(total) AS time, result, error
FROM syscalls
WHERE total IS NOT NULL
ORDER BY total DESC, ts
LIMIT 20;
