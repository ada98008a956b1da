# fish completion for ringside: asks the program, which knows its options and the running kernel.
function __ringside_complete
	set -l tokens (commandline -opc)
	set -l current (commandline -ct)
	# Of --option=VALUE, fish completes the value; the line that is printed must have both.
	set -l option (string match -r -- '^--[^=]*=' $current)
	set -l value (string replace -r -- '^--[^=]*=' '' $current)
	for line in ($tokens[1] __complete $tokens[2..-1] $current 2>/dev/null)
		switch $line
			case :files
				string replace -r -- '^' "$option" (__fish_complete_path "$value")
			case :dirs
				string replace -r -- '^' "$option" (__fish_complete_directories "$value")
			case :users
				string replace -r -- '^' "$option" (__fish_complete_users)
			case :more :whole
			case :command
				__fish_complete_command
			case '*'
				echo $line
		end
	end
end
complete -c ringside -f -a '(__ringside_complete)'
