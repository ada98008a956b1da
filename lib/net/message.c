/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/net/message.h"

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

static void add_u32(struct str *out, uint32_t value)
{
	value = htonl(value);
	str_addn(out, &value, sizeof(value));
}

void message_add(struct str *out, enum message_kind kind, const uint32_t *numbers, size_t nnumbers, const void *rest, size_t nrest)
{
	add_u32(out, (uint32_t)(MESSAGE_HEAD + 4 * nnumbers + nrest));
	add_u32(out, kind);
	add_u32(out, (uint32_t)(4 * nnumbers));
	for (size_t i = 0; i < nnumbers; i++)
		add_u32(out, numbers[i]);
	if (nrest)
		str_addn(out, rest, nrest);
}
