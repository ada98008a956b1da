// SPDX-License-Identifier: GPL-2.0
/* Network: protocols of frames (include/uapi/linux/if_ether.h), addresses and states of sockets. */
#include "plugins/plugin.h"

/* clang-format off */
static const struct meaning ethertypes[] = {
	{ 0x0001, "802.3" }, { 0x0004, "802.2" },  { 0x0060, "loop" },	   { 0x0800, "IPv4" },	{ 0x0806, "ARP" },
	{ 0x8035, "RARP" },  { 0x8100, "802.1Q" }, { 0x86dd, "IPv6" },	   { 0x8808, "pause" }, { 0x8809, "LACP" },
	{ 0x8847, "MPLS" },  { 0x8848, "MPLS-multicast" }, { 0x8863, "PPPoE-discovery" }, { 0x8864, "PPPoE" },
	{ 0x888e, "EAPOL" }, { 0x88a8, "802.1ad" }, { 0x88cc, "LLDP" },	   { 0x88e5, "MACsec" }, { 0x88f7, "PTP" },
	{ 0x8906, "FCoE" },  { 0, NULL },
};
/* clang-format on */

static const struct meaning checksums[] = {
	{ 0, "none" }, { 1, "unnecessary" }, { 2, "complete" }, { 3, "partial" }, { 0, NULL },
};

static const struct meaning ip_protocols[] = {
	{ 0, "IP" },   { 1, "ICMP" },	 { 2, "IGMP" },	  { 6, "TCP" },	      { 17, "UDP" },  { 33, "DCCP" },	{ 41, "IPv6" }, { 47, "GRE" },
	{ 50, "ESP" }, { 58, "ICMPv6" }, { 132, "SCTP" }, { 136, "UDPLite" }, { 255, "raw" }, { 262, "MPTCP" }, { 0, NULL },
};

static const struct meaning tcp_states[] = {
	{ 1, "ESTABLISHED" }, { 2, "SYN_SENT" }, { 3, "SYN_RECV" }, { 4, "FIN_WAIT1" }, { 5, "FIN_WAIT2" },	{ 6, "TIME_WAIT" }, { 7, "CLOSE" },
	{ 8, "CLOSE_WAIT" },  { 9, "LAST_ACK" }, { 10, "LISTEN" },  { 11, "CLOSING" },	{ 12, "NEW_SYN_RECV" }, { 0, NULL },
};

static void show_ethertype(const struct cell *cell, const struct column *column)
{
	const char *name = meaning_of(column->meanings, cell->value);

	if (name)
		put_str(cell->s, name);
	else
		put_hex(cell->s, cell->value);
}

static void put_ipv4(struct trace_seq *s, const uint8_t *at)
{
	for (int i = 0; i < 4; i++) {
		if (i)
			put_char(s, '.');
		put_u64(s, at[i]);
	}
}

/* RFC 5952: the longest run of zero groups, from two on, is "::"; the first of equal ones. */
static void put_ipv6(struct trace_seq *s, const uint8_t *at)
{
	int best = -1, best_n = 1;

	for (int i = 0, n; i < 8; i += n ? n : 1) {
		for (n = 0; i + n < 8 && !at[2 * (i + n)] && !at[2 * (i + n) + 1]; n++)
			;
		if (n > best_n) {
			best = i;
			best_n = n;
		}
	}
	for (int i = 0; i < 8; i++) {
		char text[24], *digit = text;
		unsigned int group = at[2 * i] << 8 | at[2 * i + 1];

		if (i == best) {
			put_str(s, "::");
			i += best_n - 1;
			continue;
		}
		if (i && i != best + best_n)
			put_char(s, ':');
		for (int shift = 12; shift >= 0; shift -= 4)
			if (group >> shift || !shift)
				*digit++ = "0123456789abcdef"[group >> shift & 15];
		*digit = '\0';
		put_str(s, text);
	}
}

enum { FAMILY, PROTOCOL, SADDR, SPORT, DADDR, DPORT, OLD, NEW, SADDR6, DADDR6 };

static void put_end(struct trace_seq *s, const struct shown *shown, const struct tep_record *record, bool six, unsigned int addr, unsigned int addr6,
		    unsigned int port)
{
	size_t n = 0;
	const uint8_t *at = (const uint8_t *)bytes_of(shown, shown->fields[six ? addr6 : addr], record, &n);

	if (six && at && n >= 16) {
		put_char(s, '[');
		put_ipv6(s, at);
		put_char(s, ']');
	} else if (!six && at && n >= 4) {
		put_ipv4(s, at);
	}
	put_char(s, ':');
	put_u64(s, number_of(shown, port, record));
}

static void print_state(struct shown *shown, struct trace_seq *s, struct tep_record *record, struct tep_event *event)
{
	bool six = number_of(shown, FAMILY, record) == 10;

	(void)event;
	put_meaning(s, ip_protocols, number_of(shown, PROTOCOL, record));
	put_char(s, ' ');
	put_end(s, shown, record, six, SADDR, SADDR6, SPORT);
	put_str(s, " - ");
	put_end(s, shown, record, six, DADDR, DADDR6, DPORT);
	put_char(s, ' ');
	put_meaning(s, tcp_states, number_of(shown, OLD, record));
	put_str(s, " ==> ");
	put_meaning(s, tcp_states, number_of(shown, NEW, record));
}

static const struct column state[] = {
	[FAMILY] = { .field = "family" },
	[PROTOCOL] = { .field = "protocol" },
	[SADDR] = { .field = "saddr" },
	[SPORT] = { .field = "sport" },
	[DADDR] = { .field = "daddr" },
	[DPORT] = { .field = "dport" },
	[OLD] = { .field = "oldstate" },
	[NEW] = { .field = "newstate" },
	[SADDR6] = { .field = "saddr_v6" },
	[DADDR6] = { .field = "daddr_v6" },
	{ .field = NULL },
};

static const struct column frame[] = {
	{ "dev=", "name", show_string, NULL },
	{ " protocol=", "protocol", show_ethertype, ethertypes },
	{ " len=", "len", show_dec, NULL },
	{ " data_len=", "data_len", show_dec, NULL },
	{ " checksum=", "ip_summed", show_meaning, checksums },
	{ " gso_size=", "gso_size", show_dec, NULL },
	{ " gso_segs=", "gso_segs", show_dec, NULL },
	{ " queue=", "queue_mapping", show_dec, NULL },
	{ " skbaddr=", "skbaddr", show_hex, NULL },
	{ NULL, NULL, NULL, NULL },
};

static const struct printer printers[] = {
	{ "sock", "inet_sock_set_state", state, print_state },
	{ "net", "net_dev_start_xmit", frame, NULL },
	{ "net", "napi_gro_frags_entry", frame, NULL },
	{ "net", "napi_gro_receive_entry", frame, NULL },
	{ "net", "netif_receive_skb_entry", frame, NULL },
	{ "net", "netif_receive_skb_list_entry", frame, NULL },
	{ "net", "netif_rx_entry", frame, NULL },
	{ "net", "netif_rx_ni_entry", frame, NULL },
};

PLUGIN("net", "protocols by name, addresses and states of sockets", printers)
