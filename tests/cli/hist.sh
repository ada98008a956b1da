# hist against counts that awk makes of the plain report.
cd "$DATA"
flat() { ringside hist --flat "$@" | awk 'NR > 1 { print $1, $NF }' | sort; }
counted() { sort | uniq -c | awk '{ print $1, $2 }' | sort; }

echo "== events, and those of one task"
ringside report events.dat | awk '/\[00/ { sub(/:$/, "", $5); print $5 }' | counted >"$HOME/want"
flat -P events.dat | diff "$HOME/want" - && echo "the same: $(wc -l <"$HOME/want") lines"
ringside report --tid 164 events.dat | awk '/\[00/ { sub(/:$/, "", $5); print $5 }' | counted >"$HOME/want"
flat --tid 164 events.dat | diff "$HOME/want" - && echo "the same: $(wc -l <"$HOME/want") lines"

echo "== a function graph, folded: each call at its depth"
ringside report openat2.dat | awk '/funcgraph_(entry|exit)/ {
		split($0, half, /\|  /); depth = (match(half[2], /[^ ]/) - 1) / 2
		name = half[2]; gsub(/[ ;{}()]/, "", name)
		if (/funcgraph_entry/) at[depth] = name
		if (half[2] ~ /;$|}/) { line = at[0]; for (i = 1; i <= depth; i++) line = line ";" at[i]; n[line]++ } }
	END { for (line in n) print line, n[line] }' | sort >"$HOME/want"
ringside hist -P --folded openat2.dat | sort | diff "$HOME/want" - && echo "the same: $(wc -l <"$HOME/want") lines"

echo "== time: below each outermost call as much as those took"
ringside report -R openat2.dat | awk '
	function number(name, v) { v = $0; return sub(".*" name "=", "", v) ? substr(v, 1, match(v " ", / /) - 1) : "" }
	/funcgraph_exit:/ && number("depth") == 0 { print number("func"), number("calltime"), number("rettime") }' |
	while read -r func call ret; do echo "$func $((0x$ret - 0x$call))"; done |
	awk '{ n[$1] += $2 } END { for (f in n) print f, n[f] }' | sort >"$HOME/want"
ringside hist -P --folded --time openat2.dat | awk '{ ns = $NF; sub(/[; ].*/, ""); n[$0] += ns } END { for (f in n) print f, n[f] }' |
	sort | diff "$HOME/want" - && cat "$HOME/want"
ringside hist --time --sum x openat2.dat; echo $?

echo "== stacks, folded, by task: the event is called by the innermost"
for cpu in 0 1; do
	ringside report --cpu $cpu --only-event sched_switch function-stacks.dat | awk '
		function close_() { if (stack) n[task ";" stack]++; stack = "" }
		/^=> / { stack = $2 ";" stack; next }
		/sched_switch: / { close_(); task = substr($0, 1, 16); sub(/^ */, "", task); stack = "sched_switch" }
		END { close_(); for (line in n) print line, n[line] }' | sort >"$HOME/want"
	ringside hist --cpu $cpu --only-event sched_switch --folded function-stacks.dat | sort | diff "$HOME/want" - &&
		echo "the same: $(wc -l <"$HOME/want") lines"
done

echo "== functions with those that call them"
ringside hist --folded -F function function-stacks.dat
echo "== a tree"
ringside hist --comm rcu_preempt function-stacks.dat
echo "== the trees have what the folded stacks have: of each function the chains that end with it"
cat >"$HOME/unfold.py" <<'END'
import re
import sys

counts = {}


def end(path, n):
    line = ";".join(reversed(path))
    counts[line] = counts.get(line, 0) + n


def close(levels, column):
    """What stands at this column or behind it has no more callers: what was not called by those is where chains begin."""
    while levels and levels[-1]["column"] >= column:
        level = levels.pop()
        if level["left"]:
            end(level["path"], level["left"])


