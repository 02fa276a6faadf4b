#ifndef PAVANE_STORE_TABLES_ROBOTS_TABLE_H
#define PAVANE_STORE_TABLES_ROBOTS_TABLE_H

#include "base/buf.h"
#include "store/database.h"

/* The table authorities: what is known of each robots.txt, by scheme, host and
 * port. Faults are the database's. */
struct pv_saved_robots {
	bool is_there;  /* that there is anything to be saved */
	unsigned state; /* enum pv_authority_state (crawl/robots/authority.h) */
	int64_t asked_wall_ms; /* for what counts */
	int64_t until_wall_ms; /* when it is to be asked for again */
	uint32_t failures;
	int64_t failed_since_wall_ms; /* 0: it did not fail */
	unsigned http_status;
	bool has_copy;
	bool is_cut; /* the copy */
};

/* With a good copy or without (NULL): then the one that there was stays, as
 * does the last status. */
void pv_robots_table_set(struct pv_database *database, struct pv_str authority,
    const struct pv_saved_robots *saved, const struct pv_buf *copy);

/* What is known of the authority, with the copy appended, if there is one.
 * False if nothing is. */
bool pv_robots_table_get(struct pv_database *database, struct pv_str authority,
    struct pv_saved_robots *saved, struct pv_buf *copy);

/* Appends the first authority of that host and scheme of which anything is known,
 * such as "https://example.org:8443"; false if there is none. */
bool pv_robots_table_find(struct pv_database *database, const char *scheme,
    struct pv_str host, struct pv_buf *authority);

/* Whether anything is known of any. */
bool pv_robots_table_has_any(struct pv_database *database);

#endif
