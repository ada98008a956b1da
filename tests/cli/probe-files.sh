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
echo "== a process that has ended"
true & gone=$!
wait $gone
for file in /nothing nothing-of-this-name; do
	ringside probe syms --pid $gone $file 2>&1 | sed "s/$gone/PID/"
done
