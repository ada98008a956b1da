# If the process frees what it allocates, the two rows have about the same number of calls. The default library is that of Debian on x86-64.
help	how often a process calls malloc and free, which shows whether the process frees what it allocates
note	Allocations by calloc, realloc and similar functions are not counted. Each call costs the process a few microseconds.
command	funcs
argument	PID the id of the process
argument	LIBRARY the C library of the process
default	/usr/lib/x86_64-linux-gnu/libc.so.6
need	uprobe, uretprobe, USDT
latency	uprobe:$LIBRARY:malloc
latency	uprobe:$LIBRARY:free
option	-P $PID
option	-c
column	function,calls,cut,mean,p99
