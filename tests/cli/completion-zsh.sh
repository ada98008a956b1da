# What zsh completes with our file. An interactive zsh gets lines on a terminal of its own, and its widget prints the line behind Tab.
command -v zsh >/dev/null || { echo "SKIP: no zsh"; exit 0; }
cp "$DATA/events.dat" 'a b.dat'
mkdir folder
cat >inner <<'ZSH'
fpath=($TOP/completions $fpath)
autoload -Uz compinit && compinit -u -D
compdef _ringside ringside
tab() { zle expand-or-complete; print -r -- "line:${BUFFER}|" >>lines; BUFFER=''; zle accept-line; }
zle -N tab && bindkey '^I' tab
print ready >>lines
ZSH
cat >outer <<'ZSH'
zmodload zsh/zpty || exit
await() { repeat 5000; do [[ -f lines && $(wc -l <lines) -ge $1 ]] && return; zpty -rt shell rest && continue; sleep 0.02; done; }
zpty shell zsh -f -i
zpty -w shell ' . ./inner'
await 1
n=1
while read -r line; do
	zpty -n -w shell "$line"$'\t'
	await $((++n))
done
zpty -d shell
ZSH
zsh -f outer <<'LINES'
ringside report a
ringside report --input=a
ringside report --inp
ringside record --temp=f
ringside record --user=roo
ringside report --color=al
ringside report a\ b.dat -F sched_swi
LINES
sed -n 's/^line://p' lines
