# What strace's users type.
file=$DATA/syscalls-v6.dat
same() { # same "WORDS" "WORDS": two spellings
	# shellcheck disable=SC2086 # words
	cmp <(ringside syscalls -q $1 "$file") <(ringside syscalls -q $2 "$file") && echo "$1: $(ringside syscalls -q $1 "$file" | wc -l)"
}
echo '# two spellings of the same'
same '-e trace=3' '-e close'
same '-e !0,3,openat' '-e !read,close,openat'
same '-e close@64,?nosuch@64' '-e close'
same '-e %file@64' '-e %file'
same '-y --decode-fds=none' ''
same --decode-fds -y
same --decode-fds=path -yy
same --decode-fds=all -y
same --absolute-timestamps -t
same --timestamps -t
same '--timestamps --timestamps' -tt
same --timestamps=time -t
same --timestamps=precision:us -tt
same --absolute-timestamps=format:unix,precision:us -ttt
same '-ttt --timestamps=none' ''
same --quiet=exit '-e quiet=exit'
same --quiet=attach,personality ''
same --qui ''
same --quiet ''
echo '# -q says how a task ended, -qq does not, and -qqq tells nothing of that kind'
for words in '' -q -qq '-q -q' -qqq '-qq -e quiet=none' '-q --quiet'; do
	# shellcheck disable=SC2086 # words
	echo "$words: $(ringside syscalls $words "$file" 2>/dev/null | grep -c '+++')"
done
echo '# refused'
ringside syscalls -q -o '|cat' "$file"; echo $?
ringside syscalls -q -o '!cat' "$file"; echo $?
ls
for words in '-a 60' -a60 '-fa 60' '-q -a 8 ls' '-e close@32' '-e close@x32' '-e 9999' '-e trace=' --decode-fds=socket --timestamps=unix --timestamps=ns --timestamps=; do
	# shellcheck disable=SC2086 # words
	ringside syscalls $words "$file"; echo $?
done
