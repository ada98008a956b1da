# export --to clickhouse://…: against a server of our own that loses connections, requests and answers; each row is there once, as --to tsv has it.
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 0; }
ringside sql "$DATA/events.dat" 'SELECT 1' 2>&1 | grep -q 'without libsqlite3' && { echo "SKIP: no libsqlite3"; exit 0; }
machine --seed 3 --calls 300 --functions 20 --cpus 2 --tasks 6 --switches "$DATA/events.dat" a.dat >/dev/null
machine --seed 4 --calls 200 --functions 10 --cpus 4 --tasks 3 --switches "$DATA/events.dat" b.dat >/dev/null
ringside export --to clickhouse://127.0.0.1:1/x --wait 1ms a.dat 2>&1 | grep -q 'without libsqlite3 or libcurl' && { echo "SKIP: no libcurl"; exit 0; }
cat >server.py <<'PYTHON'
# What ClickHouse would do, as far as ringside asks for it. server.py FAULTS: of the INSERTs, by number: lost (not done, no answer), mute (done, no answer),
# half (a part of it came), late (done when the client has gone), busy (says so), hang (the client is killed meanwhile).
import gzip, http.server, json, os, re, socketserver, struct, sys, threading, time, urllib.parse, zlib
faults = dict(f.split(":") for f in sys.argv[1].split(",")) if sys.argv[1] else {}
tables, recordings, running, log = {}, [], {}, []
inserts = 0
lock = threading.Lock()
name_re = r"`((?:[^`\\]|\\.)*)`"
unquote = lambda s: re.sub(r"\\(.)", r"\1", s)

def read_rows(columns, data):
	at, rows = 0, []
	size = {"Int32": ("<i", 4), "Int64": ("<q", 8), "UInt64": ("<Q", 8), "Date": ("<H", 2)}
	while at < len(data):
		row = []
		for _, t in columns:
			if t.startswith("Nullable("):
				at += 1
				t = t[9:-1]
				if data[at - 1]:
					row.append(None)
					continue
			if t == "String":
				n = shift = 0
				while True:
					b = data[at]; at += 1
					n |= (b & 127) << shift; shift += 7
					if b < 128: break
				row.append(data[at:at + n]); at += n
			else:
				row.append(struct.unpack_from(size[t][0], data, at)[0]); at += size[t][1]
		rows.append(tuple(row))
	assert at == len(data)
	return rows

def insert(query, data):
	m = re.match(r"INSERT INTO `\w+`\." + name_re + r" \((.*)\) FORMAT RowBinary$", query, re.S)
	t = tables[unquote(m[1])]
	order = [unquote(c) for c in re.findall(name_re, m[2])]
	assert order == [c for c, _ in t["columns"]], order
	t["rows"] += read_rows(t["columns"], data)

def of(query):
	t = tables.get(unquote(re.search(r"FROM `\w+`\." + name_re, query)[1]))
	rows = [r for r in t["rows"] if "'%s'" % r[0].decode() in query]
	blocks = {}
	for r in rows: blocks[r[2]] = blocks.get(r[2], 0) + 1
	return blocks

def answer(query):
	log.append(query)
	if query == "SELECT version()": return "18.16.1\n"
	if query.startswith(("CREATE DATABASE", "CREATE VIEW", "ALTER")): return ""
	if query.startswith("CREATE TABLE"):
		name = unquote(re.match(r"CREATE TABLE IF NOT EXISTS `\w+`\." + name_re, query)[1])
		columns = [(unquote(c), t) for c, t in re.findall(r"^\t" + name_re + r" (.*?),?$", query, re.M)]
		with lock: tables.setdefault(name, {"columns": columns, "rows": []})
		return ""
	if "system.processes" in query:
		wanted = re.search(r"'(.*?)(%?)'$", query)
		return "%d\n" % sum(i == wanted[1] or (wanted[2] and i.startswith(wanted[1])) for i in running)
	if "system.columns" in query:
		t = tables.get(unquote(re.search(r"table = '((?:[^'\\]|\\.)*)'", query)[1]))
		return "".join("%s\t%s\n" % c for c in t["columns"]) if t else ""
	if query.startswith("INSERT INTO `db`.`recordings`"):
		recordings.append(query); return ""
	if "`recordings`" in query:
		mine = [r for r in recordings if re.search(r"_recording = '(\w+)'", query)[1] in r]
		return "%d\t%s\t%s\n" % (any(r.endswith(", 1)") for r in mine), re.search(r"toDate\((\d+)\)", mine[0])[1], re.search(r"'([^']*)', \d+, \d\)$", mine[0])[1]) if mine else ""
	if "GROUP BY _block" in query: return "".join("%d\t%d\n" % b for b in sorted(of(query).items()))
	if "_block = " in query: return "%d\n" % of(query).get(int(query.split("_block = ")[1]), 0)
	raise Exception("what is " + query)

