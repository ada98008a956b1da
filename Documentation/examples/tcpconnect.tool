# From closed (7) to SYN sent (2).
help	connections that programs of this machine begin
note	IPv6 addresses: add --fields time,pid,comm,saddr_v6.ip,sport,daddr_v6.ip,dport.
command	stream
event	sock:inet_sock_set_state
filter	protocol == 6 && oldstate == 7 && newstate == 2
column	time,pid,comm,saddr.ip,sport,daddr.ip,dport
