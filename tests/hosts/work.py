# SPDX-License-Identifier: GPL-2.0
"""The command of two machines at once: work.py FOLDER THREAD. In the guest a task named "reader" reads random bytes 300 times, and each read is some
milliseconds of work. On the host a task named "spinner" takes the CPU of the guest's THREAD for 100 ms every now and then, until the guest has done its work.
Nobody else who may be busy on the host takes much of it: the thread comes before them, and the spinner before the thread."""
import os
import sys
import time


def name(comm):
    with open("/proc/self/comm", "w") as file:
        file.write(comm)


folder, thread = sys.argv[1], int(sys.argv[2])
done = os.path.join(folder, "worked")
if os.uname().nodename == "guest":
    name("reader")
    random = os.open("/dev/urandom", os.O_RDONLY)
    for _ in range(300):
        os.read(random, 1 << 18)
    open(done, "w").close()
else:
    cpu = max(os.sched_getaffinity(0))
    before = os.sched_getaffinity(thread)
    nice = os.getpriority(os.PRIO_PROCESS, thread)
    name("spinner")
    try:
        os.sched_setaffinity(thread, {cpu})
        os.sched_setaffinity(0, {cpu})
        os.setpriority(os.PRIO_PROCESS, thread, -20)
        os.setpriority(os.PRIO_PROCESS, 0, -20)
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        except OSError:
            pass
        while not os.path.exists(done):
            end = time.monotonic() + 0.1
            while time.monotonic() < end:
                pass
            time.sleep(0.3)
    finally:
        os.sched_setaffinity(thread, before)
        os.setpriority(os.PRIO_PROCESS, thread, nice)
