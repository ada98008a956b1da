/* SPDX-License-Identifier: GPL-2.0 */
/* Puts packets into a deflated packet. */
#include "lib/data/codec.h"
#include "lib/export/perfetto.h"

enum { LEVEL = 1 };

void perfetto_deflate(struct perfetto_lane *lane)
{
	const struct codec *codec = codec_find("zlib");
	struct str *packed = &lane->scratch;
	const size_t room = codec->bound(lane->slot.out.len);
	size_t packet;
	ssize_t got;

	str_clear(packed);
	got = lane->slot.out.oom || !str_room(packed, room) ? -ENOMEM
							    : codec->pack(NULL, str_text(&lane->slot.out), lane->slot.out.len, packed->at, room, LEVEL);
	/* It can fail only for lack of memory. */
	if (got < 0) {
		lane->slot.out.oom = true;
		return;
	}
	str_clear(&lane->slot.out);
	packet = pb_begin(&lane->slot.out, TRACE_PACKET);
	pb_bytes(&lane->slot.out, PACKET_COMPRESSED, packed->at, (size_t)got);
	pb_end(&lane->slot.out, packet);
}
