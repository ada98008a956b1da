/* clang-format off */
/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions of many signatures that print what they got, in the words in which a report must print their probes. A comment in front of
 * a function says what a probe fetches there; what a report shows of it must be the line that GOT() prints, RETURNED() at the return.
 */
#include <complex.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#ifdef __clang__
#define PROBED __attribute__((noinline))
#else
#define PROBED __attribute__((noinline, noipa))
#endif
#define GOT(format, ...) printf("%s " format "\n", __func__, ##__VA_ARGS__)
#define RETURNED(name, format, ...) printf(name "_return " format "\n", ##__VA_ARGS__)

volatile int one = 1;

enum hue { DARK = -3, PALE = 2 };
struct s1 { signed char a; };
struct s2 { short a; };
struct s3 { signed char a[3]; };
struct s4 { int a; };
struct s5 { signed char a[5]; };
struct s6 { short a, b, c; };
struct s7 { short a; int b; signed char c; } __attribute__((packed));
struct s8 { int a, b; };
struct s9 { long a; signed char b; } __attribute__((packed));
struct s10 { short a[5]; };
struct s11 { signed char a[11]; };
struct s12 { int a, b, c; };
struct s13 { long a; int b; signed char c; } __attribute__((packed));
struct s14 { short a[7]; };
struct s15 { long a; int b; short c; signed char d; } __attribute__((packed));
struct s16 { long a, b; };
struct mixed { signed char a; short b; int c; unsigned int low : 3; int high : 7; const char *name; };
struct s17 { long a, b; signed char c; } __attribute__((packed));
struct s20 { int a, b, c, d, e; };
struct s24 { long a, b, c; };
struct s28 { int a; float x[5]; int b; };
struct s32 { int a[8]; };
struct s40 { long a, b, c, d; int e, f; };
struct ff { float x, y; };
struct fi { float x; int i; };
struct dl { double d; long l; };
struct ld { long l; double d; };
struct hfa { float a, b, c, d; };
struct dd { double a, b; };
struct wide { __int128 w; int after; };
struct only { __int128 w; };
struct x87 { long double x; };
union either { int i; float f; };
struct text { char t[8]; long n; };
struct nested { struct { struct s2 a, b; } in; struct { int c; } on[2]; };
struct aligned { _Alignas(16) long a; };
struct torn { char a; int b; } __attribute__((packed));
struct empty { };