levels = []
for line in sys.stdin:
    line = line.rstrip("\n")
    head, branch = re.match(r"  %\S+ <all pids> +\S+ #(\d+)$", line), re.match(r"([ |]*\|)--%\S+-- (\S+)  # (\d+)$", line)
    if head:
        close(levels, 0)
        count = int(head.group(1))
    elif line.startswith("         --- "):
        levels.append({"column": 0, "left": count, "path": [line.split()[1].strip("*")]})
    elif branch:
        column, n = len(branch.group(1)), int(branch.group(3))
        close(levels, column)
        levels[-1]["left"] -= n
        levels.append({"column": column, "left": n, "path": levels[-1]["path"] + [branch.group(2)]})
    elif re.search(r"[^ |]", line):
        close(levels, len(re.match(r"[ |]*", line).group()))
        levels[-1]["path"].append(line.split()[-1])
close(levels, 0)
for stack in sorted(counts):
    print(stack, counts[stack])
END
for recording in openat2 function-stacks events; do
	ringside hist -P --folded $recording.dat | sort >"$HOME/want"
	ringside hist -P $recording.dat | python3 "$HOME/unfold.py" | sort | diff "$HOME/want" - | head -n 5
	echo "compared: $(wc -l <"$HOME/want") lines"
done
echo "== only the first ones"
ringside hist -n 3 events.dat
ringside hist -P -n 2 --flat events.dat
echo "== the sum of a field, by events that have it"
ringside report -R events.dat | awk '/ bytes_alloc=/ { sub(/:$/, "", $5); v = $0; sub(/.* bytes_alloc=/, "", v); sub(/ .*/, "", v)
	n[$5] += v } END { for (e in n) print n[e], e }' | sort
flat -P --sum bytes_alloc events.dat
echo "== every CPU and instance"
ringside hist --flat -P -B alpha instances.dat | head -3
ringside hist --flat -P --cpu 1 instances.dat | head -3
echo "== as CSV and JSON: what --flat has as lines"
ringside hist --csv events.dat | head -1
for form in '' --pid\ 165 '--sum bytes_alloc' -P; do
	# shellcheck disable=SC2086
	ringside hist --flat $form events.dat | awk 'NR > 1 { print $1, $NF }' >"$HOME/want"
	# shellcheck disable=SC2086
	ringside hist --csv $form events.dat | awk -F, 'NR > 1 { print $5 $6 $7, $1 $2 }' | diff "$HOME/want" - && echo "the same: $(wc -l <"$HOME/want") lines"
done
ringside hist -P -n 1 --json --columns event,count events.dat | tail -n 2
ringside hist --columns nme events.dat; echo $?
echo "== a field that only events have which are not counted"
ringside hist --only-event sched_switch --sum bytes_alloc events.dat; echo $?
ringside hist --only-event sched_switch --folded --sum bytes_alloc events.dat; echo $?
echo "== refused"
ringside hist --sum nope events.dat; echo $?
ringside hist --sum bytes_rq events.dat; echo $?
# Addresses in the kernel: two of them are more than 2^64.
ringside hist --flat --sum call_site events.dat; echo $?
ringside hist --flat --folded events.dat; echo $?
for form in --json --csv --columns=count; do ringside hist --folded $form events.dat 2>&1 | cut -d';' -f1; done
ringside flame --folded --sum ptr events.dat; echo $?
ringside hist --sum prev_comm events.dat; echo $?
ringside hist -n x events.dat; echo $?
ringside hist none.dat; echo $?
ringside hist --only-event nope events.dat; echo $?
ringside hist --pid 999999 events.dat; echo $?

echo "== --time: what a call did during a loss is not its own time"
plan "$DATA/openat2.dat" "$HOME/lost.dat" <<END
0 1000 7 funcgraph_entry func=@vfs_open depth=0
0 2000 7 funcgraph_entry func=@kfree depth=1
0 2100 8 funcgraph_entry func=@mutex_unlock depth=0
0 2300 8 funcgraph_exit func=@mutex_unlock depth=0 calltime=2100 rettime=2300
0 lost 2
0 9000 7 funcgraph_exit func=@vfs_open depth=0 calltime=1000 rettime=9000
0 9100 7 funcgraph_entry func=@vfs_read depth=0
0 9200 7 funcgraph_entry func=@kfree depth=1
0 9250 8 funcgraph_exit func=@mutex_unlock depth=0 calltime=8000 rettime=9250
0 9300 7 funcgraph_exit func=@kfree depth=1 calltime=9200 rettime=9300
0 9500 7 funcgraph_exit func=@vfs_read depth=0 calltime=9100 rettime=9500
END
ringside hist --time --flat -P --csv --columns function,self "$HOME/lost.dat"

