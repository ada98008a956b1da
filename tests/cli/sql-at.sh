# sql --at and fleet: against a server of our own, which says what it was asked, and answers as ClickHouse 18.16 does. With $RINGSIDE_CLICKHOUSE (HOST:PORT of a
# server that may be filled) the library of queries finds there what it finds in the files.
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 0; }
ringside sql "$DATA/events.dat" 'SELECT 1' 2>&1 | grep -q 'without libsqlite3' && { echo "SKIP: no libsqlite3"; exit 0; }
ringside fleet list --at clickhouse://127.0.0.1:1/x 2>&1 | grep -q 'without libcurl' && { echo "SKIP: no libcurl"; exit 0; }
cat >server.py <<'PYTHON'
import http.server, os, re, socketserver, urllib.parse
columns = [("calls", c) for c in "_recording id parent depth function ts end cpu pid comm total self cut host file".split()] + \
	[("sched", c) for c in "_recording ts dur pid comm state cpu".split()] + [("syscalls", c) for c in "_recording syscall error total".split()] + \
	[("odd 'n\\`a\"me ü", c) for c in ["_recording", "a b"]]
esc = lambda s: s.replace("\\", "\\\\").replace("'", "\\'").replace("\t", "\\t").replace("\n", "\\n")
rows = {"calls": {"1111": 7, "2222": 5}, "events": {"1111": 3}, "recordings": {"1111": 2, "2222": 1}}
log = open("log", "w", buffering=1)
def answer(q, args):
	if "readonly" in args: log.write("asked, %s: %s\n" % (args["default_format"][0], q))
	if "concat(table" in q: return "".join(esc("%s.%s" % c) + "\n" for c in columns)
	if q.startswith("SELECT table, name, type"): return "".join("%s\t%s\t%s\n" % (esc(t), esc(c), "Nullable(Int64)" if c in ("ts", "total") else "String") for t, c in sorted(columns))
	if "count() FROM system.tables" in q: return "1\n"
	if q.startswith("SELECT _recording, count()"): return "1111\t3\t10\t2000000020\n"
	if q.startswith("SELECT _recording, any(host)"): return "".join("%s\tweb\\t1\tdir/\\'a b\\'\\\\.dat\t2026-11-23\t%d\t%d\n" % (r, r == "1111", 12 if r == "1111" else 0) for r in sorted(rows["recordings"]))
	m = re.match(r"SELECT count\(\) FROM `?(\w+)`? WHERE _recording = '((?:[^'\\]|\\.)*)'$", q)
	if m: return "%d\n" % rows[m[1]].get(m[2], 0)
	m = re.match(r"ALTER TABLE `(\w+)` DELETE WHERE _recording = '(\w+)'$", q)
	if m:
		log.write(q + "\n"); rows[m[1]].pop(m[2], None); return ""
	if q.startswith("SELECT name FROM system.tables"): return "recordings\n" if "name IN ('rec" in q else "calls\nevents\n"
	if "wrong" in q: return None
	if "half" in q: return "_r_a\nUInt8\n1\nCode: 241, e.displayText() = DB::Exception: Memory limit exceeded"
	if "nul" in q: return "_r_a\tb\nString\tString\nx\\0y\t\\0\n"
	if "readonly" in args: return "_r_function\tn\tcomm\nString\tNullable(UInt64)\tLowCardinality(Nullable(String))\nvfs\\tread\t18446744073709551615\t\\N\n\\\\N\t-3\t\\\\\\'x\n"
	raise Exception("what is " + q)
class Handler(http.server.BaseHTTPRequestHandler):
	def log_message(self, *a): pass
	def do_POST(self):
		args = urllib.parse.parse_qs(urllib.parse.urlparse(self.path).query)
		text = answer(self.rfile.read(int(self.headers["Content-Length"])).decode(), args)
		self.send_response(500 if text is None else 200); self.end_headers()
		self.wfile.write((text if text is not None else "Code: 47, e.displayText() = DB::Exception: Unknown identifier: wrong, e.what() = DB::Exception\n").encode())
s = socketserver.ThreadingMixIn, http.server.HTTPServer
s = type("S", s, {"daemon_threads": True})(("127.0.0.1", 0), Handler)
open("port.new", "w").write(str(s.server_port)); os.rename("port.new", "port")
s.serve_forever()
PYTHON
python3 server.py 2>errors & server=$!
trap 'kill $server' EXIT
until [ -s port ]; do sleep 0.02; done
at=clickhouse://user:secret@127.0.0.1:$(cat port)/db
plain() { sed "s/:$(cat port)/:PORT/g"; }
words() { ringside sql --csv --at "$at" --explain "$@" 2>&1 | tail -n +2 | sed 's/^"\(.*\)"$/\1/; s/""/"/g'; }

