#ifndef PAVANE_POLICY_VALUES_TEMPLATE_H
#define PAVANE_POLICY_VALUES_TEMPLATE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"

/* An address with places that vary: {1..500}, {001..500}, {0..100..10},
 * {a..z}, {red,green}; or as curl writes ranges: [1-500], [001-500],
 * [0-100:10], [a-z]. Other brackets, as in ?a[]=1 or of an IPv6 host, are
 * brackets.
 *
 * It stands for as many addresses as there are combinations, the last place
 * varying fastest, and writes any one of them by its number; none is ever
 * kept.
 */
#define PV_TEMPLATE_COUNT_MAX INT64_C(1000000000)
#define PV_TEMPLATE_PLACES_MAX 16

struct pv_template {
	struct pv_template_part *parts;
	size_t part_count;
	int64_t count; /* how many addresses */
};

/* Reads a template into the arena. NULL if it is right, else what is wrong. */
const char *pv_template_read(
    struct pv_str text, struct pv_arena *arena, struct pv_template *template);

/* Appends the address of that number, from 0 to count - 1. */
void pv_template_write(
    const struct pv_template *template, int64_t number, struct pv_buf *buf);

#endif
