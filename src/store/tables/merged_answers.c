#include "store/tables/merged_answers.h"

#include "record/standing.h"
#include "store/statement.h"

static const char make_sql[] =
    "CREATE TEMP TABLE answers(host, origin, fingerprint, is_success, bytes)";

static const char add_sql[] = "INSERT INTO answers VALUES(?1, ?2, ?3, ?4, ?5)";

/* What nobody links to, such as a sitemap, is no page: bit 4 of the listing
 * (record/standing.h). */
static const char count_sql[] =
    "CREATE TEMP TABLE answer_sums(host PRIMARY KEY, pages, bytes)"
    " WITHOUT ROWID;"
    "INSERT INTO answer_sums SELECT answers.host,"
    " total(is_success AND addresses.use = 2 AND addresses.listing & 4 = 0),"
    " total(answers.bytes)"
    " FROM answers LEFT JOIN seen USING(origin, fingerprint)"
    " LEFT JOIN addresses ON addresses.id = seen.address"
    " GROUP BY answers.host;"
    "UPDATE host_states SET pages = 0, bytes = 0;"
    "UPDATE host_states SET pages = CAST(sums.pages AS INTEGER),"
    " bytes = CAST(sums.bytes AS INTEGER)"
    " FROM answer_sums AS sums WHERE sums.host = name;"
    "DROP TABLE answer_sums; DROP TABLE answers";

_Static_assert(PV_PAGE == 2, "the number above is that one");

void pv_merged_answers_open(
    struct pv_merged_answers *answers, struct pv_database *database)
{
	answers->database = database;
	pv_database_run(database, make_sql);
	answers->add = pv_statement_create(database, add_sql);
}

void pv_merged_answers_close(struct pv_merged_answers *answers)
{
	pv_statement_destroy(answers->add);
}

void pv_merged_answers_add(
    struct pv_merged_answers *answers, const struct pv_merged_answer *answer)
{
	pv_statement_bind_text(answers->add, 1, answer->host);
	pv_statement_bind_fingerprint(answers->add, 2, answer->fingerprint);
	pv_statement_bind(answers->add, 4, answer->is_success);
	pv_statement_bind(answers->add, 5, (int64_t)answer->bytes);
	pv_statement_run(answers->add);
}

void pv_merged_answers_count(struct pv_merged_answers *answers)
{
	pv_database_run(answers->database, count_sql);
}
