#ifndef PAVANE_SERVE_ROUTES_JOBS_H
#define PAVANE_SERVE_ROUTES_JOBS_H

#include "base/json/json.h"
#include "serve/routes/route.h"

/* Reads the body with which a job is handed in. Texts of the job are the body's,
 * or the arena's. False, with a problem, if it is not right. */
bool pv_job_order_read(const struct pv_json *body, struct pv_arena *arena,
    struct pv_job_record *job, struct pv_reply *reply);

/* Which jobs are to be listed, as the query says. */
struct pv_job_list_order {
	bool has_state;
	enum pv_job_state state;
	bool is_newest_first;
	uint64_t after;
	uint64_t limit;
};

/* False, with a problem, if the query is not right. */
bool pv_job_list_order_read(const struct pv_exchange *exchange,
    struct pv_job_list_order *order, struct pv_reply *reply);

#endif