echo "== --time of planned calls: the own time with that off the CPU, of calls that are complete; tasks move, and what one CPU loses is missing on another"
planned() { # planned OPTION...
	machine "$@" events.dat "$HOME/planned.dat" | awk '$1 == "F" && $6 + $7 { printf "%s %.0f\n", $2, $6 + $7 }' | sort >"$HOME/want"
	ringside hist --time -P --flat --csv --columns function,self "$HOME/planned.dat" 2>/dev/null | tr -d '"\r' |
		awk -F, 'NR > 1 { sub(/\(\)/, "", $1); n[$1] += $2 } END { for (name in n) if (n[name]) printf "%s %.0f\n", name, n[name] }' | sort >"$HOME/got"
	diff "$HOME/want" "$HOME/got" && echo "$(wc -l <"$HOME/got") functions"
}
planned --seed 2 --functions 50 --cpus 4 --tasks 9 --switches --migrate
for seed in 1 2 3; do
	planned --seed $seed --switches --migrate --cpus 4 --tasks 20 --lose 200
	planned --seed $seed --switches --migrate --irqs graph --cpus 4 --tasks 20 --two --lose 300
	planned --seed $seed --switches --migrate --cpus 4 --tasks 12 --two --lose 60 --lose-sched 60
done

# Each of 1,500 calls of vfs_statx has callers of its own: eleven calls of vfs_open (a digit 1 of the call's number) or vfs_read (a digit 0), the lowest digit innermost.
# vfs_write has 40 calls, whose callers are the same without the outermost six. The trees of many chains are made in another way than those of few.
echo "== a function with more different chains than a job makes"
{
	echo 'task 7 busy'
	awk 'function enter(name) { print 0, t += 10, 7, "funcgraph_entry", "func=@" name, "depth=" depth++ }
	function leave(name) { depth--; print 0, t += 10, 7, "funcgraph_exit", "func=@" name, "depth=" depth, "calltime=" t - 5, "rettime=" t }
	function calls(i, digits, leaf, d) {
		for (d = digits - 1; d >= 0; d--) enter(int(i / 2 ^ d) % 2 ? "vfs_open" : "vfs_read")
		enter(leaf); leave(leaf)
		for (d = 0; d < digits; d++) leave(int(i / 2 ^ d) % 2 ? "vfs_open" : "vfs_read")
	}
	BEGIN { t = 1000000; for (i = 0; i < 1500; i++) calls(i, 11, "vfs_statx"); for (i = 0; i < 40; i++) calls(i % 32, 5, "vfs_write") }'
} | plan "$DATA/openat2.dat" "$HOME/chains.dat"
for threads in 1 2 5; do RINGSIDE_THREADS=$threads ringside hist "$HOME/chains.dat" >"$HOME/chains.$threads"; cmp "$HOME/chains.1" "$HOME/chains.$threads"; done
for leaf in vfs_statx vfs_write; do
	awk -v leaf="$leaf" '/^  %/ { on = $(NF - 1) == leaf } on' "$HOME/chains.1" | grep -E '^  %|^ {12}\|--' | sed 's/^ *//'
done
# Every level of the tree has all calls, except the last one: a chain that is alone has no branch, and 476 chains differ from 476 others only in the outermost caller.
awk '/^  %/ { on = $(NF - 1) == "vfs_statx" } on && match($0, /\|--%/) { sum[(RSTART - 13) / 13] += $NF }
	END { for (level = 0; level in sum; level++) print "level " level ": " sum[level] }' "$HOME/chains.1"
