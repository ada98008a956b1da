# What sql, sqlite, chrome and page show of tasks that ran: the times that `sched` has, and nothing of a task that lacks switches.
command -v python3 >/dev/null && python3 -c 'import sqlite3' || { echo "SKIP: no python3 with sqlite3"; exit 0; }
t=1000000
wait_for() { t=$((t + $1)); }
switch() { echo "0 $t $1 sched_switch prev_pid=$1 prev_prio=120 prev_state=$2 next_pid=$3 next_prio=120"; }	# FROM STATE TO
waking() { echo "0 $t $1 sched_waking pid=$2 target_cpu=0"; }	# BY WHOM
tasks() { printf 'task %s\n' '7 asked' '8 other' '9 third'; }
all() {
	switch 0 0 7; wait_for 10000
	for _ in 1 2 3 4 5; do
		waking 7 8; wait_for 1000
		switch 7 1 8; wait_for 100000; switch 8 1 0; wait_for 100000; waking 0 9; switch 0 0 9; wait_for 100000
		waking 9 7; wait_for 2000; switch 9 1 7; wait_for 10000
	done
	switch 7 1 0; wait_for 1000; switch 0 0 8; wait_for 1000; switch 8 1 0
}
{ tasks; all; } | plan "$DATA/openat2.dat" all.dat
# As -P 7 records it: what 8 and 9 did in between is not known.
{ tasks; all | grep -E '(prev_pid|next_pid|pid)=7 | 7 sched_waking'; } | plan "$DATA/openat2.dat" asked.dat
# page_runs FILE: the runs of each task that the page has.
page_runs() {
	python3 - "$1" <<'PYTHON'
import base64, json, re, sys, zlib
text = open(sys.argv[1]).read()
def data(name):
    return zlib.decompress(base64.b64decode(re.search(r'id="data-%s">([^<]*)<' % name, text).group(1)))
def table(raw, at):
    u32 = lambda at: int.from_bytes(raw[at:at + 4], "little")
    n, sizes = u32(at), [u32(at + 4 + 4 * i) for i in range(u32(at))]
    at += 4 + 4 * n
    columns = []
    for i, size in enumerate(sizes):
        values, value, shift, before = [], 0, 0, 0
        for byte in raw[at:at + size]:
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                if i == 0:
                    before += -(value + 1) // 2 if value % 2 else value // 2
                    value = before
                values.append(value)
                value = shift = 0
        columns.append(values)
        at += size
    return columns, at
head = json.loads(data("head"))
runs, _ = table(data("cpus"), 0)
waits = {}
raw = data("slices")
slices, at = table(raw, 0)
sums = {}
for length, track in zip(runs[1], runs[2]):
    name = str(head["tracks"][track - 1].get("pid"))
    sums[name] = sums.get(name, 0) + length
for name in sorted(sums):
    print("page", name, sums[name])
w, _ = table(raw, at)
print("page waits", len(w[1]) if w else 0, sum(w[1]) if w else 0)
PYTHON
}
for file in all asked; do
	echo "== $file"
	echo "-- sched"
	ringside sched --csv --columns comm,run,blocked,queued,preempted "$file.dat" 2>/dev/null | tr -d '\r' | sort
	echo "-- sql"
	ringside sql --csv -i "$file.dat" "SELECT comm, state, sum(dur), count(*) FROM sched GROUP BY comm, state ORDER BY comm, state; SELECT comm, sum(queued), count(*) FROM wakeups GROUP BY comm ORDER BY comm" 2>&1
	echo "-- sqlite"
	ringside export -o "$file.sqlite" "$file.dat" 2>&1
	python3 -c 'import sqlite3, sys; [print(*row) for row in sqlite3.connect(sys.argv[1]).execute("SELECT comm, sum(dur), count(*) FROM sched GROUP BY comm ORDER BY comm")]' "$file.sqlite"
	echo "-- chrome"
	ringside export --to chrome "$file.dat" 2>/dev/null | python3 -c '
import json, sys
sums = {}
for e in json.load(sys.stdin)["traceEvents"]:
    if e["ph"] == "X": sums[e["name"]] = sums.get(e["name"], 0) + round(e["dur"] * 1000)
for name in sorted(sums): print(name, sums[name])'
	echo "-- flame --off-cpu"
	ringside flame --off-cpu --folded --by task "$file.dat" 2>&1
	echo "-- page"
	ringside page -o "$file.html" "$file.dat" 2>&1
	page_runs "$file.html"
done
echo "== only a task that lacks switches is asked for"
ringside flame --off-cpu --folded --comm other asked.dat; echo "status $?"
