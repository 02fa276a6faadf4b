#include "store/tables/robots_table.h"

#include "base/digest.h"
#include "store/statement.h"

#define FIND                                                                 \
	"SELECT state, asked_wall_ms, until_wall_ms, failures, "             \
	"failed_since_wall_ms, http_status, is_cut, text IS NOT NULL, text " \
	"FROM authorities WHERE name = ?1"

/* A good copy stays where there is no better one. */
#define WRITE                                                                 \
	"INSERT INTO authorities(name, state, asked_wall_ms, until_wall_ms, " \
	"failures, failed_since_wall_ms, http_status, is_cut, digest, text) " \
	"VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) "                    \
	"ON CONFLICT(name) DO UPDATE SET state = ?2, asked_wall_ms = ?3, "    \
	"until_wall_ms = ?4, failures = ?5, failed_since_wall_ms = ?6, "      \
	"http_status = ifnull(nullif(?7, 0), http_status), "                  \
	"is_cut = iif(?10 IS NULL, is_cut, ?8), "                             \
	"digest = ifnull(?9, digest), text = ifnull(?10, text)"

static void bind_digest(
    struct pv_statement *statement, struct pv_str text, struct pv_buf *hex)
{
	uint8_t digest[PV_DIGEST_SIZE];
	pv_digest(text, digest);
	pv_digest_write(digest, hex);
	pv_statement_bind_text(statement, 9, pv_buf_str(hex));
}

void pv_robots_table_set(struct pv_database *database, struct pv_str authority,
    const struct pv_saved_robots *saved, const struct pv_buf *copy)
{
	struct pv_statement *statement = pv_statement_create(database, WRITE);
	const int64_t values[] = {saved->state, saved->asked_wall_ms,
	    saved->until_wall_ms, saved->failures, saved->failed_since_wall_ms,
	    saved->http_status, saved->is_cut};
	struct pv_buf hex;
	pv_buf_init(&hex, 2 * PV_DIGEST_SIZE);
	pv_statement_bind_text(statement, 1, authority);
	for (int i = 0; i < (int)(sizeof(values) / sizeof(*values)); i++)
		pv_statement_bind(statement, i + 2, values[i]);
	pv_statement_bind_null(statement, 9);
	pv_statement_bind_null(statement, 10);
	if (copy) {
		bind_digest(statement, pv_buf_str(copy), &hex);
		pv_statement_bind_text(statement, 10, pv_buf_str(copy));
	}
	pv_statement_run(statement);
	pv_statement_destroy(statement);
	pv_buf_finish(&hex);
}

/* Behind a host's name stands nothing, or a colon and its port. */
#define FIND_OF_HOST                                                         \
	"SELECT name FROM authorities WHERE name = ?1 OR (name > ?1 || ':' " \
	"AND name < ?1 || ';') ORDER BY name LIMIT 1"

bool pv_robots_table_find(struct pv_database *database, const char *scheme,
    struct pv_str host, struct pv_buf *authority)
{
	struct pv_statement *statement =
	    pv_statement_create(database, FIND_OF_HOST);
	struct pv_buf plain;
	pv_buf_init(&plain, SIZE_MAX);
	pv_buf_append_format(&plain, "%s://%.*s", scheme, PV_STR_ARG(host));
	pv_statement_bind_text(statement, 1, pv_buf_str(&plain));
	bool is_found = pv_statement_step(statement);
	if (is_found)
		pv_buf_append(authority, pv_statement_text(statement, 0));
	pv_statement_destroy(statement);
	pv_buf_finish(&plain);
	return is_found;
}

bool pv_robots_table_has_any(struct pv_database *database)
{
	return pv_database_number(
		   database, "SELECT EXISTS(SELECT 1 FROM authorities)") != 0;
}

static struct pv_saved_robots read_row(const struct pv_statement *row)
{
	return (struct pv_saved_robots){
	    .is_there = true,
	    .state = (unsigned)pv_statement_number(row, 0),
	    .asked_wall_ms = pv_statement_number(row, 1),
	    .until_wall_ms = pv_statement_number(row, 2),
	    .failures = (uint32_t)pv_statement_number(row, 3),
	    .failed_since_wall_ms = pv_statement_number(row, 4),
	    .http_status = (unsigned)pv_statement_number(row, 5),
	    .is_cut = pv_statement_number(row, 6) != 0,
	};
}

bool pv_robots_table_get(struct pv_database *database, struct pv_str authority,
    struct pv_saved_robots *saved, struct pv_buf *copy)
{
	struct pv_statement *statement = pv_statement_create(database, FIND);
	pv_statement_bind_text(statement, 1, authority);
	bool is_there = pv_statement_step(statement);
	if (is_there) {
		*saved = read_row(statement);
		saved->has_copy = pv_statement_number(statement, 7) != 0;
		pv_buf_append(copy, pv_statement_text(statement, 8));
	}
	pv_statement_destroy(statement);
	return is_there;
}
