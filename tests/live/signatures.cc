/* SPDX-License-Identifier: GPL-2.0 */
/* As signatures.c, what C++ adds: classes that are passed by reference, results in memory, this, templates, lambdas. */
#include <array>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#ifdef __clang__
#define PROBED __attribute__((noinline))
#else
#define PROBED __attribute__((noinline, noipa))
#endif
#define GOT(name, format, ...) std::printf(name " " format "\n", ##__VA_ARGS__)

volatile int one = 1;

struct plain { int a, b; };
struct written { int a; written(int n) : a(n) {} written(const written &o) : a(o.a) {} };
struct defaulted { int a; defaulted(int n) : a(n) {} defaulted(const defaulted &) = default; ~defaulted() = default; };
struct outside { int a; outside(int n) : a(n) {} outside(const outside &); };
outside::outside(const outside &) = default;
struct undone { int a; undone(int n) : a(n) {} ~undone() { a = 0; } };
struct moved { int a; moved(int n) : a(n) {} moved(moved &&o) : a(o.a) {} };
struct movable { int a; movable(int n) : a(n) {} movable(const movable &) = delete; movable(movable &&) = default; };
struct holds { int n; written w; holds(int a, int b) : n(a), w(b) {} };
struct derived : plain { int c; derived(int x, int y, int z) { a = x; b = y; c = z; } };
struct derived_of_written : written { int c; derived_of_written(int x, int z) : written(x), c(z) {} };
struct virtually { int a; virtually(int n) : a(n) {} virtual ~virtually() {} virtual int get(int n) const; };
struct tag {};
struct tagged : tag { long a; };
struct either { int a; template<class T> either(const T &t) : a(t) {} either(const either &) = default; };
template<class T> struct box { T a; box(T t) : a(t) {} box(const box &o) : a(o.a) {} ~box() {} };
template<class T> struct flat { T a; T b; };
enum class tint : short { warm = -2, cold = 3 };
struct large { long a, b, c; };
struct half { double d; int i; };