/* PROBE widths a:s8 b:u8 c  d e f */
PROBED void widths(signed char a, unsigned char b, short c, unsigned short d, int e, unsigned int f)
{
	GOT("a=%d b=%d c=%d d=%d e=%d f=%u", a, b, c, d, e, f);
}
/* PROBE longs a b c on hue:s32 s */
PROBED void longs(long a, unsigned long b, long long c, bool on, enum hue hue, const char *s)
{
	GOT("a=%ld b=%lu c=%lld on=%s hue=%d s=\"%s\"", a, b, c, on ? "true" : "false", hue, s);
}
/* PROBE many a b c d e f g:s8 h i j hue */
PROBED void many(int a, int b, int c, int d, int e, int f, signed char g, short h, unsigned int i, long j, enum hue hue)
{
	GOT("a=%d b=%d c=%d d=%d e=%d f=%d g=%d h=%d i=%u j=%ld hue=%s", a, b, c, d, e, f, g, h, i, j, hue == DARK ? "DARK" : "PALE");
}
/* PROBE small1 s.a:s8 n */
PROBED void small1(struct s1 s, int n) { GOT("a=%d n=%d", s.a, n); }
/* PROBE small2 s.a n */
PROBED void small2(struct s2 s, int n) { GOT("a=%d n=%d", s.a, n); }
/* PROBE small3 x=s.a[0]:s8 y=s.a[1]:s8 z=s.a[2]:s8 n */
PROBED void small3(struct s3 s, int n) { GOT("x=%d y=%d z=%d n=%d", s.a[0], s.a[1], s.a[2], n); }
/* PROBE small4 s.a n */
PROBED void small4(struct s4 s, int n) { GOT("a=%d n=%d", s.a, n); }
/* PROBE small5 x=s.a[0]:s8 y=s.a[3]:s8 z=s.a[4]:s8 n */
PROBED void small5(struct s5 s, int n) { GOT("x=%d y=%d z=%d n=%d", s.a[0], s.a[3], s.a[4], n); }
/* PROBE small6 s.a s.b s.c n */
PROBED void small6(struct s6 s, int n) { GOT("a=%d b=%d c=%d n=%d", s.a, s.b, s.c, n); }
/* PROBE small7 s.a s.b s.c:s8 n */
PROBED void small7(struct s7 s, int n) { GOT("a=%d b=%d c=%d n=%d", s.a, s.b, s.c, n); }
/* PROBE pair8 s.a s.b n a2=t.a b2=t.b */
PROBED void pair8(struct s8 s, int n, struct s8 t) { GOT("a=%d b=%d n=%d a2=%d b2=%d", s.a, s.b, n, t.a, t.b); }
/* PROBE packed9 s.a s.b:s8 n */
PROBED void packed9(struct s9 s, int n) { GOT("a=%ld b=%d n=%d", s.a, s.b, n); }
/* PROBE shorts10 n x=s.a[0] y=s.a[3] z=s.a[4] m */
PROBED void shorts10(int n, struct s10 s, int m) { GOT("n=%d x=%d y=%d z=%d m=%d", n, s.a[0], s.a[3], s.a[4], m); }
/* PROBE bytes11 x=s.a[0]:s8 y=s.a[7]:s8 z=s.a[10]:s8 n */
PROBED void bytes11(struct s11 s, int n) { GOT("x=%d y=%d z=%d n=%d", s.a[0], s.a[7], s.a[10], n); }
/* PROBE triple12 s.a s.b s.c n */
PROBED void triple12(struct s12 s, int n) { GOT("a=%d b=%d c=%d n=%d", s.a, s.b, s.c, n); }
/* PROBE packed13 f s.a s.b s.c:s8 n */
PROBED void packed13(int f, struct s13 s, int n) { GOT("f=%d a=%ld b=%d c=%d n=%d", f, s.a, s.b, s.c, n); }
/* PROBE shorts14 x=s.a[0] y=s.a[6] n */
PROBED void shorts14(struct s14 s, int n) { GOT("x=%d y=%d n=%d", s.a[0], s.a[6], n); }
/* PROBE packed15 s.a s.b s.c s.d:s8 n */
PROBED void packed15(struct s15 s, int n) { GOT("a=%ld b=%d c=%d d=%d n=%d", s.a, s.b, s.c, s.d, n); }
/* PROBE pair16 n s.a s.b m */
PROBED void pair16(int n, struct s16 s, int m) { GOT("n=%d a=%ld b=%ld m=%d", n, s.a, s.b, m); }
/* PROBE mixed16 s.a:s8 s.b s.c s.low s.high s.name n */
PROBED void mixed16(struct mixed s, int n)
{
	GOT("a=%d b=%d c=%d low=%u high=%d name=\"%s\" n=%d", s.a, s.b, s.c, s.low, s.high, s.name, n);
}
/* PROBE packed17 n s.a s.b s.c:s8 m */
PROBED void packed17(int n, struct s17 s, int m) { GOT("n=%d a=%ld b=%ld c=%d m=%d", n, s.a, s.b, s.c, m); }
/* PROBE large20 n s.a s.e m */
PROBED void large20(int n, struct s20 s, int m) { GOT("n=%d a=%d e=%d m=%d", n, s.a, s.e, m); }
/* PROBE large28 n s.a s.b m */
PROBED void large28(int n, struct s28 s, int m) { GOT("n=%d a=%d b=%d m=%d", n, s.a, s.b, m); }
/* PROBE large24 n s.a s.c m */
PROBED void large24(int n, struct s24 s, int m) { GOT("n=%d a=%ld c=%ld m=%d", n, s.a, s.c, m); }
/* PROBE large32 s.a n t.b x=s.a[7] */
PROBED void large32(struct s32 s, int n, struct s40 t)
{
	GOT("a={%d,%d,%d,%d,%d,%d,%d,%d} n=%d b=%ld x=%d", s.a[0], s.a[1], s.a[2], s.a[3], s.a[4], s.a[5], s.a[6], s.a[7], n, t.b, s.a[7]);
}
/* PROBE large40 a a2=s.a s.e s.f b */
PROBED void large40(int a, struct s40 s, int b) { GOT("a=%d a2=%ld e=%d f=%d b=%d", a, s.a, s.e, s.f, b); }
/* PROBE taken a b c d e a2=s.a b2=s.b f g */
PROBED void taken(int a, int b, int c, int d, int e, struct s16 s, int f, int g)
{
	GOT("a=%d b=%d c=%d d=%d e=%d a2=%ld b2=%ld f=%d g=%d", a, b, c, d, e, s.a, s.b, f, g);
}
/* PROBE huge1 a b c */
PROBED void huge1(int a, __int128 w, int b, int c) { (void)w, GOT("a=%d b=%d c=%d", a, b, c); }
/* PROBE huge2 a e f g h */
PROBED void huge2(int a, int b, int c, int d, int e, __int128 w, int f, int g, int h)
{
	(void)(w + b + c + d), GOT("a=%d e=%d f=%d g=%d h=%d", a, e, f, g, h);
}
/* PROBE huge3 s.after n m */
PROBED void huge3(struct wide s, int n, struct only o, int m) { (void)o, GOT("after=%d n=%d m=%d", s.after, n, m); }
/* PROBE huge4 a g h i j */
PROBED void huge4(int a, int b, int c, int d, int e, int f, int g, unsigned __int128 w, int h, struct only o, signed char i, int j)
{
	(void)(w + b + c + d + e + f + o.w), GOT("a=%d g=%d h=%d i=%d j=%d", a, g, h, i, j);
}
/* PROBE floats a b c d */
PROBED void floats(float f, int a, double g, long b, float h, short c, double i, unsigned char d)
{
	(void)(f + g + h + i), GOT("a=%d b=%ld c=%d d=%u", a, b, c, d);
}
/* PROBE pairs_of_floats a q.i b */
PROBED void pairs_of_floats(struct ff p, int a, struct fi q, long b) { (void)p, GOT("a=%d i=%d b=%ld", a, q.i, b); }
/* PROBE halves p.l a l2=q.l b */
PROBED void halves(struct dl p, int a, struct ld q, int b) { GOT("l=%ld a=%d l2=%ld b=%d", p.l, a, q.l, b); }
/* PROBE complexes a b c d */
PROBED void complexes(double complex x, int a, float complex y, int b, long double z, int c, struct x87 w, short d)
{
	(void)(x + y), (void)(z + w.x), GOT("a=%d b=%d c=%d d=%d", a, b, c, d);
}
/* PROBE ten_doubles a b c */
PROBED void ten_doubles(double a0, double a1, double a2, double a3, double a4, double a5, double a6, struct dd both, int a, double a7, double a8,
			struct hfa four, struct fi fi, int b, int r4, int r5, int r6, int c)
{
	(void)(a0 + a1 + a2 + a3 + a4 + a5 + a6 + both.a + a7 + a8 + four.a + fi.x + r4 + r5 + r6), GOT("a=%d b=%d c=%d", a, b, c);
}
/* PROBE unions u.i n */
PROBED void unions(union either u, int n) { GOT("i=%d n=%d", u.i, n); }
/* PROBE texts s.n x=s.t[1]:s8 m */
PROBED void texts(struct text s, int m) { GOT("n=%ld x=%d m=%d", s.n, s.t[1], m); }
/* PROBE inside s.in.b.a x=s.on[1].c n */
PROBED void inside(struct nested s, int n) { GOT("a=%d x=%d n=%d", s.in.b.a, s.on[1].c, n); }
/* PROBE lined_up a a2=s.a b a3=t.a c */
PROBED void lined_up(int a, struct aligned s, int b, struct aligned t, int c) { GOT("a=%d a2=%ld b=%d a3=%ld c=%d", a, s.a, b, t.a, c); }
/* PROBE lined_up_later a g a2=s.a h */
PROBED void lined_up_later(int a, int b, int c, int d, int e, int f, int g, struct aligned s, int h)
{
	(void)(b + c + d + e + f), GOT("a=%d g=%d a2=%ld h=%d", a, g, s.a, h);
}
/* PROBE torn_up s.b n */
PROBED void torn_up(struct torn s, int n) { GOT("b=%d n=%d", s.b, n); }
/* PROBE nothing n m */
PROBED void nothing(int n, struct empty e, int m) { (void)e, GOT("n=%d m=%d", n, m); }
/* PROBE variable n format */
PROBED int variable(int n, const char *format, ...)
{
	va_list ap;
	int sum = n;

	GOT("n=%d format=\"%s\"", n, format);
	va_start(ap, format);
	for (int i = 0; i < n; i++)
		sum += va_arg(ap, int);
	va_end(ap);
	return sum;
}
/* PROBE variable_of_all n s.b m q.i last */
PROBED void variable_of_all(int n, struct s16 s, double x, short m, struct fi q, __int128 w, signed char c, long last, ...)
{
	(void)(x + w + c), GOT("n=%d b=%ld m=%d i=%d last=%ld", n, s.b, m, q.i, last);
}
/* PROBE big_variable n s a2=t.a */
/* RETURN big_variable $retval.a $retval.e */
PROBED struct s40 big_variable(int n, const char *s, struct s24 t, ...)
{
	struct s40 r = { n, 2, 3, 4, -n, 5 };

	GOT("n=%d s=\"%s\" a2=%ld", n, s, t.a);
	return r;
}
/* PROBE big n s */
/* RETURN big $retval.a $retval.e $retval.f */
PROBED struct s40 big(int n, const char *s)
{
	struct s40 r = { n, 2, 3, 4, -5, n + 1 };

	GOT("n=%d s=\"%s\"", n, s);
	return r;
}
/* PROBE big_of_many a d e f a2=s.a */
PROBED struct s24 big_of_many(int a, struct s16 s, int c, int d, int e, int f)
{
	struct s24 r = { a, s.b, c };

	GOT("a=%d d=%d e=%d f=%d a2=%ld", a, d, e, f, s.a);
	return r;
}
/* PROBE two n */
/* RETURN two $retval.a $retval.b */
PROBED struct s16 two(int n)
{
	GOT("n=%d", n);
	return (struct s16){ -n, n + 1 };
}
/* PROBE three n */
/* RETURN three $retval.a $retval.b $retval.c */
PROBED struct s12 three(int n)
{
	GOT("n=%d", n);
	return (struct s12){ -n, -n - 1, -n - 2 };
}
/* PROBE double_and_long n */
/* RETURN double_and_long $retval.l */
PROBED struct dl double_and_long(int n)
{
	GOT("n=%d", n);
	return (struct dl){ 1.5, -n };
}
/* PROBE packed n */
/* RETURN packed $retval.a $retval.b:s8 */
PROBED struct s9 packed(int n)
{
	GOT("n=%d", n);
	return (struct s9){ -n, 9 };
}
/* PROBE real n */
PROBED double real(int n) { return GOT("n=%d", n), n; }
/* PROBE imaginary n m */
PROBED long double complex imaginary(int n, short m) { return GOT("n=%d m=%d", n, m), n; }
/* PROBE huge n m */
PROBED __int128 huge(int n, int m) { return GOT("n=%d m=%d", n, m), n; }
/* RETURN little $retval */
PROBED signed char little(int n) { return (signed char)-n; }

