# The filter chooses changes of a socket's state from TCP_CLOSE (7) to TCP_SYN_SENT (2).
help	connections that programs of this machine begin
command	stream
event	sock:inet_sock_set_state
filter	protocol == 6 && oldstate == 7 && newstate == 2
column	time,pid,comm,saddr.ip,sport,daddr.ip,dport
