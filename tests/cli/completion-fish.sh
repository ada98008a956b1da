# What fish completes with our file. -C prints the lines of which Tab chooses.
command -v fish >/dev/null || { echo "SKIP: no fish"; exit 0; }
cp "$DATA/events.dat" 'a b.dat'
mkdir folder
ask() {
	echo "== $1"
	# shellcheck disable=SC2016 # for fish
	fish -c 'source $argv[1]; complete -C $argv[2]' "$TOP/completions/ringside.fish" "$1" | cut -f 1
}
ask 'ringside report a'
ask 'ringside report --input=a'
ask 'ringside record --temp=f'
ask 'ringside record --user=roo'
ask 'ringside report --color=a'
ask 'ringside report a\ b.dat -F sched_sw'
