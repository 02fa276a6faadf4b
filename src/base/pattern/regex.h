#ifndef PAVANE_BASE_PATTERN_REGEX_H
#define PAVANE_BASE_PATTERN_REGEX_H

#include <stdint.h>

#include "base/pattern/pattern.h"

/* A regular expression (PCRE2, UTF-8) that a person wrote to take values out of
 * a stranger's page; base/pattern/pattern.h is for addresses.
 *
 * It is compiled once and searched with by as many threads as want to. What a
 * match gives is its group `value` if there is one of that name; else group 1
 * if there is one; else all of it. A match in which that group has no part
 * gives nothing.
 *
 * Work is counted in steps, of which 100,000 take about a millisecond: each
 * item of the expression that is tried is one, and so are each sixteen bytes
 * that an item passes over or compares. So neither an exponential expression
 * nor one that reads to the end of the page again and again takes long.
 */
struct pv_regex;

#define PV_REGEX_TEXT_MAX ((size_t)4 << 20)
#define PV_REGEX_SEARCH_STEPS INT64_C(8000000) /* for one text */
#define PV_REGEX_PAGE_STEPS INT64_C(16000000)  /* for all texts of a page */

/* NULL, with the fault told, if it does not compile. */
struct pv_regex *pv_regex_create(
    struct pv_str text, struct pv_pattern_fault *fault);
void pv_regex_destroy(struct pv_regex *regex);

/* The matches in one text, from its beginning to its end. They do not overlap;
 * one that is empty is followed by one that lies behind it. */
struct pv_regex_search;

/* The regex, the text and the budget are borrowed until the search is
 * destroyed. `budget` is what is left for the page, in steps, and gets less as
 * the search goes on; a search has PV_REGEX_SEARCH_STEPS at most. */
struct pv_regex_search *pv_regex_search_create(
    const struct pv_regex *regex, struct pv_str text, int64_t *budget);
void pv_regex_search_destroy(struct pv_regex_search *search);

/* The next value, which is a piece of the text. Once it has given up it always
 * does: a limit was reached, or the text is longer than PV_REGEX_TEXT_MAX, or
 * no UTF-8. */
enum pv_pattern_match pv_regex_search_next(
    struct pv_regex_search *search, struct pv_str *value);

#endif
