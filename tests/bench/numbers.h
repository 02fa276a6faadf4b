#ifndef PAVANE_TESTS_BENCH_NUMBERS_H
#define PAVANE_TESTS_BENCH_NUMBERS_H

#include <stdlib.h>

/* Numbers on a benchmark's command line, and those that it finds. */

/* The argument of that number; `missing` if there is none. */
static inline unsigned numbers_argument(
    int count, char **arguments, int number, unsigned missing)
{
	return number < count ? (unsigned)strtoul(arguments[number], NULL, 10)
			      : missing;
}

/* The lesser, where 0 is none yet: a busy machine only adds to what a thing
 * costs, so of several rounds the quickest tells most. */
static inline double numbers_lesser(double a, double b)
{
	return !a || b < a ? b : a;
}

#endif
