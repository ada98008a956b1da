# Every command that has a table, over every recording: JSON parses and has the columns and values of CSV, and all columns are told of in the
# manual page.
command -v python3 > /dev/null || { echo "SKIP: no python3"; exit 0; }
cat > forms.py <<'P'
import csv, io, json, os, re, subprocess, sys

top, folder = sys.argv[1], sys.argv[2]
commands = """funcs|funcs --by comm|funcs --by cpu|funcs --callers-of *|graph|graph --by task|graph --callers *|sched|sched --by cpu|sched --timeline|sched --preempts
sched --wakes|dist vfs_read|dist sched_switch.next_pid --by comm|slow vfs_read|slow *|count *:*|count *:* --by event,comm|count *:* --by cpu|syscalls -c
hist|hist --flat|hist --time|report --profile|diff FILE FILE|diff --graph FILE FILE""".replace("\n", "|").split("|")
files = sorted(f for f in os.listdir(folder) if f.endswith(".dat"))
pages = {c: open(f"{top}/Documentation/ringside-{c}.1.scd").read() for c in {x.split()[0] for x in commands}}
shared = "".join(open(f"{top}/Documentation/parts/{p}").read() for p in os.listdir(f"{top}/Documentation/parts"))
bad = 0

def run(command, path, form):
    words = [path if w == "FILE" else w for w in command.split()]
    if "FILE" not in command:
        words += ["-i", path]
    p = subprocess.run(["ringside"] + words + form, capture_output=True)
    return p.returncode, p.stdout.decode("utf-8", "surrogateescape"), p.stderr.decode("utf-8", "surrogateescape")

def fail(*what):
    global bad
    bad += 1
    print(*what)

def same(j, c):
    if j is None:
        return c == ""
    if isinstance(j, bool):
        return c in (("true", "1", "yes") if j else ("false", "0", "no", ""))
    if isinstance(j, (int, float)):
        try:
            return abs(float(c) - j) <= 1e-9 * max(1, abs(j))
        except ValueError:
            return False
    if isinstance(j, str):
        return c == j
    return True

def pairs(rows, wide):
    """Rows of JSON, those below others behind them, as a table has them."""
    for row in rows:
        yield row
        for name in ("children", "rows", "callees", "callers"):
            if isinstance(row.get(name), list):
                yield from pairs(row[name], wide)

answers = 0
for command in commands:
    page = pages[command.split()[0]] + shared
    for file in files:
        path = os.path.join(folder, file)
        status, text, _ = run(command, path, [])
        js, jtext, jerr = run(command, path, ["--json"])
        cs, ctext, cerr = run(command, path, ["--csv"])
        what = f"{command} {file}:"
        if not status == js == cs:
            fail(what, "statuses", status, js, cs, jerr, cerr)
            continue
        if status:
            if jtext or ctext:
                fail(what, "refused, but not without output")
            continue
        try:
            answer = json.loads(jtext)
        except ValueError as e:
            fail(what, "JSON:", e)
            continue
        if not isinstance(answer.get("meta"), dict) or not isinstance(answer.get("rows"), list):
            fail(what, "neither meta nor rows")
            continue
        tables = list(csv.reader(io.StringIO(ctext, newline="")))
        head, lines = tables[0], tables[1:]
        rows = list(pairs(answer["rows"], head))
        if len(rows) != len(lines):
            fail(what, len(rows), "rows of JSON", len(lines), "of CSV")
            continue
        for name in head:
            # The page tells of the columns of the new side by those of the old one.
            if not re.search(r"[*_]" + re.escape(name.replace("_new", "_old")) + r"[*_]", page):
                fail(what, "column", name, "is not in the manual page")
        for row, line in zip(rows, lines):
            if len(line) != len(head):
                fail(what, "a line of", len(line), "values, not", len(head), line)
                break
            wrong = [n for n, v in zip(head, line) if n in row and not same(row[n], v)] + [n for n in head if n not in row]
            if wrong:
                fail(what, "differ:", wrong, row, line)
                break
        answers += 1
print("answers:", "enough" if answers > 120 else answers)
sys.exit(bad > 0)
P
python3 forms.py "$TOP" "$DATA"
