# shellcheck shell=bash disable=SC2154
# Print programs against libtraceevent, in a program of its own: its results are taken over, what it says goes along.
before=$n planned=0
while IFS= read -r line; do
	case $line in
	"ok "*) ok "${line#*oracle: }" ;;
	"not ok "*) not_ok "${line#*oracle: }" < /dev/null ;;
	"1.."*) planned=$((planned + ${line#1..})) ;;
	*) echo "$line" ;;
	esac
done < <(tests/oracle/print-suite 2>&1)
if [ "$planned" -eq 0 ] || [ "$planned" -ne $((n - before)) ]; then
	not_ok "print programs: $planned tests planned, $((n - before)) ran" < /dev/null
fi
