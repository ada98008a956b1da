# Files of programs that are not there: where they were looked for, and why they are none.
for file in ./nothing /nothing nothing-of-this-name; do
	ringside probe syms "$file"; echo "status $?"
	ringside probe syms --pid $$ "$file" 2>&1 | sed "s/$$/PID/"
done
echo "== what is there, and is no file"
mkdir folder; : >file
for file in ./folder ./file/nothing /dev/null; do
	ringside probe syms "$file"; echo "status $?"
	ringside probe usdt --pid $$ "$file" 2>&1 | sed "s/$$/PID/"
done
echo "== a program in a folder of \$PATH whose full path is too long"
python3 - <<'PYTHON'
import os
for _ in range(25):
	os.mkdir("d" * 200); os.chdir("d" * 200)
open("deep", "w").close(); os.chmod("deep", 0o755); os.environ["PATH"] += ":."
os.system("ringside probe syms deep; echo status $?")
PYTHON
rm -r ddd*
echo "== a process that has ended"
true & gone=$!
wait $gone
for file in /nothing nothing-of-this-name; do
	ringside probe syms --pid $gone $file 2>&1 | sed "s/$gone/PID/"
done
echo "== libraries in folders that ld.so.conf and what it includes name, inside another root"
mkdir -p there/etc/ld.so.conf.d/more there/one there/two/deep there/three
cp "$(command -v ringside)" there/one/libfirst.so.1; cp there/one/libfirst.so.1 there/two/deep/libsecond.so.2; cp there/one/libfirst.so.1 there/three/libthird.so.3
# A file that includes itself is read once, and an unknown line is left out.
printf '%s\n' '# folders' '/one # of ours' 'include ld.so.conf.d/*.conf /etc/nothing' 'hwcap 1 nosegneg' > there/etc/ld.so.conf
printf '\t/two/deep=libc6\ninclude\tld.so.conf.d/*.conf ld.so.conf.d/more/a\n' > there/etc/ld.so.conf.d/a.conf
printf '/three' > there/etc/ld.so.conf.d/more/a
as_root=; [ "$(id -u)" = 0 ] || as_root="unshare -r"
mkfifo ready
$as_root python3 -c 'import os, time; os.chroot("there"); os.write(3, b"\n"); os.close(3); time.sleep(600)' 3> ready & there=$!
read -r < ready
for library in first libsecond libthird.so fourth; do
	ringside probe syms --pid $there $library main 2>&1 | sed "s/$there/PID/; s/.* main$/main/"
done
kill $there
