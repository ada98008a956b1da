-- How many events were there in each 10 ms?
SELECT ts / 10000000 * 10000000 AS ts, count(*) AS count
FROM events
GROUP BY 1
ORDER BY 1;
