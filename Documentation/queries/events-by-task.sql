-- In which tasks did the events happen?
SELECT comm, pid, count(*) AS count, file
FROM events
GROUP BY file, comm, pid
ORDER BY count DESC, comm, pid, file;
