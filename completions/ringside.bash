# bash completion for ringside: asks the program, which knows its options and the running kernel.

# Splits a line into the words that the shell would make of it, without their quotes. Sets __ringside_words, and
# __ringside_done: what readline leaves alone of the last word, "" in front of a quote that is still open.
__ringside_split()
{
	local text=$1 c quote='' word='' done='' i in_word=''
	__ringside_words=()
	for ((i = 0; i < ${#text}; i++)); do
		c=${text:i:1}
		if [[ -n $quote ]]; then
			if [[ $c == "$quote" ]]; then
				quote=''
			else
				[[ $quote != \" || $c != \\ ]] || { ((++i)); c=${text:i:1}; }
				word+=$c
			fi
			continue
		fi
		case $c in
		[[:space:]])
			[[ -z $in_word ]] || __ringside_words+=("$word")
			word='' done='' in_word=''
			continue
			;;
		\' | \") quote=$c done=$word ;;
		\\)
			((++i))
			word+=${text:i:1}
			;;
		*) word+=$c ;;
		esac
		in_word=1
	done
	__ringside_words+=("$word")
	if [[ -z $quote ]]; then
		# readline breaks words at : and =, and wants only what follows the last break.
		done=${word%"${word##*[=:]}"}
		[[ $COMP_WORDBREAKS == *:* ]] || done=${word%"${word##*=}"}
	fi
	__ringside_done=$done
	__ringside_quote=$quote
}

_ringside()
{
	local line cur trim more='' __ringside_done __ringside_quote
	local -a out __ringside_words
	__ringside_split "${COMP_LINE:0:COMP_POINT}"
	cur=${__ringside_words[${#__ringside_words[@]} - 1]}
	trim=$__ringside_done
	COMPREPLY=()
	mapfile -t out < <("${__ringside_words[0]}" __complete "${__ringside_words[@]:1}" 2>/dev/null)
	for line in "${out[@]}"; do
		case $line in
		:more) more=1 ;;
		:whole) ;;
		:files | :command) compopt -o default -o bashdefault 2>/dev/null ;;
		:dirs) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "${cur##*=}") ;;
		:users) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -u -- "${cur##*=}") ;;
		*)
			line=${line%%$'\t'*}
			line=${line#"$trim"}
			# Outside of quotes a blank or a $ would not be the word's.
			[[ -n $__ringside_quote || -z $line ]] || printf -v line %q "$line"
			COMPREPLY+=("$line")
			;;
		esac
	done
	if [[ " ${out[*]} " == *" :command "* && ${#COMPREPLY[@]} -eq 0 ]]; then
		mapfile -t COMPREPLY < <(compgen -c -- "$cur")
	fi
	if [[ ${#COMPREPLY[@]} -eq 1 && (-n $more || ${COMPREPLY[0]} == *=) ]]; then
		compopt -o nospace 2>/dev/null
		# One candidate would close the quote; a second one keeps it open.
		[[ -z $more || -z $__ringside_quote ]] || COMPREPLY+=("${COMPREPLY[0]} ")
	fi
	return 0
}
complete -F _ringside ringside
