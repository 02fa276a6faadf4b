#ifndef PAVANE_AUDIT_PARTS_H
#define PAVANE_AUDIT_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/journal_name.h"

/* The files of a journal that an audit reads: all that are kept, from the last one
 * on before which something is missing. Most journals have one.
 *
 * Lines are numbered through all of them; a finding names the file, and the line
 * in it. */
struct pv_database;

struct pv_audit_part {
	uint64_t generation;
	uint64_t length;    /* that is committed */
	int64_t first_line; /* its number; set when it is read */
};

struct pv_audit_parts {
	const char *directory; /* of the crawl, borrowed */
	struct pv_audit_part *items;
	size_t count; /* at least one, once they are found */
	size_t size;
};

void pv_audit_parts_find(struct pv_audit_parts *parts,
    struct pv_database *state, const char *directory);
void pv_audit_parts_finish(struct pv_audit_parts *parts);

/* Whether there was something before them. */
bool pv_audit_parts_are_cut(const struct pv_audit_parts *parts);

/* The file in which the line of that number stands, and its number there. */
int64_t pv_audit_parts_place(const struct pv_audit_parts *parts, int64_t line,
    char name[PV_JOURNAL_NAME_MAX]);

#endif
