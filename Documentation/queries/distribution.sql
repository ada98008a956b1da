-- How are the times of each function's calls distributed, in powers of two?
SELECT function, count(*) AS calls, hist(total) AS times
FROM calls
WHERE cut IS NULL
GROUP BY function
ORDER BY calls DESC, function;