class Handler(http.server.BaseHTTPRequestHandler):
	protocol_version = "HTTP/1.1"
	def log_message(self, *a): pass
	def reply(self, text, status=200):
		self.send_response(status); self.send_header("Content-Length", str(len(text.encode()))); self.end_headers(); self.wfile.write(text.encode())
	def drop(self):
		self.close_connection = True
	def do_POST(self):
		global inserts
		args = urllib.parse.parse_qs(urllib.parse.urlparse(self.path).query)
		query = args.get("query", [None])[0]
		body = self.rfile.read(int(self.headers["Content-Length"]))
		if query is None: return self.reply(answer(body.decode()))
		id = args["query_id"][0]
		with lock:
			inserts += 1
			mine = inserts
			fault = faults.get(str(mine), "")
			if id in running: return self.reply("Code: 216, e.displayText() = DB::Exception: Query with id = %s is already running.\n" % id, 500)
			running[id] = 1
		try:
			if fault == "lost": return self.drop()
			if fault == "half":
				try: read = zlib.decompressobj(31); read.decompress(body[:len(body) // 2]); assert not read.eof
				finally: return self.drop()
			if fault == "busy": return self.reply("Code: 252, e.displayText() = DB::Exception: Too many parts\n", 500)
			if fault == "hang":
				open("hangs%d" % mine, "w").close()
				while not os.path.exists("on%d" % mine): time.sleep(0.01)
			if fault == "late":
				self.connection.shutdown(1)
				for i in range(30): time.sleep(0.01)
			data = gzip.decompress(body)
			with lock: insert(query, data)
		finally:
			with lock: del running[id]
		if fault in ("mute", "late"): return self.drop()
		try: self.reply("")
		except OSError: self.drop()
	def do_GET(self):	# a table as TabSeparated, without the number of the block
		name = urllib.parse.unquote(self.path[1:])
		text = lambda v, t: "\\N" if v is None else time.strftime("%Y-%m-%d", time.gmtime(v * 86400)) if t == "Date" else str(v) if not isinstance(v, bytes) else \
			v.decode().replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")
		if name == "": return self.reply("".join(sorted(n + "\n" for n in tables if n != "recordings")))
		if name == "waited": return self.reply("%d\n" % sum("system.processes" in q and "LIKE" in q for q in log))
		t = tables[name]
		# Where the rows of a block lie in it is not said, but they came together.
		rows = sorted(range(len(t["rows"])), key=lambda i: (t["rows"][i][0], t["rows"][i][2], i))
		self.reply("".join("\t".join(text(v, c[1]) for i, (v, c) in enumerate(zip(t["rows"][r], t["columns"])) if i != 2) + "\n" for r in rows))

class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
	daemon_threads = True
	def handle_error(self, *a): pass
s = Server(("127.0.0.1", 0), Handler)
open("port.new", "w").write(str(s.server_port)); os.rename("port.new", "port")
s.serve_forever()
PYTHON
get() { # get PATH
	exec 5<>"/dev/tcp/127.0.0.1/$port"
	printf 'GET /%s HTTP/1.0\r\n\r\n' "$1" >&5
	sed '1,/^\r$/d' <&5
	exec 5>&-
}
begin() { # begin FAULTS
	rm -f port on* hangs*
	python3 server.py "$1" & server=$!
	until [ -s port ]; do sleep 0.02; done
	port=$(cat port)
}
finish() { { kill $server; wait $server; } 2>/dev/null; }
send() { ringside export --to "clickhouse://127.0.0.1:$port/db" "$@"; }
same() { # same FILE...: all tables have all rows of these once
	local bad=0 n=0 names
	names=$(get "")
	for name in $names; do
		for f; do ringside export --to tsv --table "$name" "$f" 2>/dev/null | cut -f 1,2,4-; done | sort >want
		get "$name" | sort | cmp -s - want || { echo "$name differs"; bad=1; }
		n=$((n + 1))
	done
	[ $bad = 0 ] && echo "$n tables are the same"
}

echo "== all goes well"
begin ""
send --create a.dat; echo $?
same a.dat
send a.dat 2>&1 | sed 's/recording [0-9a-f]*/recording ID/'
send --cpu 1 a.dat 2>&1 | sed "s/'[0-9a-f]*'/ID/"; echo "${PIPESTATUS[0]}"
finish

echo "== what is lost on the way comes again"
begin "1:lost,2:mute,3:half,4:late,5:busy,6:mute,7:mute,8:lost,9:lost,10:late"
send --create a.dat b.dat; echo $?
same a.dat b.dat
finish

echo "== killed, again and again"
begin "2:hang,4:hang,6:hang,9:hang,10:hang,11:hang,12:hang"
tries=0
while :; do
	# No function: the shell's own process would be killed.
	ringside export --to "clickhouse://127.0.0.1:$port/db" --create b.dat & pid=$!
	# It has come to where the server keeps it waiting; or it is done.
	while kill -0 $pid 2>/dev/null; do
		for h in hangs*; do [ "$h" = "hangs*" ] || [ -e "seen$h" ] || { touch "seen$h"; break 2; }; done
		sleep 0.02
	done
	{ kill -9 $pid || break; wait $pid; } 2>/dev/null
	tries=$((tries + 1))
	for h in hangs*; do touch "seen$h" "on${h#hangs}"; done
done
wait $pid; echo $?
[ $tries -ge 1 ] && echo "killed"
same b.dat
finish

echo "== queries of a killed export go on: the next one asks only now and then whether they have ended, and gives up after a while"
begin "1:hang"
ringside export --to "clickhouse://127.0.0.1:$port/db" --create b.dat & pid=$!
until [ -e hangs1 ]; do sleep 0.02; done
{ kill -9 $pid; wait $pid; } 2>/dev/null
before=$(get waited)
timeout 60 ringside export --to "clickhouse://127.0.0.1:$port/db" --wait 1s b.dat 2>&1 | sed "s/:$port/:PORT/"; echo "${PIPESTATUS[0]}"
[ $(($(get waited) - before)) -lt 10 ] && echo "seldom"
touch on1
send --create b.dat; echo $?
same b.dat
finish

echo "== names"
begin ""
cp a.dat "it's \"x\" \`y\` \\z ü.dat"
send --create "it's \"x\" \`y\` \\z ü.dat"; echo $?
same "it's \"x\" \`y\` \\z ü.dat"
finish

echo "== what is wrong"
begin "1:lost"
send a.dat 2>&1 | sed "s/:$port/:PORT/"; echo "${PIPESTATUS[0]}"
finish
send --create --wait 100ms a.dat 2>&1 | sed "s/:$port/:PORT/; s/(.*)/(why)/"; echo "${PIPESTATUS[0]}"
before=$SECONDS
send --create a.dat 2>&1 | sed "s/:$port/:PORT/"; echo "${PIPESTATUS[0]}"
ringside export --to clickhouse://no.such.host.invalid/db a.dat 2>&1 | sed "s/(.*)/(why)/"; echo "${PIPESTATUS[0]}"
[ $((SECONDS - before)) -lt 60 ] && echo "at once"
for to in clickhouse:// clickhouse://x clickhouse://x: clickhouse://x:y/z clickhouse://:1/z clickhouse://h/a/b; do ringside export --to "$to" a.dat; echo $?; done
ringside export --to tsv --create a.dat; echo $?
ringside export --to csv --create a.dat; echo $?
ringside export --to csv --table events a.dat; echo $?
ringside export --to tsv --table evnts a.dat; echo $?
ringside export --to clickhouse://x/y --table events a.dat; echo $?
ringside export --to clickhouse://x/y --ttl soon a.dat; echo $?
ringside export --to clickhouse://x/y -o z a.dat; echo $?
ringside export --to tsv a.dat >/dev/full; echo $?

echo "== the schema, and files"
ringside export --to clickhouse://127.0.0.1:1/db --dry-run --cluster 'my "two"' --ttl 30d a.dat >schema; echo $?
grep -c . schema
# A server that takes a request and never answers it: what it prints is the same as when there is none.
python3 -c 'import socket, time
s = socket.create_server(("127.0.0.1", 0))
print(s.getsockname()[1], flush=True)
time.sleep(300)' >silent & silent=$!
until [ -s silent ]; do sleep 0.02; done
timeout 200 ringside export --to "clickhouse://127.0.0.1:$(cat silent)/db" --dry-run --cluster 'my "two"' --ttl 30d a.dat | cmp - schema
kill $silent
sed -n '/TABLE IF NOT EXISTS `db`.`sched_local`/,/;/p; /`sched` AS/p' schema
ringside export -o rows.tsv a.dat && head -1 rows.tsv | cut -f 3-
ringside export --to rowbinary --table meta a.dat | wc -c
