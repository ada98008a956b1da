# A read or write begins and ends in the same task. When a read happens inside another read, only the inner one is shown.
help	reads and writes of files that took long
command	stream
argument	TIME the least time that counts as long
default	10ms
need	kprobe, kretprobe
probe	kprobe:vfs_read file=file->f_path.dentry->d_name.name:string name=ringside/file_read
probe	kretprobe:vfs_read bytes=$retval:s64 name=ringside/file_read_end
probe	kprobe:vfs_write file=file->f_path.dentry->d_name.name:string name=ringside/file_write
probe	kretprobe:vfs_write bytes=$retval:s64 name=ringside/file_write_end
hook	ringside:file_read,common_pid/ringside:file_read_end,common_pid
hook	ringside:file_write,common_pid/ringside:file_write_end,common_pid
column	time,comm,pid,event,took,bytes,start.file
option	--over $TIME
