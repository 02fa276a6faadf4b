#ifndef PAVANE_TESTS_TORTURE_LINES_H
#define PAVANE_TESTS_TORTURE_LINES_H

#include <stdbool.h>

#include "base/buf.h"

/* Lines that are compared without regard to their order: what is known of a
 * crawl, one fact each. All zero is none; to be finished. */
struct lines {
	char **items;
	size_t count;
	size_t size;
};

void lines_finish(struct lines *lines);

void lines_add(struct lines *lines, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Adds those of other lines in which none of these words stands. */
void lines_add_others(
    struct lines *lines, const struct lines *from, const struct lines *words);

/* To be called when all have been added. */
void lines_sort(struct lines *lines);

/* How often that one is among them; they are sorted. */
size_t lines_count(const struct lines *lines, const char *line);

/* Appends a line to `faults` for each that is there too often or not often
 * enough, up to a dozen; `what` says what they are. How many there were. */
size_t lines_compare(const struct lines *found, const struct lines *wanted,
    const char *what, struct pv_buf *faults);

#endif
