# The help goes to stdout with status 0, wherever it is asked for and whatever it is called; a level of --verbose is looked at.
for command in convert dump; do
	for option in -h --help; do
		ringside $command -i nosuchfile $option 2>&1 | sed -n '1p;/^usage/p'
		echo "status ${PIPESTATUS[0]}"
	done
done
ringside stack --verbose=info operand
ringside stack --verbose=loud; echo $?
for words in report probe fleet 'probe vars' 'fleet list'; do
	# shellcheck disable=SC2086
	diff <(ringside help $words) <(ringside $words --help) || echo "help $words is another"
done
ringside help probe | grep -c '^  [a-z]* '
ringside help probe nosuch; echo $?
