/* SPDX-License-Identifier: GPL-2.0 */
/* Packets in deflated packets, as long as that takes little time. */
#include "lib/export/perfetto.h"
#include "lib/base/err.h"
#include "lib/data/codec.h"

/* Of a larger recording the rest is left as it is: deflating all would take several times as long as everything else. */
enum { MOST_DEFLATED = 4 << 20, LEVEL = 1 };

static int deflate_packets(struct timeline *t)
{
	const struct codec *codec = codec_find("zlib");
	struct perfetto *p = t->mine;
	const size_t room = codec->bound(t->out.len);
	size_t packet;
	ssize_t got;

	str_clear(&p->packed);
	str_clear(&p->packet);
	if (!str_room(&p->packed, room))
		return -ENOMEM;
	got = codec->pack(NULL, str_text(&t->out), t->out.len, p->packed.at, room, LEVEL);
	if (got < 0)
		return got == -ENOMEM ? -ENOMEM : fail((int)-got, "deflating packets: %s", strerror((int)-got));
	packet = pb_begin(&p->packet, TRACE_PACKET);
	pb_bytes(&p->packet, PACKET_COMPRESSED, p->packed.at, (size_t)got);
	pb_end(&p->packet, packet);
	p->deflated += t->out.len;
	swap(p->packet, t->out);
	return str_ok(&t->out);
}

int perfetto_pack(struct timeline *t)
{
	struct perfetto *p = t->mine;

	return p->deflated < MOST_DEFLATED ? deflate_packets(t) : 0;
}
