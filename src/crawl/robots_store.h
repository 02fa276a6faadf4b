#ifndef PAVANE_CRAWL_ROBOTS_STORE_H
#define PAVANE_CRAWL_ROBOTS_STORE_H

#include "base/buf.h"
#include "crawl/authority.h"

/* What is known of robots.txt, kept in state.db by authority, so that it counts
 * over runs: the last good copy, until when it does, and for how long there was
 * none to be had.
 *
 * Times are those of the wall clock; one that was set meanwhile makes nothing
 * last longer than it would have. A copy that is too old is kept until there is
 * another. Where an answer counts on since no other can be had
 * (robots_validity.h), its state has failures.
 */
struct pv_crawl;
struct pv_database;

struct pv_saved_robots {
	bool is_there; /* that there is anything to be saved */
	enum pv_authority_state state;
	int64_t asked_wall_ms; /* for what counts */
	int64_t until_wall_ms; /* when it is to be asked for again */
	uint32_t failures;
	int64_t failed_since_wall_ms; /* 0: it did not fail */
	unsigned http_status;
	bool has_copy;
	bool is_cut; /* the copy */
};

/* In the writer's thread, with a good copy or without (NULL). */
void pv_robots_store_write(struct pv_database *database,
    struct pv_str authority, const struct pv_saved_robots *saved,
    const struct pv_buf *copy);

/* What is known of the authority, for who only looks into the file, with the
 * copy, if there is one. False if nothing is. */
bool pv_robots_store_look(struct pv_database *database, struct pv_str authority,
    struct pv_saved_robots *saved, struct pv_buf *copy);

/* Whether an earlier run has kept any. */
bool pv_robots_store_has_any(struct pv_database *database);

/* Looks for what is known of the authority, which is not forgotten meanwhile;
 * `then` is called once it knows. */
typedef void (*pv_robots_found_fn)(
    struct pv_crawl *crawl, struct pv_authority *authority);
void pv_robots_store_find(struct pv_crawl *crawl,
    struct pv_authority *authority, pv_robots_found_fn then);

#endif
