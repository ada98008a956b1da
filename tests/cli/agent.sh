# Agents and recorders that lie: those that ask are a few words through /dev/tcp, those that answer a few lines of Python.
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit; }
. "$TOP/tests/cli/log.bash"
plain() { sed -E 's/(localhost|127\.0\.0\.1):[0-9]+/HOST:PORT/g; s/port [0-9]+/port N/; s/kill [0-9]+/kill N/' "$@"; }

cat >say.py <<'PY'
import socket, struct, sys
def message(kind, fixed=b'', rest=b'', size=None):
    return struct.pack('>III', 12 + len(fixed) + len(rest) if size is None else size, kind, len(fixed)) + fixed + rest
def request(words, count=None, kind=6, fixed=bytes(16)):
    text = b''.join(word.encode() + b'\0' for word in words)
    text = struct.pack('>I', len(words) if count is None else count) + text
    return message(kind, fixed, struct.pack('>II', 0, len(text)) + text)
def response(cpus=1, page=4096, ports=b'1\0', flags=0):
    return message(7, struct.pack('>III', flags, cpus, page) + bytes(28), ports)
asks = {
    'nothing': b'', 'http': b'GET / HTTP/1.0\r\n\r\n', 'half': request(['-e', 'x'])[:20], 'huge': message(6, size=0xffffffff), 'other': message(1, bytes(12)),
    'short': message(6, bytes(4)), 'count': request(['-e'], 7), 'many': request(['-e'], 4000000000), 'proxy': request(['-e', 'x'], kind=10, fixed=bytes(24)),
    'file': request(['-o', '/etc/passwd']), 'command': request(['-e', 'sched', 'reboot']), 'buffer': request(['-B', 'x', '-e', 'sched']),
    'unknown': request(['--nonsense']), 'param': message(6, bytes(16), struct.pack('>II', 0, 1000)),
}
answers = {
    'nothing': b'', 'http': b'HTTP/1.0 400 no\r\n\r\n', 'refuses': message(5), 'cpus': response(1000000), 'no-cpus': response(0), 'pages': response(page=4097),
    'ports': response(2), 'port': response(ports=b'x\0'), 'fifos': response(flags=1), 'early': response() + message(8), 'goes': response() + message(3, b'', b'abc'),
    'huge': message(7, size=0x7fffffff), 'rubbish': response() + message(3, b'', b'no metadata') + message(4),
}
if sys.argv[1] == 'ask':
    s = socket.create_connection(('127.0.0.1', int(sys.argv[2])))
    try: # who refuses what it has read so far may have gone
        s.sendall(asks[sys.argv[3]])
        s.shutdown(socket.SHUT_WR)
        s.recv(1)
    except OSError:
        pass
else:
    s = socket.create_server(('127.0.0.1', 0))
    print(s.getsockname()[1], flush=True)
    for name in sys.argv[2:]:
        c, _ = s.accept()
        try:
            c.recv(12)
            c.sendall(answers[name])
            c.shutdown(socket.SHUT_WR)
            while c.recv(4096):
                pass
        except OSError:
            pass
        c.close()
PY

echo "== recorders"
: >log
ringside agent -N 127.0.0.1 --bind 127.0.0.1 -p 0 --max-clients 16 2>log &
pid=$!
wait_for 'listens on port'
port=$(sed -n 's/.*listens on port //p' log)
n=0
for what in nothing http half huge other short count many proxy param file command buffer unknown; do
	n=$((n + 1))
	python3 say.py ask "$port" $what
	wait_for ':[0-9]+: (it|what) ' $n
done
kill $pid
wait $pid
echo "status $?"
plain log

echo "== agents"
names='nothing http refuses cpus no-cpus pages ports port fifos early goes huge rubbish'
# wait_for needs a file.
: >port
# shellcheck disable=SC2086
python3 say.py answer $names >port &
pid=$!
log=port
wait_for '[0-9]'
read -r port <port
for what in $names; do
	echo "$what:"
	ringside record -A "127.0.0.1:$port" --name far -e sched touch ran 2>&1 | plain | grep -v '[0-9] CPUs*, sub-buffers'
	echo "status ${PIPESTATUS[0]}"
done
wait $pid
rm log port say.py
ls

echo "== wrong use"
ringside agent file
ringside agent -P here
ringside agent -P 3 -N here
ringside agent -p x
ringside agent -N here -p 65536
ringside agent --bind 127.0.0.1
ringside agent --temp here
ringside agent -N 127.0.0.1 -p 0 --temp "$PWD/nowhere" 2>&1 | sed "s|$PWD/||"
ringside agent -N not.an.address.invalid -p 0 2>&1 | sed 's/invalid: .*/invalid: WHY/'
ringside record -A
ringside record -A -e sched true
ringside record --agent=-e true
ringside record -A '' true
ringside record -A here:1 -o file true
ringside record -A 127.0.0.1:99999 true
ringside record -A '[::1]:0' true
ringside record -A here:1 --name a/b true
ringside record -A :823 true
ringside record -A here:1 -A here:2 true
ringside record --proxy here:1 true
ringside record -A here:1 --tsync-interval five true
ringside record --name x true
ringside record -N here:1 -A here:1 true
ringside record -o - -A here:1 true