static void numbers(void)
{
	widths((signed char)(-one), 200, -300, 60000, -70000, 4000000000u);
	longs(-5000000000, 18000000000000000000ul, -1, one, DARK, "hue");
	many(-1, 2, -3, 4, -5, 6, (signed char)-7, -8, 4000000000u, -9, DARK);
	huge1(1, -1, -2, 3);
	huge2(1, 2, 3, 4, -5, (__int128)1 << 100, -6, 7, -8);
	huge3((struct wide){ -1, 7 }, 8, (struct only){ 9 }, -10);
	huge4(-1, 2, 3, 4, 5, 6, -7, 8, -9, (struct only){ 10 }, (signed char)-11, 12);
	floats(1.5f, -1, 2.5, -2, 3.5f, -3, 4.5, 250);
	complexes(1., -1, 2.f, -2, 3.L, -3, (struct x87){ 4.L }, -4);
	ten_doubles(0, 1, 2, 3, 4, 5, 6, (struct dd){ 7, 8 }, -1, 9, 10, (struct hfa){ 1, 2, 3, 4 }, (struct fi){ 1.f, 5 }, -2, 4, 5, 6, -3);
	variable(2, "two", 3, 4);
	variable_of_all(-1, (struct s16){ -2, -3 }, 4.5, -5, (struct fi){ 6.f, -7 }, (__int128)1 << 99, (signed char)-8, -9, 10.5, 11, 12L);
}

