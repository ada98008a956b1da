# SPDX-License-Identifier: GPL-2.0
"""A message that goes round between machines: messages.py TRIPS PLACE.... A place is the second serial port of a guest (the socket FOLDER/HOST.2, behind
which `echo` below answers), or the trace_marker of an instance on this kernel. Each writes "trip N" when the message comes by, and only then does it go on.

In a guest: messages.py --answer PORT MARKER."""
import os
import socket
import sys
import time


def mark(marker, number):
    os.write(marker, b"trip %d\n" % number)


def is_on(instance):
    """An instance that was just made is on, too, until its recorder has switched it off. The recorder enables its event after that, and then switches it on."""
    for name in "events/sched/sched_process_exec/enable", "tracing_on":
        with open(os.path.join(instance, name)) as file:
            if not file.read().startswith("1"):
                return False
    return True


def wait_until_on(marker):
    """Until the instance of the marker is there and records."""
    while True:
        try:
            if is_on(os.path.dirname(marker)):
                return
        except OSError:
            pass
        time.sleep(0.05)


def answer(port, marker):
    """Reads a number, writes it as a mark, and sends it back."""
    port = os.open(port, os.O_RDWR | os.O_NOCTTY)
    said = b""
    while True:
        said += os.read(port, 100)
        while b"\n" in said:
            number, said = said.split(b"\n", 1)
            wait_until_on(marker)
            with open(marker, "wb", buffering=0) as file:
                mark(file.fileno(), int(number))
            os.write(port, number + b"\n")


def place(path):
    if not path.endswith(".2"):
        wait_until_on(path)
        marker = os.open(path, os.O_WRONLY)
        return lambda number: mark(marker, number)
    port = socket.socket(socket.AF_UNIX)
    port.settimeout(300)
    port.connect(path)

    def send(number):
        port.sendall(b"%d\n" % number)
        said = b""
        while not said.endswith(b"\n"):
            said += port.recv(100)
        assert int(said) == number, said

    return send


if sys.argv[1] == "--answer":
    answer(*sys.argv[2:4])
else:
    places = [place(path) for path in sys.argv[2:]]
    for trip in range(int(sys.argv[1])):
        for i, send in enumerate(places):
            send(trip * len(places) + i)
