-- How often did each event happen?
SELECT name, count(*) AS count
FROM events
GROUP BY name
ORDER BY count DESC, name;
