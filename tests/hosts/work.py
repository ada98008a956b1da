# SPDX-License-Identifier: GPL-2.0
"""The command of two machines at once: work.py FOLDER THREAD. In the guest a task named "reader" reads random bytes 300 times, and then on until its reads have been
held up HELD_UP times; each read is some milliseconds of work. On the host a task named "spinner" takes the CPU of the guest's THREAD for 100 ms every now and then,
until the guest has done its work, but not for longer than MOST seconds.
Nobody else who may be busy on the host takes much of it: the threads of the emulator come before them, and the spinner before the thread."""
import os
import sys
import time


def name(comm):
    with open("/proc/self/comm", "w") as file:
        file.write(comm)


folder, thread = sys.argv[1], int(sys.argv[2])
done = os.path.join(folder, "worked")
reading = os.path.join(folder, "reading")
enough = os.path.join(folder, "held-up")
HELD_UP = 8
MOST = 100


def waited():
    """How long the thread could have run and did not, in ns, until it ran last."""
    with open(f"/proc/{thread}/schedstat") as file:
        return int(file.read().split()[1])


if os.uname().nodename == "guest":
    name("reader")
    random = os.open("/dev/urandom", os.O_RDONLY)
    open(reading, "w").close()
    reads = 0
    while reads < 300 or reads % 10 or not os.path.exists(enough):
        os.read(random, 1 << 18)
        reads += 1
    open(done, "w").close()
else:
    cpu = max(os.sched_getaffinity(0))
    before = os.sched_getaffinity(thread)
    name("spinner")
    try:
        os.sched_setaffinity(thread, {cpu})
        os.sched_setaffinity(0, {cpu})
        os.setpriority(os.PRIO_PROCESS, 0, -20)
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        except OSError:
            pass
        turns, reads, most = 0, False, time.monotonic() + MOST
        while not os.path.exists(done):
            if time.monotonic() > most:
                open(enough, "w").close()
                sys.exit(f"in {MOST} s the guest's thread was held up {turns} times of {HELD_UP}, and the guest " + ("reads" if reads else "has not begun to read"))
            reads, since = os.path.exists(reading), waited()
            end = time.monotonic() + 0.1
            while time.monotonic() < end:
                pass
            time.sleep(0.3)
            turns += reads and waited() - since > 80e6
            if turns >= HELD_UP:
                open(enough, "w").close()
    finally:
        os.sched_setaffinity(thread, before)
