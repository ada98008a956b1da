# SPDX-License-Identifier: GPL-2.0
"""held.py ROWS REPORT THREAD ERROR: are the causes in ROWS (slow --csv) those that the host's REPORT (-t) has? A call was held up by the spinner for certain when
THREAD, which could have run, waited behind it for more than half of the call, and for twice the clocks' ERROR (ns) beyond that. Each such call has to be named so, and
there have to be four. No call is named so during which the spinner's process did not run, whatever its name was then. What else made calls slow on a busy machine is not known here: the emulator's thread
may have slept until another one gave up a lock."""
import csv
import re
import sys

SWITCH = re.compile(r"\[(\d+)\] .*?(\d+)\.(\d{9}): sched_switch: +(.*):(\d+) \[-?\d+\] (\S+) ==> (.*):(\d+) \[")
rows, report, thread, error = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])


def read_report(lines):
    """Spans (begin, end): the thread waited behind the spinner; the spinner ran; events of a CPU may be missing."""
    held, ran, lost, seen, missing = [], [], [], {}, set()
    held_since = ran_since = waits_on = None
    lines = list(lines)
    spinner = next((match.group(8) for match in map(SWITCH.search, lines) if match and match.group(7) == "spinner"), None)
    for line in lines:
        if "EVENTS DROPPED" in line:
            missing.add(re.search(r"CPU:(\d+)", line).group(1))
            held_since = ran_since = waits_on = None
        match = SWITCH.search(line)
        if not match:
            continue
        cpu, seconds, rest, _, prev, state, comm, after = match.groups()
        now = int(seconds + rest)
        if cpu in missing:
            missing.remove(cpu)
            lost.append((seen.get(cpu, 0), now))
        seen[cpu] = now
        if prev == thread:
            waits_on = cpu if state.startswith("R") else None
        if after == thread:
            waits_on = None
        if ran_since and ran_since[1] == cpu:
            ran.append((ran_since[0], now))
            if held_since:
                held.append((held_since, now))
            ran_since = held_since = None
        if after == spinner:
            ran_since = (now, cpu)
            held_since = now if comm == "spinner" and waits_on == cpu else None
    return held, ran, lost


def shared(spans, begin, end):
    return sum(max(0, min(end, to) - max(begin, since)) for since, to in spans)


with open(report) as file:
    held, ran, lost = read_report(file)
certain = wrong = 0
with open(rows) as file:
    for row in csv.DictReader(file):
        begin = int(row["ts"])
        end = begin + int(row["total"])
        named = row["cause"] == "vcpu off" and "spinner" in row["culprit"]
        if shared(lost, begin - error, end + error):
            continue
        behind = shared(held, begin, end)
        sure = behind - 2 * error > (end - begin) / 2
        certain += sure
        if sure and not named or named and not shared(ran, begin - error, end + error):
            wrong += 1
            print(f"{behind} ns behind the spinner, and told as:", ",".join(row.values()))
print(f"{certain} calls were held up for certain, {wrong} are told wrongly; the spinner held up the thread {len(held)} times")
sys.exit(certain < 4 or wrong > 0)
