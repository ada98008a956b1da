# DuckDB reads csv and jsonl with the types that are meant, and sums as report's fields add up. By its package for node, where that is installed.
command -v node >/dev/null || { echo "SKIP: no node"; exit 0; }
export NODE_PATH=${RINGSIDE_NODE_MODULES:-}
node -e 'require("@duckdb/node-api")' 2>/dev/null || { echo "SKIP: no package @duckdb/node-api of npm"; exit 0; }
cd "$DATA"
cat >"$HOME/ask.js" <<'JS'
const { DuckDBInstance } = require("@duckdb/node-api");
(async () => {
	const db = await (await DuckDBInstance.create(":memory:")).connect();
	for (const sql of process.argv.slice(2)) {
		const rows = (await db.runAndReadAll(sql)).getRowsJson();
		console.log(rows.map(row => row.map(String).join(" ")).join("\n"));
	}
	process.exit(0);
})();
JS
for name in csv jsonl; do ringside export -o "$HOME/e.$name" events.dat; done
ringside export --to csv --events sched_switch -o "$HOME/switches.csv" events.dat
cd "$HOME" || exit 1
for name in e.csv e.jsonl switches.csv; do
	echo "== types in $name"
	node ask.js "select column_name, column_type from (describe select * from '$name')"
done
echo "== sums"
for name in e.csv e.jsonl; do node ask.js "select count(*), sum((fields->>'bytes_alloc')::bigint) from '$name' where event = 'kmalloc'"; done
ringside report -R --only-event kmalloc "$DATA/events.dat" | awk 'match($0, / bytes_alloc=[0-9a-fx]+/) { v = substr($0, RSTART + 13, RLENGTH - 13)
	if (v ~ /^0x/) { n = 0; for (i = 3; i <= length(v); i++) n = n * 16 + index("0123456789abcdef", substr(v, i, 1)) - 1; v = n } sum += v; lines++ } END { printf "%d %d\n", lines, sum }'
