# shellcheck shell=bash
# Documentation/trace-cmd.md leaves none of trace-cmd's options out: neither those of its manual pages nor those of `trace-cmd COMMAND --help`.
page=Documentation/trace-cmd.md

# of_manual COMMAND, of_help COMMAND: its options, one a line. Those of a manual page stand at the beginning of their lines, several with
# commas or bars between them; a line of profile's text begins with the name of an option as well.
of_manual() {
	zcat -f /usr/share/man/man1/"trace-cmd-$1.1"* 2>/dev/null | man -l - 2>/dev/null | col -b | grep -E '^ {7}-' | grep -v 'without having to record' | spellings
}
of_help() {
	trace-cmd "$1" --help </dev/null 2>&1 | grep -E '^ +-' | spellings
}
spellings() {
	awk '{
		for (i = 1; i <= 3 && i <= NF; i++)
			if ($i ~ /^--?[A-Za-z]/) { sub(/[,[=:].*/, "", $i); print $i }
			else if ($i != "|") break
	}'
}

# listed COMMAND: what the page's first column has
listed() {
	awk -v command="$1" '/^## / { on = $2 == command } on && /^\| / { split($0, cell, "|"); print cell[2] }' "$page" |
		grep -oE -- '`-[^`]+`' | tr -d '`'
}

missing() {
	for command in $(sed -n 's/^## //p' "$page"); do
		comm -23 <({ of_manual "$command"; of_help "$command"; } | sort -u) <(listed "$command" | sort -u) | sed "s/^/$command: /"
	done
}

if [ "$(of_manual record | wc -l)" -lt 40 ]; then
	skip "checklist" "trace-cmd's manual pages are not installed"
else
	missing | nothing "checklist: every option of trace-cmd is in the page"
fi
