# fish completion for ringside: asks the program, which knows its options and the running kernel.
function __ringside_complete
	set -l tokens (commandline -opc)
	set -l current (commandline -ct)
	for line in ($tokens[1] __complete $tokens[2..-1] $current 2>/dev/null)
		switch $line
			case :files
				__fish_complete_path $current
			case :dirs
				__fish_complete_directories $current
			case :users
				__fish_complete_users
			case :more :whole
			case :command
				__fish_complete_command
			case '*'
				echo $line
		end
	end
end
complete -c ringside -f -a '(__ringside_complete)'
