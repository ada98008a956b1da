help	slow calls of a kernel function
command	stream
argument	FUNCTION the name of the function, or a glob such as 'vfs_*'
argument	TIME the least time that counts as long
default	1ms
tracer	function_graph
function	$FUNCTION
option	--max-graph-depth 1
option	--min-duration $TIME