/* PROBE trivial p.a p.b n */
PROBED void trivial(plain p, int n) { GOT("trivial", "a=%d b=%d n=%d", p.a, p.b, n); }
/* PROBE with_copy w.a n */
PROBED void with_copy(written w, int n) { GOT("with_copy", "a=%d n=%d", w.a, n); }
/* PROBE with_default d.a n */
PROBED void with_default(defaulted d, int n) { GOT("with_default", "a=%d n=%d", d.a, n); }
/* PROBE with_outside o.a n */
PROBED void with_outside(outside o, int n) { GOT("with_outside", "a=%d n=%d", o.a, n); }
/* PROBE with_destructor u.a n */
PROBED void with_destructor(undone u, int n) { GOT("with_destructor", "a=%d n=%d", u.a, n); }
/* PROBE with_move m.a n */
PROBED void with_move(moved m, int n) { GOT("with_move", "a=%d n=%d", m.a, n); }
/* PROBE only_movable m.a n */
PROBED void only_movable(movable m, int n) { GOT("only_movable", "a=%d n=%d", m.a, n); }
/* PROBE with_member n h.w.a m */
PROBED void with_member(int n, holds h, int m) { GOT("with_member", "n=%d a=%d m=%d", n, h.w.a, m); }
/* PROBE with_base d.a d.c n */
PROBED void with_base(derived d, int n) { GOT("with_base", "a=%d c=%d n=%d", d.a, d.c, n); }
/* PROBE with_written_base d.a d.c n */
PROBED void with_written_base(derived_of_written d, int n) { GOT("with_written_base", "a=%d c=%d n=%d", d.a, d.c, n); }
/* PROBE with_virtual v.a n */
PROBED void with_virtual(virtually v, int n) { GOT("with_virtual", "a=%d n=%d", v.a, n); }
/* PROBE with_template e.a n */
PROBED void with_template(either e, int n) { GOT("with_template", "a=%d n=%d", e.a, n); }
/* PROBE with_box b.a f.b n */
PROBED void with_box(box<int> b, flat<short> f, int n) { GOT("with_box", "a=%d b=%d n=%d", b.a, f.b, n); }
/* PROBE with_tags n t.a m */
PROBED void with_tags(tag, int n, tagged t, tag, int m) { GOT("with_tags", "n=%d a=%ld m=%d", n, t.a, m); }
/* PROBE with_large n l.b b.a.c m */
PROBED void with_large(int n, large l, box<large> b, int m) { GOT("with_large", "n=%d b=%ld c=%ld m=%d", n, l.b, b.a.c, m); }
/* PROBE text n s._M_dataplus._M_p s._M_string_length m */
PROBED void text(int n, std::string s, int m)
{
	GOT("text", "n=%d _M_p=\"%s\" _M_string_length=%zu m=%d", n, s.c_str(), s.size(), m);
}
/* PROBE list first=v._M_impl._M_start[0] second=v._M_impl._M_start[1] n */
PROBED void list(std::vector<int> v, int n) { GOT("list", "first=%d second=%d n=%d", v[0], v[1], n); }
/* PROBE viewed n v._M_str v._M_len m */
PROBED void viewed(int n, std::string_view v, int m) { GOT("viewed", "n=%d _M_str=\"%s\" _M_len=%zu m=%d", n, v.data(), v.size(), m); }
/* PROBE paired p.first p.second n */
PROBED void paired(std::pair<int, long> p, int n) { GOT("paired", "first=%d second=%ld n=%d", p.first, p.second, n); }
/* PROBE arrayed x=a._M_elems[1] n */
PROBED void arrayed(std::array<short, 7> a, int n) { GOT("arrayed", "x=%d n=%d", a[1], n); }
/* PROBE texts n b._M_string_length m */
PROBED void texts(std::vector<std::string> v, int n, std::string a, std::string b, int m)
{
	(void)v, (void)a, GOT("texts", "n=%d _M_string_length=%zu m=%d", n, b.size(), m);
}
/* PROBE maybe n m */
PROBED void maybe(std::optional<int> o, int n, std::optional<std::string> s, int m) { (void)o, (void)s, GOT("maybe", "n=%d m=%d", n, m); }
/* PROBE various n p.b */
PROBED void various(int n, written w, plain p, ...) { (void)w, GOT("various", "n=%d b=%d", n, p.b); }
/* PROBE owned n m */
PROBED void owned(std::unique_ptr<int> p, int n, std::shared_ptr<int> q, int m) { (void)p, (void)q, GOT("owned", "n=%d m=%d", n, m); }
/* PROBE containers n m */
PROBED void containers(std::map<int, int> p, int n, std::function<int(int)> f, int m) { (void)p, (void)f, GOT("containers", "n=%d m=%d", n, m); }
/* PROBE referred s._M_string_length n p.b q.a */
PROBED void referred(const std::string &s, int &n, const plain &p, written &&q)
{
	GOT("referred", "_M_string_length=%zu n=%d b=%d a=%d", s.size(), n, p.b, q.a);
}
/* PROBE shaded t:s16 on n */
PROBED void shaded(tint t, bool on, std::nullptr_t, int n) { GOT("shaded", "t=%d on=%s n=%d", (int)t, on ? "true" : "false", n); }
/* PROBE halved h.i n */
PROBED void halved(half h, double, int n) { GOT("halved", "i=%d n=%d", h.i, n); }
/* PROBE twice<long> t */
template<class T> PROBED T twice(T t) { return GOT("twice_long_", "t=%ld", (long)t), t * 2; }
/* PROBE make_text n s */
PROBED std::string make_text(int n, const char *s) { return GOT("make_text", "n=%d s=\"%s\"", n, s), std::string(s); }
/* PROBE make_list n m */
PROBED std::vector<int> make_list(int n, short m) { return GOT("make_list", "n=%d m=%d", n, m), std::vector<int>{ n, m }; }
/* PROBE make_written n */
/* RETURN make_written $retval.a */
PROBED written make_written(int n) { return GOT("make_written", "n=%d", n), written(n + 1); }
/* PROBE make_plain n */
/* RETURN make_plain $retval.a $retval.b */
PROBED plain make_plain(int n) { return GOT("make_plain", "n=%d", n), plain{ n, -n }; }
/* PROBE make_large n */
/* RETURN make_large $retval.a $retval.c */
PROBED large make_large(int n) { return GOT("make_large", "n=%d", n), large{ n, n, -n }; }
/* PROBE make_half n */
/* RETURN make_half $retval.i */
PROBED half make_half(int n) { return GOT("make_half", "n=%d", n), half{ 1.5, -n }; }
/* PROBE make_tag n */
PROBED tag make_tag(int n) { return GOT("make_tag", "n=%d", n), tag{}; }

