# syscalls against calls that awk puts together from the raw fields of the plain report.
cd "$DATA"

# "NAME CALLS ERRORS NS" of each call whose entry and exit are both there, as -c --csv has them.
by_awk() { # by_awk FILE
	ringside report -t -R "$1" | awk '
	function number(name, v) { v = $0; return sub(".* " name "=", "", v) ? substr(v, 1, match(v " ", / /) - 1) : "" }
	{ match($0, /-[0-9]+ +\[/); task = substr($0, RSTART + 1, RLENGTH - 2) + 0
	  match($0, / [0-9]+\.[0-9]+: /); split(substr($0, RSTART + 1, RLENGTH - 3), t, "."); ns = t[1] * 1000000000 + t[2] }
	/ sys_enter/ { nr = number("__syscall_nr"); if (nr == "") nr = number("id"); open[task] = nr; since[task] = ns }
	/ sys_exit/ {
		nr = number("__syscall_nr"); if (nr == "") nr = number("id")
		if (nr ~ /^0xffff|^-/ && open[task] ~ /^(0x0*f|15)$/) nr = open[task]	# rt_sigreturn has none any more
		if (open[task] == nr && nr != "") {
			calls[nr]++; took[nr] += ns - since[task]
			if (number("ret") ~ /^0xfffffffffffff|^-/) errors[nr]++
		}
		open[task] = ""
	}
	END { for (nr in calls) print calls[nr], errors[nr] + 0, took[nr] }' | sort
}
by_us() { ringside syscalls -c --csv --columns calls,errors,total "$1" | tail -n +2 | grep -v '^0,' | tr , ' ' | sort; }
for file in syscalls-v6.dat events.dat; do
	echo "# $file: a table as of awk's figures"
	by_awk $file >awk
	by_us $file 2>/dev/null >us
	diff awk us && wc -l <us
done

echo '# as many lines end with a result as there are exits, but for those of children that come to life (56 to 58: clone, fork and vfork)'
ringside report syscalls-v6.dat | grep -c ' sys_exit_'
ringside syscalls -q syscalls-v6.dat | grep -c ') *= [^?]'
ringside report events.dat | grep ' sys_exit:' | grep -vc 'NR 5[678] = 0$'
ringside syscalls -q events.dat | grep -c ') *= [^?]'

echo '# the first lines'
ringside syscalls syscalls-v6.dat >out 2>err
head -12 out
cat err
echo '# of one task, with times'
ringside syscalls -q --pid 171 -tt -T -e 'trace=%file,ioctl' syscalls-v6.dat | tail -6
ringside syscalls -q --pid 171 -ttt -Y -e /^stat syscalls-v6.dat -r
echo '# sets'
for set in %file '!%file' 'open*' '!all' none %desc,write '?nosuch,close' %process,/^mun; do
	echo "$set: $(ringside syscalls -q -z -e "$set" syscalls-v6.dat | sed 's/(.*//; s/.*\] //; s/<\.\.\. \(.*\) resumed>.*/\1/' | sort | uniq -c | tr -s ' \n' ' ')"
done
echo '# what failed'
ringside syscalls -q -Z syscalls-v6.dat
echo '# options behind the file, and the table; -n and --sort are of the table'
ringside syscalls syscalls-v6.dat -c -n 3 --columns syscall,calls,errors,max,cut --sort syscall
ringside syscalls -c --sort -total syscalls-v6.dat >table
ringside syscalls --sort -total syscalls-v6.dat | cmp - table
ringside syscalls -n 2 syscalls-v6.dat | head -3 | cmp - <(head -3 table)
ringside syscalls -o out -e close syscalls-v6.dat && tail -1 out
echo '# refused'
ringside syscalls -e %nofile syscalls-v6.dat
ringside syscalls -e opent syscalls-v6.dat; echo $?
ringside syscalls -e inject=none syscalls-v6.dat
ringside syscalls -e '' syscalls-v6.dat
ringside syscalls kprobes.dat; echo $?
ringside syscalls openat2.dat; echo $?
# What is there, and what the options left out, is not denied.
ringside syscalls -c --only-event sched_switch events.dat
ringside dist read -F sched_switch:prev_pid==0 events.dat
ringside syscalls syscalls-v6.dat ls; echo $?
ringside syscalls -z -Z syscalls-v6.dat; echo $?
ringside syscalls -p 1 ls; echo $?
for words in '-P /etc/passwd' '-fs 200' --string-limit=9 -k -xx '-E A=1' '-u root'; do
	# shellcheck disable=SC2086
	ringside syscalls $words true; echo $?
done
ringside syscalls --trace=close --status=failed --signal=none openat2.dat; echo $?
ringside syscalls --trace=nosuch openat2.dat; echo $?
ringside syscalls -p nobody
ringside syscalls -p ''; echo $?
