/* SPDX-License-Identifier: GPL-2.0 */
/* To be probed by the live tests: names as C++ makes them. */
#include <cstdio>

namespace geo {
class Corner {
public:
	long x, y;

	Corner(long a, long b) : x(a), y(b) {}
	long scale(long by);
	long scale(int by, const char *why);
	long area() const;
	long operator+(long by) const;
	template<class T> __attribute__((noinline)) T twice(T v) { return v * 2; }
};

__attribute__((noinline)) long Corner::scale(long by) { return x * by; }
__attribute__((noinline)) long Corner::scale(int by, const char *why) { return x * by + why[0]; }
__attribute__((noinline)) long Corner::area() const { return x * y; }
__attribute__((noinline)) long Corner::operator+(long by) const { return x + by; }
}

int main()
{
	geo::Corner c(3, 4);
	long sum = c.area() + (c + 5) + c.twice(7) + c.twice(7L);

	for (int i = 1; i <= 3; i++)
		sum += c.scale((long)i) + c.scale(i, "why");
	std::printf("%ld\n", sum);
	return 0;
}