/* PROBE virtually::get this->a n */
PROBED int virtually::get(int n) const { return GOT("virtually_get", "a=%d n=%d", a, n), n; }

namespace home {
class room {
	int doors, windows;
public:
	PROBED room(int d, int w);
	PROBED room grown(int by) const;
	PROBED std::string name(const char *prefix);
	PROBED large size(plain p, int n);
	PROBED static int count(int n);
	PROBED int operator()(int n);
	PROBED ~room();
};
/* PROBE home::room::room d w */
room::room(int d, int w) : doors(d), windows(w) { GOT("home_room_room", "d=%d w=%d", d, w); }
/* PROBE home::room::grown this->doors by */
room room::grown(int by) const { return GOT("home_room_grown", "doors=%d by=%d", doors, by), room(doors + by, windows); }
/* PROBE home::room::name this->windows prefix */
std::string room::name(const char *prefix) { return GOT("home_room_name", "windows=%d prefix=\"%s\"", windows, prefix), std::string(prefix); }
/* PROBE home::room::size this->doors p.a p.b n */
large room::size(plain p, int n) { return GOT("home_room_size", "doors=%d a=%d b=%d n=%d", doors, p.a, p.b, n), large{ n, n, n }; }
/* PROBE home::room::count n */
int room::count(int n) { return GOT("home_room_count", "n=%d", n), n; }
/* PROBE home::room::operator() this->doors n name=called */
int room::operator()(int n) { return GOT("called", "doors=%d n=%d", doors, n), n; }
room::~room() { doors = 0; }
}

static void classes()
{
	int n = -one;

	trivial({ 1, -2 }, n);
	with_copy(written(-3), n);
	with_default(defaulted(-4), n);
	with_outside(outside(-5), n);
	with_destructor(undone(-6), n);
	with_move(moved(-7), n);
	only_movable(movable(-8), n);
	with_member(1, holds(-9, -10), n);
	with_base(derived(1, 2, -11), n);
	with_written_base(derived_of_written(-12, -13), n);
	with_virtual(virtually(-14), n);
	with_template(either(-15), n);
	with_box(box<int>(-16), flat<short>{ 3, -4 }, n);
	with_tags(tag{}, 1, tagged{ {}, -17 }, tag{}, n);
	with_large(1, large{ 1, -2, 3 }, box<large>(large{ 4, 5, -6 }), n);
	text(1, "short", n);
	text(2, "a text that is too long to be kept inside", n);
	list({ 5, -6 }, n);
	viewed(1, "view", n);
	paired({ -5, -6 }, n);
	arrayed({ 1, -7, 3 }, n);
	texts({ "one", "two" }, 1, "three", "of five", n);
	maybe(8, 9, "ten", n);
	various(-10, written(11), { 12, -13 }, 14, 15.5);
	owned(std::make_unique<int>(1), 2, std::make_shared<int>(3), n);
	containers({ { 1, 2 } }, 3, [](int a) { return a; }, n);
	referred("four", n, { 1, -2 }, written(-18));
	shaded(tint::warm, true, nullptr, n);
	halved({ 1.5, -19 }, 2.5, n);
	twice(-20L);
}

int main()
{
	written w(0);
	plain p;
	large l;
	half h;

	classes();
	make_text(21, "made");
	make_list(22, -23);
	w = make_written(24);
	GOT("make_written_return", "a=%d", w.a);
	p = make_plain(25);
	GOT("make_plain_return", "a=%d b=%d", p.a, p.b);
	l = make_large(26);
	GOT("make_large_return", "a=%ld c=%ld", l.a, l.c);
	h = make_half(27);
	GOT("make_half_return", "i=%d", h.i);
	make_tag(28);
	virtually(29).get(-30);
	home::room r(31, -32);
	r.grown(33);
	r.name("prefix");
	r.size({ 34, -35 }, 36);
	home::room::count(-37);
	r(38);
	return 0;
}
