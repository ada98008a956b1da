help	TCP segments that are sent again
command	stream
event	tcp:tcp_retransmit_skb
column	time,pid,comm,saddr.ip,sport,daddr.ip,dport,state
