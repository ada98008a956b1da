-- Where were events lost, and how many?
SELECT ts, cpu, buffer, count
FROM losses
ORDER BY ts, cpu;
