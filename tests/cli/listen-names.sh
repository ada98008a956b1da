# A recorder for whose file all names are taken: none of them is replaced.
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit; }
. "$TOP/tests/cli/log.bash"
cat >come.py <<'PY'
import os, socket, struct, sys
s = socket.socket()
s.bind(('127.0.0.1', 0))
mine = s.getsockname()[1]
for host in ('localhost', '127.0.0.1'):
    for n in [''] + ['-%d' % n for n in range(2, 999)]:
        if len(sys.argv) > 2 and n == '-998':
            continue
        open('files/trace.%s:%d%s.dat' % (host, mine, n), 'w').write('old')
s.connect(('127.0.0.1', int(sys.argv[1])))
s.sendall(b'-1V3\0' + b'766679\0\0' + struct.pack('>III', 28, 1, 12) + struct.pack('>III', 1, 4096, 1) + b'tcp\0')
got = b''
while True:
    part = s.recv(1000)
    got += part
    if not part or len(got) > 13 + 12: # behind the greeting, V3 and OK: it has a port
        break
print('it has a port' if len(got) > 13 else 'it is sent away')
PY
mkdir files
: >log
ringside listen -p 0 --bind 127.0.0.1 -d files 2>log &
pid=$!
wait_for 'listening on port'
port=$(sed -n 's/.*listening on port //p' log)
python3 come.py "$port"
wait_for 'no name for its file'
python3 come.py "$port" one-is-free
wait_for 'went away'
kill $pid
wait $pid
sed -E 's/(localhost|127\.0\.0\.1):[0-9]+/HOST:PORT/g; s/port [0-9]+$/port N/' log
find files -name '*.dat' -exec grep -Lx old {} +
find files -name '*.dat' | wc -l
