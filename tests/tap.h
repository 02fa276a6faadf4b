#ifndef PAVANE_TESTS_TAP_H
#define PAVANE_TESTS_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/str.h"

/* Claims, told in the Test Anything Protocol: one line each, and the plan at
 * the end. main ends with `return tap_done();`; a test that ends in any other
 * way has failed. How many claims it makes at least stands in tests/claims. */

/* From unistd.h, whose read and write are names that tests have, too. */
pid_t getpid(void);

static struct {
	unsigned claims;
	unsigned failures;
	pid_t claimant; /* the process whose claims these are */
	bool is_done;
} tap;

static void tap_count(void)
{
	if (tap.claims++ == 0)
		tap.claimant = getpid();
}

/* A return from main, or an exit somewhere else, before all was claimed. */
__attribute__((destructor)) static void tap_check_done(void)
{
	if (tap.claims == 0 || tap.is_done || tap.claimant != getpid())
		return;
	printf("Bail out! the program ended before tap_done()\n");
	fflush(stdout);
	_Exit(1);
}

#define ok(is_true, ...) tap_claim((is_true), __FILE__, __LINE__, __VA_ARGS__)

/* Returns whether it held. */
__attribute__((format(printf, 4, 5), unused)) static bool tap_claim(
    bool is_true, const char *file, int line, const char *format, ...)
{
	va_list list;
	tap_count();
	printf("%s %u - ", is_true ? "ok" : "not ok", tap.claims);
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
	tap_count();
	printf("ok %u - %s # SKIP %s\n", tap.claims, claim, why);
	fflush(stdout);
}

/* In the place of all claims. Returns the program's exit status. */
__attribute__((unused)) static int tap_skip_all(const char *why)
{
	printf("1..0 # SKIP %s\n", why);
	tap.is_done = true;
	return 0;
}

__attribute__((unused)) static int tap_done(void)
{
	printf("1..%u\n", tap.claims);
	tap.is_done = true;
	return tap.failures ? 1 : 0;
}

#endif
