-- How long do the calls of each function take, as a rule and at worst?
SELECT function, count(*) AS calls, min(total) AS min, quantile(total, 0.5) AS p50, quantile(total, 0.9) AS p90, quantile(total, 0.99) AS p99, max(total) AS max
FROM calls
WHERE cut IS NULL
GROUP BY function
ORDER BY max DESC, function;