echo "== what the server is told"
words "SELECT function, count(*) AS calls, sum(self) AS self, max(total) FROM calls WHERE cut IS NULL GROUP BY function ORDER BY self DESC, function LIMIT 3"
words "SELECT ts / 10000000 * 10000000 AS ts, count(*) FROM calls GROUP BY 1 ORDER BY 1"
words "SELECT sum(dur) / count(*), 7.0 / 2, 2 * 9 / 4 FROM sched"
words "SELECT syscall, count(error) FILTER (WHERE total) AS errors, count(*) FILTER (WHERE total > 5) FROM syscalls GROUP BY syscall HAVING errors > 0"
words "SELECT comm, pid, count(*), max(dur) AS max FROM sched GROUP BY pid; SELECT comm, min(dur), max(dur) FROM sched GROUP BY pid"
words "SELECT p.function AS caller, c.function FROM calls AS c LEFT JOIN calls AS p ON p.id = c.parent WHERE c.depth > 0"
words "SELECT n AS self FROM (SELECT function, count(*) AS n FROM calls GROUP BY function) WHERE n > 2"
words "SELECT quantile(total, 0.99) FROM calls"
words "SELECT 'it''s \\ ü' AS \"a b\", max(1, 2), ifnull(cut, '-'), \"a b\" FROM \"odd 'n\\\`a\"\"me ü\" -- a comment"
words "SELECT errno(2)" | cut -c 1-60

echo "== what it answers"
ringside sql --csv --at "$at" 'SELECT function, 1 AS n, comm FROM calls'
ringside sql --json --at "$at" --example functions | plain | head -3
ringside sql --at "$at" --tables calls
ringside sql --at "$at" --tables 'odd*'
tail -2 log
ringside sql --csv --at "$at" "SELECT 'nul' AS a, '' AS b" # of a text with a NUL, what stands before it is shown, as for files
ringside sql --at "$at" 'SELECT wrong' 2>&1 | plain; echo "${PIPESTATUS[0]}"
ringside sql --at "$at" --csv 'SELECT half' 2>&1 | plain; echo "${PIPESTATUS[0]}"
ringside sql --at "$at" 'SELECT 1' >/dev/full; echo $?

echo "== what a server cannot do, or nobody"
for sql in 'SELECT sym(1)' "SELECT 'x" '' 'SELECT quantile(total, 2) FROM calls' 'SELECT 1 UNION SELECT 2' 'SELECT hist(1) FILTER (WHERE 1)'; do ringside sql --at "$at" "$sql" 2>&1; echo $?; done
ringside sql --at "$at" "$DATA/events.dat" 'SELECT 1' 2>&1 | plain | sed "s|$DATA|DATA|"
ringside sql --at "$at" --cpu 1 'SELECT 1' 2>&1 | plain
for address in nowhere http://127.0.0.1:1/db "postgresql://127.0.0.1:$(cat port)/db"; do ringside sql --at "$address" 'SELECT 1'; echo $?; done
ringside sql --at clickhouse://127.0.0.1:1/db 'SELECT 1' 2>&1 | sed 's/after.*//'; echo "${PIPESTATUS[0]}"

echo "== recordings"
ringside fleet list --at "$at"
ringside fleet list --at "$at" --csv
ringside fleet drop --at "$at" --dry-run 1111 | plain; grep -c ALTER log
ringside fleet drop --at "$at" 111 2>&1 | plain; echo "${PIPESTATUS[0]}"
ringside fleet drop --at "$at" "1111' OR '1' = '1" 2>&1 | plain
ringside fleet drop --at "$at" 1111; echo $?
grep ALTER log
ringside fleet list --at "$at" --csv --columns recording,complete,rows
ringside fleet drop --at "$at"; echo $?
ringside fleet list; echo $?
ringside fleet; echo $?
ringside fleet clear; echo $?
cat errors
[ -n "${RINGSIDE_CLICKHOUSE:-}" ] || exit 0
store=clickhouse://$RINGSIDE_CLICKHOUSE/ringside_test_$$
ringside export --to "$store" --create "$DATA/events.dat" "$DATA/openat2.dat" || exit
for query in $(ringside sql --examples --csv | tail -n +2 | cut -d, -f1); do
	# A server's quantiles are exact, ours at most 1 % wrong.
	[ "$query" = percentiles ] && continue
	cmp <(ringside sql --csv --at "$store" --example "$query" | sort) <(ringside sql --csv --example "$query" "$DATA/events.dat" "$DATA/openat2.dat" 2>/dev/null | sort) ||
		echo "$query differs"
done
