# The two probes of a file have the same dentry.
help	files that were made and removed: which task made each file, and how long the file existed
note	Only files that are both made and removed while the tool runs are shown.
command	stream
need	kprobe, kretprobe
probe	kprobe:security_inode_create dentry:x64 name=ringside/file_made
probe	kprobe:vfs_unlink dentry:x64 file=dentry->d_name.name:string name=ringside/file_removed
hook	ringside:file_made,dentry/ringside:file_removed,dentry
column	time,start.comm,start.pid,took,file
