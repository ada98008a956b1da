# shellcheck shell=bash disable=SC2154
# Print programs against libtraceevent, in a program of its own: its results are taken over, what it says goes along.
while IFS= read -r line; do
	case $line in
	"ok "*) ok "${line#*oracle: }" ;;
	"not ok "*) not_ok "${line#*oracle: }" < /dev/null ;;
	"1.."*) ;;
	*) echo "$line" ;;
	esac
done < <(tests/oracle/print-suite 2>&1)
