#ifndef PAVANE_BASE_WHY_H
#define PAVANE_BASE_WHY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* What is wrong with what a person wrote, or with a disk that a person owns:
 * where, what, and what was expected.
 *
 * Problems stop the work; notes only want to be read. The first
 * PV_WHY_PROBLEMS_MAX of each are kept and the others counted. The texts are
 * the collection's own and safe to print: whatever they quote is made
 * visible.
 */
#define PV_WHY_PROBLEMS_MAX 20

struct pv_place {
	const char *file; /* borrowed until the problem is added */
	uint32_t line;    /* from 1; 0 where there is none */
	uint32_t column;  /* from 1, in characters; 0 where there is none */
};

struct pv_problem {
	char *file;
	uint32_t line;
	uint32_t column;
	char *key;  /* "" where no key is at fault */
	char *text; /* one sentence */
	char *excerpt; /* of the file, to be printed below; NULL or "": none */
	uint32_t order;
};

struct pv_problems {
	struct pv_problem kept[PV_WHY_PROBLEMS_MAX];
	size_t kept_count;
	size_t count;
};

struct pv_why {
	struct pv_problems problems;
	struct pv_problems notes;
};

void pv_why_init(struct pv_why *why);
void pv_why_finish(struct pv_why *why);

/* `key` may be empty. */
void pv_why_add(struct pv_why *why, struct pv_place place, struct pv_str key,
    const char *format, ...) __attribute__((format(printf, 4, 5)));
void pv_why_note(struct pv_why *why, struct pv_place place, struct pv_str key,
    const char *format, ...) __attribute__((format(printf, 4, 5)));

static inline bool pv_why_has_problems(const struct pv_why *why)
{
	return why->problems.count > 0;
}

/* Whether further problems would only be counted. */
static inline bool pv_why_is_full(const struct pv_why *why)
{
	return why->problems.count >= PV_WHY_PROBLEMS_MAX;
}

/* Orders what was kept as a reader meets it: by line and column within the
 * files, these in the order in which they were first named; problems of one
 * place stay as they came. */
void pv_why_sort(struct pv_why *why);

/* Appends "file:line:column: key: text". */
void pv_problem_write(const struct pv_problem *problem, struct pv_buf *buf);

#endif
