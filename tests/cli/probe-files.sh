# Files of programs that are not there: where they were looked for.
for file in ./nothing /nothing nothing-of-this-name; do
	ringside probe syms "$file"; echo "status $?"
	ringside probe syms --pid $$ "$file" 2>&1 | sed "s/$$/PID/"
done
