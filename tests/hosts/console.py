# SPDX-License-Identifier: GPL-2.0
"""A shell on the console of a guest, for record --rsh: console.py FOLDER HOST LINE. The console is the socket FOLDER/HOST.1, where a shell waits for a
line. Ends when the standard input does, or when the guest has gone."""
import os
import socket
import sys
import threading

folder, host, line = sys.argv[1:4]
console = socket.socket(socket.AF_UNIX)
try:
    console.connect(os.path.join(folder, host + ".1"))
except OSError as error:
    sys.exit("%s: no console: %s" % (host, error))

# The one before us may still read what comes there. What answers is the shell.
ready = b"ready %d" % os.getpid()
said = b""
console.settimeout(1)
while ready not in said:
    console.sendall(b"\necho 'ready' %d\n" % os.getpid())
    try:
        while ready not in said:
            said += console.recv(65536) or sys.exit("%s: the console is closed" % host)
    except TimeoutError:
        pass
console.settimeout(None)


def send():
    data = line.encode() + b"\n"
    while data:
        console.sendall(data)
        data = os.read(0, 65536)
    os._exit(0)


threading.Thread(target=send, daemon=True).start()
try:
    while True:
        data = console.recv(65536)
        if not data:
            sys.exit("%s: the console is closed" % host)
        os.write(1, data)
except (BrokenPipeError, ConnectionError) as error:
    sys.exit("%s: %s" % (host, error))
