/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the conversions of %p for network and hardware addresses, UUIDs and small buffers. */
#include "lib/event/print-program.h"
#include <sys/socket.h>

void print_mac(struct printer *p, const struct step *step)
{
	uint8_t mac[6];

	record_copy(p, step->offset, mac, sizeof(mac));
	for (int i = 0; i < 6; i++) {
		if (i && !(step->flag & MAC_PLAIN))
			*p->at++ = step->flag & MAC_DASHES ? '-' : ':';
		p->at = put_hex_byte(p->at, mac[step->flag & MAC_REVERSED ? 5 - i : i]);
	}
}

static void put_ip4(struct printer *p, const uint8_t *ip, unsigned int style)
{
	for (int i = 0; i < 4; i++) {
		uint8_t byte = ip[style & IP_REVERSED ? 3 - i : i];

		if (i)
			*p->at++ = '.';
		if (style & IP_SMALL_I && byte < 100) {
			*p->at++ = '0';
			if (byte < 10)
				*p->at++ = '0';
		}
		p->at = put_u64(p->at, byte);
	}
}

void print_ip4(struct printer *p, const struct step *step)
{
	uint8_t ip[4];

	record_copy(p, step->offset, ip, sizeof(ip));
	put_ip4(p, ip, step->flag);
}

static void put_ip6_full(struct printer *p, const uint8_t *ip, unsigned int style)
{
	for (int i = 0; i < 16; i++) {
		if (i && i % 2 == 0 && !(style & IP_SMALL_I))
			*p->at++ = ':';
		p->at = put_hex_byte(p->at, ip[i]);
	}
}

/* Finds the longest run of at least two zero words, the first of several. Returns its index, or @words if there is none. */
static int zero_run(const uint16_t *word, int words, int *len)
{
	int best = words;

	*len = 1;
	for (int i = 0; i < words; i++) {
		int n = 0;

		while (i + n < words && !word[i + n])
			n++;
		if (n > *len) {
			*len = n;
			best = i;
		}
	}
	return best;
}

/* Puts an IPv6 address in the short form. Addresses that contain an IPv4 address (v4-mapped, ISATAP) end in it. */
static void put_ip6_short(struct printer *p, const uint8_t *ip)
{
	static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
	bool isatap = (ip[8] | 0x02) == 0x02 && !ip[9] && ip[10] == 0x5e && ip[11] == 0xfe;
	bool has_ip4 = isatap || !memcmp(ip, mapped, sizeof(mapped));
	int words = has_ip4 ? 6 : 8, len, gap;
	bool colon = false;
	uint16_t word[8];

	for (int i = 0; i < 8; i++)
		word[i] = ip[i * 2] << 8 | ip[i * 2 + 1];
	gap = zero_run(word, words, &len);
	for (int i = 0; i < words; i++) {
		if (colon)
			*p->at++ = ':';
		colon = i != gap;
		if (i == gap) {
			if (i == 0)
				*p->at++ = ':';
			*p->at++ = ':';
			i += len - 1;
		} else {
			p->at = put_hex(p->at, word[i]);
		}
	}
	if (has_ip4) {
		if (colon)
			*p->at++ = ':';
		put_ip4(p, ip + 12, 0);
	}
}

static void put_ip6(struct printer *p, const uint8_t *ip, unsigned int style)
{
	if (style & IP_COMPRESSED)
		put_ip6_short(p, ip);
	else
		put_ip6_full(p, ip, style);
}

void print_ip6(struct printer *p, const struct step *step)
{
	uint8_t ip[16];

	record_copy(p, step->offset, ip, sizeof(ip));
	put_ip6(p, ip, step->flag);
}

/*
 * Prints a socket address:
 * - struct sockaddr_in has the family, the port and the address (4 bytes).
 * - struct sockaddr_in6 has the family, the port, the flow information (4 bytes), the address (16 bytes) and the scope.
 *
 * The family is in the recorded machine's byte order; port and address are in network byte order.
 */
void print_sockaddr(struct printer *p, const struct step *step)
{
	struct extent e = { step->offset, step->count };
	unsigned int style = step->flag;
	uint16_t family, port;
	uint8_t sa[24];

	if (step->place != PLACE_FIELD)
		e = dynamic_extent(p, step->offset, step->size, step->place == PLACE_RELATIVE);
	record_copy(p, e.offset, sa, sizeof(sa));
	family = number_at(p->program, sa, 2);
	port = sa[2] << 8 | sa[3];
	if (!printer_room(p, 64))
		return;
	if (family == AF_INET && e.len >= 16) {
		put_ip4(p, sa + 4, style);
	} else if (family == AF_INET6 && e.len >= 28) {
		if (style & IP_PORT)
			*p->at++ = '[';
		put_ip6(p, sa + 8, style);
		if (style & IP_PORT)
			*p->at++ = ']';
	} else {
		if (family == AF_INET)
			print_bytes(p, "INVALIDIPv4", 11);
		else if (family == AF_INET6)
			print_bytes(p, "INVALIDIPv6", 11);
		return;
	}
	if (style & IP_PORT) {
		*p->at++ = ':';
		p->at = put_u64(p->at, port);
	}
}

void print_uuid(struct printer *p, const struct step *step)
{
	static const uint8_t order[2][16] = {
		{ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
		{ 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 },
	};
	const uint8_t *index = order[!!(step->flag & UUID_GUID)];
	char *start = p->at;
	uint8_t uuid[16];

	record_copy(p, step->offset, uuid, sizeof(uuid));
	for (int i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			*p->at++ = '-';
		p->at = put_hex_byte(p->at, uuid[index[i]]);
	}
	for (; step->flag & UUID_UPPER && start < p->at; start++)
		if (*start >= 'a')
			*start -= 'a' - 'A';
}

/* Prints the bytes in hexadecimal: as many as the argument of %*ph says, or one byte if there is none. */
void print_buffer(struct printer *p, const struct step *step)
{
	struct extent e = step_extent(p, step, 0);
	uint32_t n = step->count == NO_EXPR ? 1 : eval(p, step->count);

	n = MIN(n, e.len);
	if (!printer_room(p, (size_t)n * 3))
		return;
	for (uint32_t i = 0; i < n; i++) {
		if (i && step->flag)
			*p->at++ = step->flag;
		p->at = put_hex_byte(p->at, p->data[e.offset + i]);
	}
}
