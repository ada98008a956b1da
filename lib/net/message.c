/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/net/message.h"

#include "lib/base/parse.h"
#include <arpa/inet.h>

uint32_t message_u32(const char *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return ntohl(value);
}

ssize_t message_take(const char *bytes, size_t n, struct message *out, const char **wrong)
{
	uint32_t size, nfixed;

	if (n < MESSAGE_HEAD)
		return 0;
	size = message_u32(bytes);
	nfixed = message_u32(bytes + 8);
	if (size < MESSAGE_HEAD || size > MESSAGE_TAKEN || nfixed > size - MESSAGE_HEAD) {
		*wrong = "it sent a message of an impossible length";
		return -EPROTO;
	}
	if (n < size)
		return 0;
	*out = (struct message){
		.kind = message_u32(bytes + 4),
		.fixed = bytes + MESSAGE_HEAD,
		.nfixed = nfixed,
		.rest = bytes + MESSAGE_HEAD + nfixed,
		.nrest = size - MESSAGE_HEAD - nfixed,
	};
	return (ssize_t)size;
}

void message_add_u32(struct str *out, uint32_t value)
{
	value = htonl(value);
	str_addn(out, &value, sizeof(value));
}

void message_add(struct str *out, enum message_kind kind, const uint32_t *numbers, size_t nnumbers, const void *rest, size_t nrest)
{
	message_add_u32(out, (uint32_t)(MESSAGE_HEAD + 4 * nnumbers + nrest));
	message_add_u32(out, kind);
	message_add_u32(out, (uint32_t)(4 * nnumbers));
	for (size_t i = 0; i < nnumbers; i++)
		message_add_u32(out, numbers[i]);
	if (nrest)
		str_addn(out, rest, nrest);
}

bool message_ports(const char *at, size_t n, uint32_t cpus, unsigned int *ports)
{
	enum { LONGEST_PORT = 10 };
	const char *end = at + n;

	for (uint32_t i = 0; i < cpus; i++) {
		size_t length = strnlen(at, (size_t)(end - at));
		uint64_t port;

		if (at + length == end || !length || length > LONGEST_PORT || *at < '0' || *at > '9' || parse_u64(at, &port) || !port || port >= UINT32_MAX)
			return false;
		ports[i] = (unsigned int)port;
		at += length + 1;
	}
	return true;
}
