#ifndef PAVANE_TESTS_TAP_H
#define PAVANE_TESTS_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"

/* Claims, told in the Test Anything Protocol: one line each, and the plan at
 * the end. main ends with `return tap_done();`. */

static struct {
	unsigned claims;
	unsigned failures;
} tap;

#define ok(is_true, ...) tap_claim((is_true), __FILE__, __LINE__, __VA_ARGS__)

/* Returns whether it held. */
__attribute__((format(printf, 4, 5), unused)) static bool tap_claim(
    bool is_true, const char *file, int line, const char *format, ...)
{
	va_list list;
	printf("%s %u - ", is_true ? "ok" : "not ok", ++tap.claims);
	va_start(list, format);
	vprintf(format, list);
	va_end(list);
	printf("\n");
	if (!is_true) {
		tap.failures++;
		printf("# at %s:%d\n", file, line);
	}
	fflush(stdout);
	return is_true;
}

/* Claims that two texts are the same, and shows them where they are not. */
#define is_text(found, wanted, ...) \
	tap_is((found), (wanted), __FILE__, __LINE__, __VA_ARGS__)

__attribute__((format(printf, 5, 6), unused)) static bool tap_is(
    struct pv_str found, const char *wanted, const char *file, int line,
    const char *format, ...)
{
	char claim[512];
	va_list list;
	va_start(list, format);
	vsnprintf(claim, sizeof(claim), format, list);
	va_end(list);
	bool is_same = pv_str_equal(found, pv_str_of(wanted));
	tap_claim(is_same, file, line, "%s", claim);
	if (!is_same)
		printf("#  found: %.*s\n# wanted: %s\n", PV_STR_ARG(found),
		    wanted);
	return is_same;
}

/* A claim that cannot be tried here, and why. */
__attribute__((unused)) static void tap_skip(const char *claim, const char *why)
{
	printf("ok %u - %s # SKIP %s\n", ++tap.claims, claim, why);
}

__attribute__((unused)) static int tap_done(void)
{
	printf("1..%u\n", tap.claims);
	return tap.failures ? 1 : 0;
}

#endif
