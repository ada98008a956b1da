# Asks the agent at this port of this machine for a recording, connects to all that it names, and takes nothing of the data. When the file
# of this name appears, it says that the recording is to end, and goes on to take nothing.
import os, socket, struct, sys, time
def message(kind, fixed=b'', rest=b''):
    return struct.pack('>III', 12 + len(fixed) + len(rest), kind, len(fixed)) + fixed + rest
def request(words):
    text = struct.pack('>I', len(words)) + b''.join(w.encode() + b'\0' for w in words)
    return message(6, bytes(16), struct.pack('>II', 0, len(text)) + text)
def exactly(s, n):
    out = b''
    while len(out) < n:
        got = s.recv(n - len(out))
        if not got:
            raise SystemExit('gone')
        out += got
    return out
def hear(s):
    size, kind, fixed = struct.unpack('>III', exactly(s, 12))
    return kind, exactly(s, size - 12)[fixed:]
s = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
s.sendall(request(['-p', 'nop']))
kind, rest = hear(s)
ports = [int(p) for p in rest.split(b'\0')[:-1]]
while hear(s)[0] != 4:
    pass
data = []
for p in ports:
    d = socket.socket()
    d.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    d.connect(('127.0.0.1', p))
    data.append(d)
print('connected', flush=True)
if len(sys.argv) > 2:
    while not os.path.exists(sys.argv[2]):
        time.sleep(0.1)
    s.sendall(message(0))
try:
    while s.recv(1000):
        pass
except OSError:
    pass
