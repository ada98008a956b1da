# A file is known by its directory entry.
help	files that lived only for a while: who made them, and how long they were there
note	Only files that are made and removed while the tool runs are shown.
command	stream
need	kprobe, kretprobe
probe	kprobe:security_inode_create dentry:x64 name=ringside/file_made
probe	kprobe:vfs_unlink dentry:x64 file=dentry->d_name.name:string name=ringside/file_removed
hook	ringside:file_made,dentry/ringside:file_removed,dentry
column	time,start.comm,start.pid,took,file
