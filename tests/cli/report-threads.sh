# The text is the same at any number of threads, whatever is asked.
for file in "$DATA"/*.dat; do
	for options in "" "-R" "--tree"; do
		for threads in 1 2 3 8; do
			# shellcheck disable=SC2086
			RINGSIDE_THREADS=$threads ringside report $options "$file" 2>&1 | md5sum
		done | sort | uniq -c | sed "s|.* [0-9a-f]\{32\} .*|&|; s|^ *\([0-9]*\) .*|\1|" | tr '\n' ' '
	done
	basename "$file"
done
