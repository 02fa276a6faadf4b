#ifndef PAVANE_FLEET_LINE_REQUEST_PARTS_H
#define PAVANE_FLEET_LINE_REQUEST_PARTS_H

#include <libpq-fe.h>

#include "fleet/line/request.h"

/* What a request is made of, for those who send it and take its answer. */

/* What came of the steps so far: as many as were answered. */
struct pv_fleet_results {
	size_t count;
	PGresult *items[PV_FLEET_STEPS_MAX];
};

struct pv_fleet_encoded {
	size_t start; /* in the request's bytes */
	int len;
	enum pv_fleet_type type;
	bool is_null;
};

struct pv_fleet_encoded_step {
	unsigned statement;
	size_t first_value;
	size_t value_count;
};

struct pv_fleet_request {
	struct pv_line_link link; /* in one of a pipeline's lines */
	pv_fleet_request_fn on_answer;
	void *ctx;

	struct pv_fleet_encoded_step steps[PV_FLEET_STEPS_MAX];
	size_t step_count;
	struct pv_fleet_encoded *values;
	size_t value_count;
	struct pv_buf bytes;

	struct pv_fleet_results results;
	PGresult *error;  /* the first one; NULL if all went well */
	unsigned repeats; /* after deadlocks and the like */
	int64_t due_ms;   /* ... and when the next one is */
	bool *is_taken;   /* set while it is given back */
};

/* Hands one step to libpq, which copies it. */
bool pv_fleet_request_send_step(const struct pv_fleet_request *request,
    size_t step, PGconn *pg, const struct pv_fleet_statement *statements);

/* What has been answered is forgotten, so that it can be sent anew. */
void pv_fleet_request_clear(struct pv_fleet_request *request);

/* Gives it back to who sent it, with that status and what is known of it. */
void pv_fleet_request_answer(
    struct pv_fleet_request *request, enum pv_fleet_status status);

#endif