static void structures(void)
{
	small1((struct s1){ (signed char)(-2 * one) }, 3);
	small2((struct s2){ -300 }, 3);
	small3((struct s3){ { -1, 2, -3 } }, 4);
	small4((struct s4){ -70000 }, 4);
	small5((struct s5){ { -1, 2, 3, -4, -5 } }, 6);
	small6((struct s6){ -1, 2, -3 }, 4);
	small7((struct s7){ -1, -70000, -3 }, 4);
	pair8((struct s8){ -1, -2 }, -3, (struct s8){ 4, -5 });
	packed9((struct s9){ -10, -11 }, -12);
	shorts10(1, (struct s10){ { -2, 3, 4, -5, -6 } }, 7);
	bytes11((struct s11){ { -1, 2, 3, 4, 5, 6, 7, -8, 9, 10, -11 } }, 12);
	triple12((struct s12){ -1, -2, -3 }, 4);
	packed13(1, (struct s13){ -2, -3, -4 }, 5);
	shorts14((struct s14){ { -1, 2, 3, 4, 5, 6, -7 } }, 8);
	packed15((struct s15){ -1, -2, -3, -4 }, 5);
	pair16(1, (struct s16){ -2, -3 }, 4);
	mixed16((struct mixed){ -1, -2, -3, 5, -17, "mixed" }, 7);
	packed17(1, (struct s17){ -2, -3, -4 }, 5);
	large20(1, (struct s20){ -2, 3, 4, 5, -6 }, 7);
	large28(1, (struct s28){ -2, { 3, 4, 5, 6, 7 }, -8 }, 9);
	large24(1, (struct s24){ -2, -3, -4 }, 5);
	large32((struct s32){ { 1, -2, 3, -4, 5, -6, 7, -8 } }, 9, (struct s40){ 1, -2, 3, 4, 5, 6 });
	large40(-1, (struct s40){ -1, -2, -3, -4, -5, -6 }, -2);
	taken(1, 2, 3, 4, 5, (struct s16){ -6, -7 }, 8, -9);
	pairs_of_floats((struct ff){ 1, 2 }, -3, (struct fi){ 4, -5 }, -6);
	halves((struct dl){ 1, -2 }, -3, (struct ld){ -4, 5 }, -6);
	unions((union either){ -7 }, 8);
	texts((struct text){ "abcdefg", -5 }, 6);
	inside((struct nested){ { { -1 }, { -2 } }, { { -3 }, { -4 } } }, 5);
	lined_up(1, (struct aligned){ -2 }, 3, (struct aligned){ -4 }, 5);
	lined_up_later(1, 2, 3, 4, 5, 6, 7, (struct aligned){ -8 }, -9);
	torn_up((struct torn){ 1, -2 }, 3);
	nothing(1, (struct empty){}, 2);
}

int main(void)
{
	struct s40 a = big(one, "big");
	struct s16 b;
	struct s12 c;
	struct dl d;
	struct s9 e;

	RETURNED("big", "a=%ld e=%d f=%d", a.a, a.e, a.f);
	a = big_variable(16, "various", (struct s24){ -17, 18, 19 }, 20, 21.5);
	RETURNED("big_variable", "a=%ld e=%d", a.a, a.e);
	big_of_many(1, (struct s16){ -2, 3 }, 4, -5, 6, -7);
	b = two(7);
	RETURNED("two", "a=%ld b=%ld", b.a, b.b);
	c = three(8);
	RETURNED("three", "a=%d b=%d c=%d", c.a, c.b, c.c);
	d = double_and_long(9);
	RETURNED("double_and_long", "l=%ld", d.l);
	e = packed(10);
	RETURNED("packed", "a=%ld b=%d", e.a, e.b);
	real(11);
	imaginary(12, -13);
	huge(14, -15);
	RETURNED("little", "ret=%d", little(3));
	numbers();
	structures();
	return 0;
}
