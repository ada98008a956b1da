help	how often functions of the kernel are called
command	count
argument	FUNCTIONS names with commas between them, or globs such as 'vfs_*'
function	$FUNCTIONS
option	-a
