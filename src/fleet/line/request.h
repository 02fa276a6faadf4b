#ifndef PAVANE_FLEET_LINE_REQUEST_H
#define PAVANE_FLEET_LINE_REQUEST_H

#include "base/line.h"
#include "fleet/line/field.h"
#include "fleet/line/value.h"

/* A request: statements that are one transaction, and what came of them.
 *
 * It owns its values in their binary form, so that it can be sent again. It is
 * created by a caller, who gives it to a line (fleet/line/line.h), and comes back
 * by its callback; after that it is destroyed, unless the callback has taken it.
 */
#define PV_FLEET_STEPS_MAX 64
#define PV_FLEET_VALUES_MAX 48

/* A statement that is prepared at each connect. */
struct pv_fleet_statement {
	const char *name;
	const char *text;
	/* Those of $1, $2, ..., the last one followed by PV_FLEET_NOTHING. */
	enum pv_fleet_type types[PV_FLEET_VALUES_MAX + 1];
};

struct pv_fleet_step {
	unsigned statement; /* its number in the caller's table */
	const struct pv_fleet_value *values; /* one for each of its types */
	size_t count;
};

enum pv_fleet_status {
	PV_FLEET_OK,      /* committed */
	PV_FLEET_REFUSED, /* an error of SQL: nothing was done */
	PV_FLEET_LOST,    /* it is not known whether it was done */
};

struct pv_fleet_results;
struct pv_fleet_request;

struct pv_fleet_answer {
	enum pv_fleet_status status;
	char sqlstate[6]; /* with REFUSED, else "" */
	const char
	    *message; /* with REFUSED, the server's words as one line that
				is safe to print; else "" */
	const struct pv_fleet_results *results; /* with OK, else NULL */
};

/* The answer is borrowed for the time of the call. */
typedef void (*pv_fleet_request_fn)(void *ctx, struct pv_fleet_request *request,
    const struct pv_fleet_answer *answer);

/* Of at most PV_FLEET_STEPS_MAX steps, at least one. NULL if the values are
 * larger than PV_FLEET_REQUEST_BYTES_MAX altogether. */
#define PV_FLEET_REQUEST_BYTES_MAX ((size_t)64 << 20)
struct pv_fleet_request *pv_fleet_request_create(
    const struct pv_fleet_step *steps, size_t count,
    pv_fleet_request_fn on_answer, void *ctx);

/* One that no line has. NULL is fine. */
void pv_fleet_request_destroy(struct pv_fleet_request *request);

/* Within its callback: it is the caller's again, to be sent once more, at once or
 * later, or destroyed. */
void pv_fleet_request_take(struct pv_fleet_request *request);

/* What its values take in memory. */
size_t pv_fleet_request_bytes(const struct pv_fleet_request *request);

/* How many rows a step gave back, and how many it has inserted, changed, deleted
 * or selected, as the server says. */
size_t pv_fleet_results_rows(
    const struct pv_fleet_results *results, size_t step);
uint64_t pv_fleet_results_affected(
    const struct pv_fleet_results *results, size_t step);

/* Where there is no such row or column, it is NULL. */
struct pv_fleet_field pv_fleet_results_field(
    const struct pv_fleet_results *results, size_t step, size_t row,
    size_t column);

/* The same as what it is to be; 0, empty or false where it is NULL, or not that. A
 * text is borrowed from the results. */
int64_t pv_fleet_results_number(const struct pv_fleet_results *results,
    size_t step, size_t row, size_t column);
struct pv_str pv_fleet_results_text(const struct pv_fleet_results *results,
    size_t step, size_t row, size_t column);
bool pv_fleet_results_flag(const struct pv_fleet_results *results, size_t step,
    size_t row, size_t column);

#endif
