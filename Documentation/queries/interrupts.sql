-- Which interrupts were there, and how long did their handlers run?
SELECT kind, name, count(*) AS count, sum(self) AS self, max(total) AS max
FROM irqs
GROUP BY kind, name
ORDER BY self DESC, name;
