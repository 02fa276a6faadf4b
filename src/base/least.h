#ifndef PAVANE_BASE_LEAST_H
#define PAVANE_BASE_LEAST_H

#include <stdint.h>

/* The smaller and the larger of two numbers. */
static inline int64_t pv_smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t pv_larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

#endif
