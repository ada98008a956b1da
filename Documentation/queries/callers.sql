-- Who calls whom, how often, and how long does that take?
SELECT caller.function AS caller, call.function AS function, count(*) AS calls, sum(call.total) AS total
FROM calls AS call JOIN calls AS caller ON caller.id = call.parent
WHERE call.cut IS NULL
GROUP BY 1, 2
ORDER BY calls DESC, 1, 2;
