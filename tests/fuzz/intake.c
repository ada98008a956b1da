/* SPDX-License-Identifier: GPL-2.0 */
/* What a recorder on another machine may send to a listener. */
#include "tests/fuzz/conversation.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return converse(data, size, false);
}
