# The prompt of a store: a program of ours is the terminal, and another one the server, which never answers some of its requests.
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 0; }
ringside sql "$DATA/openat2.dat" 'SELECT 1' 2>&1 | grep -q 'without libsqlite3' && { echo "SKIP: no libsqlite3"; exit 0; }
ringside fleet list --at clickhouse://127.0.0.1:1/x 2>&1 | grep -q 'without libcurl' && { echo "SKIP: no libcurl"; exit 0; }
export PAGER=cat TERM=xterm XDG_STATE_HOME=$PWD/state
cat >server.py <<'PYTHON'
import http.server, os, socketserver, threading, urllib.parse
log, silent, never = open("log", "w", buffering=1), False, threading.Event()
def answer(q, args):
	global silent
	name = args.get("query_id", [""])[0]
	if q.startswith("KILL"):
		log.write("KILL of the query: %s\n" % (q == "KILL QUERY WHERE query_id = '%s'" % open("id").read()))
		never.wait()
	if "system.columns" in q:
		if args["database"] == ["empty"]: return ""
		if silent: log.write("silent\n"); never.wait()
		return "calls.function\n" if "concat(" in q else "calls\tfunction\tString\ncalls\ttotal\tNullable(Int64)\n"
	if "endless" in q: open("id", "w").write(name); never.wait()
	if "wrong" in q: return None
	silent = "last" in q
	return "_r_function\tn\nString\tUInt64\nvfs_read\t%d\n" % (8 if silent else 7)
class Handler(http.server.BaseHTTPRequestHandler):
	def log_message(self, *a): pass
	def do_POST(self):
		args = urllib.parse.parse_qs(urllib.parse.urlparse(self.path).query)
		text = answer(self.rfile.read(int(self.headers["Content-Length"])).decode(), args)
		self.send_response(500 if text is None else 200); self.end_headers()
		self.wfile.write((text if text is not None else "Code: 47, e.displayText() = DB::Exception: Unknown identifier: wrong, e.what() = DB::Exception\n").encode())
s = type("S", (socketserver.ThreadingMixIn, http.server.HTTPServer), {"daemon_threads": True})(("127.0.0.1", 0), Handler)
open("port.new", "w").write(str(s.server_port)); os.rename("port.new", "port")
s.serve_forever()
PYTHON
python3 server.py 2>errors & server=$!
trap 'kill $server' EXIT
until [ -s port ]; do sleep 0.02; done
at=clickhouse://user:secret@127.0.0.1:$(cat port)/db
talk() { timeout 400 "$TOP/tests/tools/type" script "$@"; }

echo "== queries, tables and faults"
cat >script <<END
< 127.0.0.1:$(cat port)/db: .help tells
< sql> 
> .tables\n
< calls  function, total
< sql> 
> .schema calls\n
< "total" integer
< );
< sql> 
> SELECT function,\n
< ...> 
>  count(*) AS n FROM calls GROUP BY 1;\n
< vfs_read
< sql> 
> SELECT wrong;\n
< Unknown identifier: wrong
< sql> 
> .mode csv\n
< sql> 
> .at clickhouse://127.0.0.1:1/x\n
< 127.0.0.1:1 does not answer
< sql> 
> SELECT 2;\n
< vfs_read,7
< sql> 
> .quit\n
END
talk ringside sql --at "$at"

echo "== a store without tables has no schema to print"
cat >script <<END
< sql> 
> .at ${at%/db}/empty\n
< there is no table in it
< sql> 
> .schema calls\n
< there is no table 'calls'
< sql> 
> .schema\n
< .schema\nsql> 
> .quit\n
END
talk ringside sql --at "$at"

echo "== Ctrl-C ends a query of a server that answers neither it nor KILL, and a list of tables that does not come"
cat >script <<END
< sql> 
> .at $at\n
< sql> 
> SELECT 'endless';\n
< asking, 
> \\x03
< the query was interrupted
< sql> 
> SELECT 'last';\n
< 8
< sql> 
> SELECT 1;\n
< asking, 
> \\x03
< the query was interrupted
< sql> 
> .quit\n
END
talk ringside sql "$DATA/openat2.dat"
cat log errors
