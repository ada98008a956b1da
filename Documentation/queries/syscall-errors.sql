-- Which system calls failed, and why?
SELECT syscall, error, count(*) AS count
FROM syscalls
WHERE error IS NOT NULL AND cut IS NULL
GROUP BY syscall, error
ORDER BY count DESC, syscall, error;
