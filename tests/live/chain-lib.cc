/* SPDX-License-Identifier: GPL-2.0 */
/* The library of chain.c: a C++ name in the stack. */
namespace late {
struct Caller {
	__attribute__((noinline)) long call(long (*what)(int)) { return what(7) + 1; }
};
}

extern "C" long library_step(long (*what)(int))
{
	late::Caller caller;

	return caller.call(what) + 1;
}
