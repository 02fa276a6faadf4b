#ifndef PAVANE_BASE_PATTERN_PATTERN_H
#define PAVANE_BASE_PATTERN_PATTERN_H

#include "base/str.h"

/* A regular expression (PCRE2) that a person wrote and a stranger's text is
 * held against: compiled once, matched within limits that neither of them can
 * raise, by as many threads as want to. */
struct pv_pattern;

/* Why a pattern was not taken, and how many bytes into it. */
struct pv_pattern_fault {
	char text[160];
	size_t offset;
};

enum pv_pattern_match {
	PV_PATTERN_NO,
	PV_PATTERN_YES,
	PV_PATTERN_GAVE_UP, /* a limit was reached: nobody knows */
};

/* NULL, with the fault told, if it does not compile. */
struct pv_pattern *pv_pattern_create(
    struct pv_str text, struct pv_pattern_fault *fault);
void pv_pattern_destroy(struct pv_pattern *pattern);

/* Whether the pattern is found anywhere in the text; a text of more than 64 KiB
 * is given up. */
enum pv_pattern_match pv_pattern_search(
    const struct pv_pattern *pattern, struct pv_str text);

#endif
