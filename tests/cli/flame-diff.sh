# flame --diff: verdicts, words and figures are those of `diff --graph`; its folded form; names that would be markup; what does not go together.
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 0; }
ringside dump --kallsyms "$DATA/openat2.dat" | awk '$3 ~ /^(vfs_read|dput|kfree|fput|getname|do_filp_open)$/ && !s[$3]++ { print $3, "0x" $1 }' >symbols
# recording FILE READ DPUTS LAST: 300 rounds of do_filp_open with vfs_read of READ ns (a bit more and less) and DPUTS of dput inside, then kfree, then LAST.
recording() {
	awk -v read="$2" -v dputs="$3" -v last="$4" '
	{ at[$1] = $2 }
	function enter(f, depth) { printf "0 %d 100 funcgraph_entry func=%s depth=%d\n", t, at[f], depth; began[depth] = t }
	function leave(f, depth, took) {
		t = began[depth] + took
		printf "0 %d 100 funcgraph_exit func=%s depth=%d calltime=%d rettime=%d\n", t, at[f], depth, began[depth], t
		t += 100
	}
	function call(f, depth, took) { enter(f, depth); leave(f, depth, took) }
	END {
		t = 1000000000
		for (r = 0; r < 300; r++) {
			wobble = (r * 7919) % 101
			enter("do_filp_open", 0)
			t += 100
			call("vfs_read", 1, read + wobble * 20)
			for (d = 0; d < dputs; d++) call("dput", 1, 1500 + wobble)
			leave("do_filp_open", 0, read + wobble * 20 + dputs * (1600 + wobble) + 1000)
			call("kfree", 0, 700 + wobble)
			call(last, 0, 2500 + wobble)
		}
	}' symbols >plan
	plan "$DATA/openat2.dat" "$1" <plan
}
recording old.dat 20000 1 getname
recording new.dat 27000 3 fput
data() { { printf '\037\213\010\0\0\0\0\0\0\0'; sed -n 's|^<script type="text/plain" id="data-flame">\([A-Za-z0-9+/=]*\)</script>$|\1|p' "$1" | base64 -d | tail -c +3; } | gzip -dc 2>/dev/null; }

echo "== the page says what diff says"
ringside diff --graph --columns path,verdict old.dat new.dat 2>/dev/null
ringside flame --diff old.dat -o x.html new.dat; echo $?
data x.html >x.json
ringside diff --graph --csv old.dat new.dat 2>/dev/null >diff.csv
cat >same.py <<'END'
import csv, json
page = json.load(open("x.json"))
diff, tree, names = page["diff"], page["merged"], page["names"]
def path(frame):
    return (path(tree["parent"][frame]) + ";" if tree["parent"][frame] else "") + names[tree["name"][frame]]
frames = {row - 1: path(frame) for frame, row in enumerate(diff["row"]) if row}
want = {row["path"]: row for row in csv.DictReader(open("diff.csv", newline="", encoding="utf-8"))}
assert len(want) == len(diff["verdict"])
for i, row in enumerate(csv.DictReader(open("diff.csv", newline="", encoding="utf-8"))):
    verdict = diff["verdicts"][diff["verdict"][i]]
    said = diff["evidence"][i].replace("\u2192", "->").replace("\u00d7", "x")
    assert (verdict, said) == (row["verdict"], row["evidence"]), (row, said)
    assert frames.get(i, row["path"]) == row["path"], (frames[i], row["path"])
    assert (i in frames) == (verdict != "gone"), row
print("the same:", len(want), "paths,", len(frames), "of them frames")
END
python3 same.py

echo "== folded: the old and the new weight, which are those of each by itself"
ringside flame --diff old.dat --folded new.dat >both
for side in old new; do
	awk -v side=$side '{ n = side == "old" ? $(NF - 1) : $NF; NF -= 2; if (n) print $0, n }' both | diff - <(ringside flame --folded $side.dat) && echo "$side: the same"
done
ringside flame --diff old.dat --folded --weight calls new.dat

echo "== a picture"
ringside flame --diff old.dat -o x.svg new.dat
grep -oE '<title>[a-z_]*: .*; (slower|more often|new): [^<]*</title><rect.*fill="#[0-9a-f]*"' x.svg | sed -E 's/: .*; ((slower|more often|new):)/: \1/; s/<rect.*fill=/ /'
grep -oE '<text class="said" x="10" y="20">[^<]*' x.svg

echo "== several before; names are data"
ringside flame --diff old.dat --diff old.dat --folded new.dat | cmp - both && echo "the same"
ringside convert --file-version 6 -i new.dat -o plain.dat
LC_ALL=C sed "s|do_filp_open|</script>\&'\"|" plain.dat >hostile.dat
ringside flame --diff old.dat -o hostile.html hostile.dat
ringside flame --diff old.dat -o hostile.svg hostile.dat
grep -cF "</script>&'" hostile.html hostile.svg

echo "== the same recording; refusals"
ringside flame --diff new.dat -o same.html new.dat && data same.html | grep -oE '"verdict":\[[0,]*\]'
ringside flame --diff old.dat old.dat new.dat; echo $?
ringside flame --diff nosuch.dat new.dat; echo $?
ringside flame --diff old.dat --weight events new.dat; echo $?
ringside flame --diff old.dat --off-cpu new.dat; echo $?
ringside flame --diff old.dat --by task new.dat; echo $?
ringside flame --diff old.dat --pid 4711 new.dat; echo $?
ringside flame --diff old.dat --folded new.dat >/dev/full; echo $?
cat new.dat | ringside flame --diff old.dat --folded -i - | cmp - both && echo "from a pipe: the same"
ls -- *.html
