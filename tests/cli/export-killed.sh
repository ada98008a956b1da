# What an export does not complete is not there: kill -9 in the middle, a full disk, a reader that is gone; of every format.
machine --seed 8 --calls 20000 --functions 100 --cpus 4 --tasks 16 --switches "$DATA/events.dat" plan.dat >/dev/null
formats="csv jsonl speedscope chrome perfetto folded sqlite ctf text"
ringside export --list | grep -q '^sqlite.*not in this program' && formats=${formats/sqlite /}

echo "== kill -9"
# The last parts of the input come only when it is dead.
size=$(stat -c %s plan.dat)
for format in $formats; do
	mkfifo pipe
	ringside export --to "$format" -o "out.$format" -i - <pipe 2>/dev/null &
	pid=$!
	exec 7>pipe
	head -c $((size / 2)) plan.dat >&7
	{ kill -9 $pid; wait $pid; } 2>/dev/null
	exec 7>&-
	rm pipe
	[ -e "out.$format" ] && echo "out.$format is there"
	# While it writes: as soon as it has written something, or is done. What is there then is all of it.
	ringside export --to "$format" -o "whole.$format" plan.dat
	ringside export --to "$format" -o "out.$format" plan.dat &
	pid=$!
	until [ "$(awk '/^wchar/ { print $2 }' /proc/$pid/io 2>/dev/null || echo 999999)" -gt 0 ]; do kill -0 $pid 2>/dev/null || break; done
	{ kill -9 $pid; wait $pid; } 2>/dev/null
	[ ! -e "out.$format" ] || diff -rq "whole.$format" "out.$format" >/dev/null || echo "out.$format is there, and not complete"
	rm -rf "out.$format" "whole.$format"
done
# A hidden folder of a killed process is gone with the next export.
ringside export --to ctf -o out.ctf plan.dat && rm -r out.ctf
find . -mindepth 1 -name '.*'
# Even if it had the number that this export has: in a container the numbers are often the same.
# shellcheck disable=SC2016 # for the inner shell
sh -c 'mkdir .out.ctf.$$ && echo half > .out.ctf.$$/metadata && exec ringside export --to ctf -o out.ctf plan.dat' && rm -r out.ctf
find . -mindepth 1 -name '.*'

echo "== no room"
for format in $formats; do
	(ulimit -f 20; trap '' XFSZ; ringside export --to "$format" -o "full.$format" plan.dat 2>message)
	echo "$format $? $(ls -d full* .full* 2>/dev/null | grep -c .) $(grep -c . message)"
done

echo "== nobody reads"
for format in $formats; do
	case $format in sqlite | ctf) continue ;; esac
	ringside export --to "$format" plan.dat 2>message | head -c 1 >/dev/null
	echo "$format ${PIPESTATUS[0]} $(grep -c . message)"
done
