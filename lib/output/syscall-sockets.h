/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists the names of socket options, in one table for each level. Also lists the names of the protocols that some socket families have. The names and numbers
 * come from the kernel's include/uapi.
 */
#ifndef RINGSIDE_SYSCALL_SOCKETS_H
#define RINGSIDE_SYSCALL_SOCKETS_H

#include "lib/event/meanings.h"

/* clang-format off */
static const struct meaning socket_levels[] = {
	{ 0, "SOL_IP" },    { 1, "SOL_SOCKET" },   { 6, "SOL_TCP" },	   { 17, "SOL_UDP" },
	{ 41, "SOL_IPV6" }, { 263, "SOL_PACKET" }, { 270, "SOL_NETLINK" }, { 0, NULL },
};
static const struct meaning socket_options[] = {
	{ 1, "SO_DEBUG" },	   { 2, "SO_REUSEADDR" },      { 3, "SO_TYPE" },	   { 4, "SO_ERROR" },
	{ 5, "SO_DONTROUTE" },	   { 6, "SO_BROADCAST" },      { 7, "SO_SNDBUF" },	   { 8, "SO_RCVBUF" },
	{ 9, "SO_KEEPALIVE" },	   { 10, "SO_OOBINLINE" },     { 11, "SO_NO_CHECK" },	   { 12, "SO_PRIORITY" },
	{ 13, "SO_LINGER" },	   { 14, "SO_BSDCOMPAT" },     { 15, "SO_REUSEPORT" },	   { 16, "SO_PASSCRED" },
	{ 17, "SO_PEERCRED" },	   { 18, "SO_RCVLOWAT" },      { 19, "SO_SNDLOWAT" },	   { 20, "SO_RCVTIMEO_OLD" },
	{ 21, "SO_SNDTIMEO_OLD" }, { 25, "SO_BINDTODEVICE" },  { 26, "SO_ATTACH_FILTER" }, { 27, "SO_DETACH_FILTER" },
	{ 28, "SO_PEERNAME" },	   { 29, "SO_TIMESTAMP_OLD" }, { 30, "SO_ACCEPTCONN" },	   { 31, "SO_PEERSEC" },
	{ 32, "SO_SNDBUFFORCE" },  { 33, "SO_RCVBUFFORCE" },   { 34, "SO_PASSSEC" },	   { 36, "SO_MARK" },
	{ 38, "SO_PROTOCOL" }, { 39, "SO_DOMAIN" }, { 40, "SO_RXQ_OVFL" }, { 49, "SO_INCOMING_CPU" }, { 60, "SO_ZEROCOPY" }, { 46, "SO_BUSY_POLL" },
	{ 44, "SO_LOCK_FILTER" }, { 42, "SO_PEEK_OFF" }, { 43, "SO_NOFCS" }, { 45, "SO_SELECT_ERR_QUEUE" }, { 47, "SO_MAX_PACING_RATE" },
	{ 48, "SO_BPF_EXTENSIONS" }, { 50, "SO_ATTACH_BPF" }, { 51, "SO_ATTACH_REUSEPORT_CBPF" }, { 52, "SO_ATTACH_REUSEPORT_EBPF" },
	{ 53, "SO_CNX_ADVICE" }, { 55, "SO_MEMINFO" }, { 56, "SO_INCOMING_NAPI_ID" }, { 57, "SO_COOKIE" }, { 59, "SO_PEERGROUPS" },
	{ 61, "SO_TXTIME" }, { 62, "SO_BINDTOIFINDEX" }, { 63, "SO_TIMESTAMP_NEW" }, { 64, "SO_TIMESTAMPNS_NEW" }, { 65, "SO_TIMESTAMPING_NEW" },
	{ 66, "SO_RCVTIMEO_NEW" }, { 67, "SO_SNDTIMEO_NEW" }, { 68, "SO_DETACH_REUSEPORT_BPF" }, { 69, "SO_PREFER_BUSY_POLL" },
	{ 70, "SO_BUSY_POLL_BUDGET" }, { 71, "SO_NETNS_COOKIE" }, { 72, "SO_BUF_LOCK" }, { 73, "SO_RESERVE_MEM" }, { 35, "SO_TIMESTAMPNS_OLD" },
	{ 37, "SO_TIMESTAMPING_OLD" }, { 41, "SO_WIFI_STATUS" }, { 0, NULL },
};
static const struct meaning tcp_options[] = {
	{ 1, "TCP_NODELAY" }, { 2, "TCP_MAXSEG" }, { 3, "TCP_CORK" }, { 4, "TCP_KEEPIDLE" }, { 5, "TCP_KEEPINTVL" }, { 6, "TCP_KEEPCNT" },
	{ 7, "TCP_SYNCNT" }, { 8, "TCP_LINGER2" }, { 9, "TCP_DEFER_ACCEPT" }, { 10, "TCP_WINDOW_CLAMP" }, { 11, "TCP_INFO" },
	{ 12, "TCP_QUICKACK" }, { 13, "TCP_CONGESTION" }, { 18, "TCP_USER_TIMEOUT" }, { 14, "TCP_MD5SIG" }, { 16, "TCP_THIN_LINEAR_TIMEOUTS" },
	{ 17, "TCP_THIN_DUPACK" }, { 19, "TCP_REPAIR" }, { 20, "TCP_REPAIR_QUEUE" }, { 21, "TCP_QUEUE_SEQ" }, { 22, "TCP_REPAIR_OPTIONS" },
	{ 24, "TCP_TIMESTAMP" }, { 25, "TCP_NOTSENT_LOWAT" }, { 26, "TCP_CC_INFO" }, { 27, "TCP_SAVE_SYN" }, { 28, "TCP_SAVED_SYN" },
	{ 31, "TCP_ULP" }, { 36, "TCP_INQ" }, { 37, "TCP_TX_DELAY" }, { 23, "TCP_FASTOPEN" }, { 30, "TCP_FASTOPEN_CONNECT" },
	{ 0, NULL },
};
static const struct meaning ip_options[] = {
	{ 1, "IP_TOS" }, { 2, "IP_TTL" }, { 3, "IP_HDRINCL" }, { 4, "IP_OPTIONS" }, { 5, "IP_ROUTER_ALERT" }, { 6, "IP_RECVOPTS" }, { 7, "IP_RETOPTS" },
	{ 8, "IP_PKTINFO" }, { 9, "IP_PKTOPTIONS" }, { 10, "IP_MTU_DISCOVER" }, { 11, "IP_RECVERR" }, { 12, "IP_RECVTTL" }, { 13, "IP_RECVTOS" },
	{ 14, "IP_MTU" }, { 15, "IP_FREEBIND" }, { 16, "IP_IPSEC_POLICY" }, { 17, "IP_XFRM_POLICY" }, { 18, "IP_PASSSEC" }, { 19, "IP_TRANSPARENT" },
	{ 20, "IP_ORIGDSTADDR" }, { 21, "IP_MINTTL" }, { 22, "IP_NODEFRAG" }, { 23, "IP_CHECKSUM" }, { 24, "IP_BIND_ADDRESS_NO_PORT" },
	{ 25, "IP_RECVFRAGSIZE" }, { 26, "IP_RECVERR_RFC4884" }, { 32, "IP_MULTICAST_IF" }, { 33, "IP_MULTICAST_TTL" }, { 34, "IP_MULTICAST_LOOP" },
	{ 35, "IP_ADD_MEMBERSHIP" }, { 36, "IP_DROP_MEMBERSHIP" }, { 37, "IP_UNBLOCK_SOURCE" }, { 38, "IP_BLOCK_SOURCE" },
	{ 39, "IP_ADD_SOURCE_MEMBERSHIP" }, { 40, "IP_DROP_SOURCE_MEMBERSHIP" }, { 41, "IP_MSFILTER" }, { 42, "MCAST_JOIN_GROUP" },
	{ 43, "MCAST_BLOCK_SOURCE" }, { 44, "MCAST_UNBLOCK_SOURCE" }, { 45, "MCAST_LEAVE_GROUP" }, { 46, "MCAST_JOIN_SOURCE_GROUP" },
	{ 47, "MCAST_LEAVE_SOURCE_GROUP" }, { 48, "MCAST_MSFILTER" }, { 49, "IP_MULTICAST_ALL" }, { 50, "IP_UNICAST_IF" },
	{ 51, "IP_LOCAL_PORT_RANGE" }, { 52, "IP_PROTOCOL" }, { 0, NULL },
};
static const struct meaning ipv6_options[] = {
	{ 1, "IPV6_ADDRFORM" }, { 2, "IPV6_2292PKTINFO" },
	{ 3, "IPV6_2292HOPOPTS" }, { 4, "IPV6_2292DSTOPTS" }, { 5, "IPV6_2292RTHDR" }, { 6, "IPV6_2292PKTOPTIONS" }, { 7, "IPV6_CHECKSUM" },
	{ 8, "IPV6_2292HOPLIMIT" }, { 9, "IPV6_NEXTHOP" }, { 10, "IPV6_AUTHHDR" }, { 11, "IPV6_FLOWINFO" }, { 16, "IPV6_UNICAST_HOPS" },
	{ 17, "IPV6_MULTICAST_IF" }, { 18, "IPV6_MULTICAST_HOPS" }, { 19, "IPV6_MULTICAST_LOOP" }, { 20, "IPV6_ADD_MEMBERSHIP" },
	{ 21, "IPV6_DROP_MEMBERSHIP" }, { 22, "IPV6_ROUTER_ALERT" }, { 23, "IPV6_MTU_DISCOVER" }, { 24, "IPV6_MTU" }, { 25, "IPV6_RECVERR" },
	{ 26, "IPV6_V6ONLY" }, { 27, "IPV6_JOIN_ANYCAST" }, { 28, "IPV6_LEAVE_ANYCAST" }, { 29, "IPV6_MULTICAST_ALL" },
	{ 30, "IPV6_ROUTER_ALERT_ISOLATE" }, { 32, "IPV6_FLOWLABEL_MGR" }, { 33, "IPV6_FLOWINFO_SEND" }, { 34, "IPV6_IPSEC_POLICY" },
	{ 35, "IPV6_XFRM_POLICY" }, { 36, "IPV6_HDRINCL" }, { 49, "IPV6_RECVPKTINFO" }, { 50, "IPV6_PKTINFO" }, { 51, "IPV6_RECVHOPLIMIT" },
	{ 52, "IPV6_HOPLIMIT" }, { 53, "IPV6_RECVHOPOPTS" }, { 54, "IPV6_HOPOPTS" }, { 55, "IPV6_RTHDRDSTOPTS" }, { 56, "IPV6_RECVRTHDR" },
	{ 57, "IPV6_RTHDR" }, { 58, "IPV6_RECVDSTOPTS" }, { 59, "IPV6_DSTOPTS" }, { 60, "IPV6_RECVPATHMTU" }, { 61, "IPV6_PATHMTU" },
	{ 62, "IPV6_DONTFRAG" }, { 66, "IPV6_RECVTCLASS" }, { 67, "IPV6_TCLASS" }, { 70, "IPV6_AUTOFLOWLABEL" }, { 72, "IPV6_ADDR_PREFERENCES" },
	{ 73, "IPV6_MINHOPCOUNT" }, { 74, "IPV6_ORIGDSTADDR" }, { 75, "IPV6_TRANSPARENT" }, { 76, "IPV6_UNICAST_IF" }, { 77, "IPV6_RECVFRAGSIZE" },
	{ 78, "IPV6_FREEBIND" }, { 0, NULL },
};
static const struct meaning netlink_protocols[] = {
	{ 0, "NETLINK_ROUTE" }, { 2, "NETLINK_USERSOCK" }, { 3, "NETLINK_FIREWALL" }, { 4, "NETLINK_SOCK_DIAG" }, { 5, "NETLINK_NFLOG" },
	{ 6, "NETLINK_XFRM" }, { 7, "NETLINK_SELINUX" }, { 8, "NETLINK_ISCSI" }, { 9, "NETLINK_AUDIT" }, { 10, "NETLINK_FIB_LOOKUP" },
	{ 11, "NETLINK_CONNECTOR" }, { 12, "NETLINK_NETFILTER" }, { 13, "NETLINK_IP6_FW" }, { 14, "NETLINK_DNRTMSG" }, { 15, "NETLINK_KOBJECT_UEVENT" },
	{ 16, "NETLINK_GENERIC" }, { 18, "NETLINK_SCSITRANSPORT" }, { 19, "NETLINK_ECRYPTFS" }, { 20, "NETLINK_RDMA" }, { 21, "NETLINK_CRYPTO" },
	{ 22, "NETLINK_SMC" }, { 0, NULL },
};
static const struct meaning netlink_options[] = {
	{ 1, "NETLINK_ADD_MEMBERSHIP" }, { 2, "NETLINK_DROP_MEMBERSHIP" }, { 3, "NETLINK_PKTINFO" }, { 4, "NETLINK_BROADCAST_ERROR" },
	{ 5, "NETLINK_NO_ENOBUFS" }, { 6, "NETLINK_RX_RING" }, { 7, "NETLINK_TX_RING" }, { 8, "NETLINK_LISTEN_ALL_NSID" },
	{ 9, "NETLINK_LIST_MEMBERSHIPS" }, { 10, "NETLINK_CAP_ACK" }, { 11, "NETLINK_EXT_ACK" }, { 12, "NETLINK_GET_STRICT_CHK" }, { 0, NULL },
};
static const struct meaning packet_protocols[] = {
	{ 3, "ETH_P_ALL" }, { 0x800, "ETH_P_IP" }, { 0x806, "ETH_P_ARP" }, { 0x86dd, "ETH_P_IPV6" }, { 0x888e, "ETH_P_PAE" }, { 0x88cc, "ETH_P_LLDP" },
	{ 0, NULL },
};
/* clang-format on */

#endif
