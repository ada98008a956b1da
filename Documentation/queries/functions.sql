-- In which functions (and system calls, and what programs have marked) was most time spent?
SELECT function, count(*) AS calls, sum(self) AS self, max(total) AS max
FROM calls
WHERE cut IS NULL
GROUP BY function
ORDER BY self DESC, function;
