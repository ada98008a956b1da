-- Which system calls were made, how many failed, and how long did they take?
SELECT syscall, count(total) AS calls, count(error) FILTER (WHERE total) AS errors, sum(total) AS total, max(total) AS max
FROM syscalls
GROUP BY syscall
HAVING calls > 0
ORDER BY total DESC, syscall;
