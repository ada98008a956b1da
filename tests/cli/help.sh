# The help goes to stdout with status 0, wherever it is asked for and whatever it is called; a level of --verbose is looked at.
for command in convert dump; do
	for option in -h --help; do
		ringside $command -i nosuchfile $option 2>&1 | sed -n '1p;/^usage/p'
		echo "status ${PIPESTATUS[0]}"
	done
done
ringside stack --verbose=info operand
ringside stack --verbose=loud
