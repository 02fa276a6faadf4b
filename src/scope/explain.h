#ifndef PAVANE_SCOPE_EXPLAIN_H
#define PAVANE_SCOPE_EXPLAIN_H

#include "scope/scope.h"

/* A verdict step by step, as `pavane explain` shows it: what was asked, what
 * was found, and which line of the policy asked for it, up to the step that
 * decided. */
enum pv_scope_finding {
	PV_SCOPE_PASSED,
	PV_SCOPE_ADMITTED,
	PV_SCOPE_REFUSED,
};

struct pv_scope_line {
	const char *key;               /* "never.txt", "max_url", "rules" ... */
	enum pv_scope_finding finding; /* PV_SCOPE_PASSED but for the last */
	struct pv_str text;            /* until the next line */
	struct pv_origin origin;
};

typedef void (*pv_scope_line_fn)(const struct pv_scope_line *line, void *ctx);

/* Judges a link as pv_scope_judge does, and tells how. */
struct pv_scope_verdict pv_scope_explain(const struct pv_scope *scope,
    const struct pv_scope_link *link, pv_scope_line_fn on_line, void *ctx);

#endif
