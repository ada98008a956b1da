/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/base/digits.h"

const char digit_pairs[201] = "00010203040506070809"
			      "10111213141516171819"
			      "20212223242526272829"
			      "30313233343536373839"
			      "40414243444546474849"
			      "50515253545556575859"
			      "60616263646566676869"
			      "70717273747576777879"
			      "80818283848586878889"
			      "90919293949596979899";

#define TEN(tens) tens "0" tens "1" tens "2" tens "3" tens "4" tens "5" tens "6" tens "7" tens "8" tens "9"
#define HUNDRED(h) TEN(h "0") TEN(h "1") TEN(h "2") TEN(h "3") TEN(h "4") TEN(h "5") TEN(h "6") TEN(h "7") TEN(h "8") TEN(h "9")
const char digit_triples[3001] = HUNDRED("0") HUNDRED("1") HUNDRED("2") HUNDRED("3") HUNDRED("4") HUNDRED("5") HUNDRED("6") HUNDRED("7") HUNDRED("8")
	HUNDRED("9");
#undef HUNDRED
#undef TEN

#define ROW(h) h "0" h "1" h "2" h "3" h "4" h "5" h "6" h "7" h "8" h "9" h "a" h "b" h "c" h "d" h "e" h "f"
const char hex_pairs[513] = ROW("0") ROW("1") ROW("2") ROW("3") ROW("4") ROW("5") ROW("6") ROW("7") ROW("8") ROW("9") ROW("a") ROW("b") ROW("c") ROW("d")
	ROW("e") ROW("f");
#undef ROW

/* Element n is 10^n. The exception is element 0: it is 0, so that the number 0 has a digit. */
const uint64_t powers_of_10[20] = {
	0,
	10,
	100,
	1000,
	10000,
	100000,
	1000000,
	10000000,
	100000000,
	1000000000,
	10000000000,
	100000000000,
	1000000000000,
	10000000000000,
	100000000000000,
	1000000000000000,
	10000000000000000,
	100000000000000000,
	1000000000000000000,
	10000000000000000000u,
};
