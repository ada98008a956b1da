# --max-graph-depth 1 records the function itself, not what it calls.
help	how long a function of the kernel takes: median, 99th percentile and longest
command	funcs
argument	FUNCTION the name of the function, or a glob such as 'vfs_*'
tracer	function_graph
function	$FUNCTION
option	--max-graph-depth 1
column	function,calls,total,mean,p50,p99,max
