# bash completion for ringside: asks the program, which knows its options and the running kernel.
_ringside()
{
	local line cur words trim
	local -a out
	words=()
	read -ra words <<<"${COMP_LINE:0:COMP_POINT}"
	[[ ${COMP_LINE:COMP_POINT-1:1} == [[:space:]] ]] && words+=("")
	cur=${words[${#words[@]} - 1]}
	# readline breaks words at : and =, and wants only what follows the last break.
	trim=${cur%"${cur##*[=:]}"}
	[[ $COMP_WORDBREAKS == *:* ]] || trim=${cur%"${cur##*=}"}
	COMPREPLY=()
	mapfile -t out < <("${words[0]}" __complete "${words[@]:1}" 2>/dev/null)
	for line in "${out[@]}"; do
		case $line in
		:files | :command) compopt -o default -o bashdefault 2>/dev/null ;;
		:dirs) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "${cur##*=}") ;;
		:users) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -u -- "${cur##*=}") ;;
		*)
			line=${line%%$'\t'*}
			COMPREPLY+=("${line#"$trim"}")
			;;
		esac
	done
	if [[ " ${out[*]} " == *" :command "* && ${#COMPREPLY[@]} -eq 0 ]]; then
		mapfile -t COMPREPLY < <(compgen -c -- "$cur")
	fi
	[[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
	return 0
}
complete -F _ringside ringside
