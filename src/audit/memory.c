#include "audit/memory.h"

#include <stdlib.h>

#include "audit/terms.h"
#include "base/alloc.h"
#include "store/statement.h"

static const char schema[] =
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
    "PRAGMA cache_size = -65536; PRAGMA temp_store = FILE;"
    "CREATE TABLE requests("
    " line INTEGER PRIMARY KEY, promise, authority, run, released, sent,"
    " ended, gap, rest, reaction, retry_after, at_once, wall, bytes,"
    " http_status, attempt, flags, host, clock, address, held, asked, rule,"
    " text, worker, place, uncertainty, at,"
    " asks_for_rest AS (flags & 4 OR retry_after > 0 OR"
    " http_status IN (429, 503)));"
    "BEGIN";

#define COLUMNS                                                       \
	"line, promise, authority, run, released, sent, ended, gap, " \
	"rest, reaction, retry_after, at_once, wall, bytes, "         \
	"http_status, attempt, flags, asked, rule, text, held, "      \
	"worker, place, uncertainty "

/* Of those that began in one millisecond, the one first that was over first;
 * were they over in one as well, the one last after which a rest is due: had
 * another come behind it, the next of all would show that. */
#define IN_A_RUN "run, released, sent, ended, asks_for_rest, line"

enum flag {
	IS_ROBOTS = 1,
	IS_ANSWERED = 2,
	IS_FAILURE = 4, /* the schema knows it */
	IS_UNREACHABLE = 8,
	IS_HOP = 16,
	IS_OWN_FAULT = 32,
};

void pv_audit_memory_open(struct pv_audit_memory *memory)
{
	memory->database = pv_database_open("");
	pv_database_run(memory->database, schema);
	memory->add = pv_statement_create(memory->database,
	    "INSERT INTO requests VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, "
	    "?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, 0, ?25, "
	    "?26, ?22, ?23, ?24, 0)");
	memory->ask = pv_statement_create(
	    memory->database, "UPDATE requests SET asked = ?2 WHERE line = ?1");
}

void pv_audit_memory_close(struct pv_audit_memory *memory)
{
	pv_statement_destroy(memory->add);
	pv_statement_destroy(memory->ask);
	pv_database_close(memory->database);
}

static int64_t flags_of(const struct pv_audit_request *request)
{
	return (request->facts.is_robots ? IS_ROBOTS : 0) |
	       (request->is_answered ? IS_ANSWERED : 0) |
	       (request->is_failure ? IS_FAILURE : 0) |
	       (request->is_unreachable ? IS_UNREACHABLE : 0) |
	       (request->is_hop ? IS_HOP : 0) |
	       (request->facts.pacing.is_own_fault ? IS_OWN_FAULT : 0);
}

void pv_audit_memory_add(struct pv_audit_memory *memory,
    const struct pv_audit_request *request,
    const struct pv_audit_promise *promise)
{
	const struct pv_ledger_entry *facts = &request->facts;
	const struct pv_pacing *pacing = &facts->pacing;
	const int64_t values[] = {request->line, request->promise,
	    request->authority, pacing->run, pacing->released_ms,
	    pacing->sent_ms, pacing->end_ms, pacing->gap_ms, pacing->rest_ms,
	    pacing->reaction_ms, pacing->retry_after_ms, pacing->at_once,
	    facts->wall_ms, (int64_t)facts->bytes, facts->http_status,
	    request->attempt, flags_of(request), promise->host, promise->clock,
	    promise->has_address ? (int64_t)promise->address : -1,
	    request->held_ms, request->worker, request->place,
	    request->uncertainty_ms};
	int count = (int)(sizeof(values) / sizeof(*values));
	for (int i = 0; i < count; i++)
		pv_statement_bind(memory->add, i + 1, values[i]);
	pv_statement_bind_text(memory->add, count + 1,
	    pacing->rule ? pv_str_of(pacing->rule) : PV_STR(""));
	pv_statement_bind_text(memory->add, count + 2, request->text);
	pv_statement_run(memory->add);
}

void pv_audit_memory_ask(
    struct pv_audit_memory *memory, int64_t line, int64_t asked_ms)
{
	pv_statement_bind(memory->ask, 1, line);
	pv_statement_bind(memory->ask, 2, asked_ms);
	pv_statement_run(memory->ask);
}

static struct pv_pacing read_pacing(const struct pv_statement *row)
{
	return (struct pv_pacing){
	    .run = pv_statement_number(row, 3),
	    .released_ms = pv_statement_number(row, 4),
	    .sent_ms = pv_statement_number(row, 5),
	    .end_ms = pv_statement_number(row, 6),
	    .gap_ms = pv_statement_number(row, 7),
	    .rest_ms = pv_statement_number(row, 8),
	    .reaction_ms = pv_statement_number(row, 9),
	    .retry_after_ms = pv_statement_number(row, 10),
	    .at_once = (uint32_t)pv_statement_number(row, 11),
	    .is_own_fault = pv_statement_number(row, 16) & IS_OWN_FAULT,
	    .rule = pv_statement_text(row, 18).ptr,
	};
}

static struct pv_audit_request read_request(const struct pv_statement *row)
{
	int64_t flags = pv_statement_number(row, 16);
	return (struct pv_audit_request){
	    .line = pv_statement_number(row, 0),
	    .promise = (uint32_t)pv_statement_number(row, 1),
	    .authority = (uint32_t)pv_statement_number(row, 2),
	    .attempt = pv_statement_number(row, 15),
	    .held_ms = pv_statement_number(row, 20),
	    .worker = pv_statement_number(row, 21),
	    .place = pv_statement_number(row, 22),
	    .uncertainty_ms = pv_statement_number(row, 23),
	    .facts =
		{
		    .wall_ms = pv_statement_number(row, 12),
		    .bytes = (uint64_t)pv_statement_number(row, 13),
		    .http_status = (uint16_t)pv_statement_number(row, 14),
		    .is_robots = flags & IS_ROBOTS,
		    .pacing = read_pacing(row),
		},
	    .is_answered = flags & IS_ANSWERED,
	    .is_failure = flags & IS_FAILURE,
	    .is_unreachable = flags & IS_UNREACHABLE,
	    .is_hop = flags & IS_HOP,
	    .asked_ms = pv_statement_number(row, 17),
	    .text = pv_statement_text(row, 19),
	};
}

void pv_audit_memory_walk(struct pv_audit_memory *memory,
    enum pv_audit_order order, pv_audit_request_fn on_request, void *ctx)
{
#define SELECT(condition) "SELECT " COLUMNS "FROM requests ORDER BY " condition
	static const char *const sql[PV_AUDIT_ORDER_COUNT] = {
	    [PV_AUDIT_BY_TIME] = SELECT(IN_A_RUN),
	    [PV_AUDIT_BY_HOST] = SELECT("host, " IN_A_RUN),
	    [PV_AUDIT_BY_CLOCK] = SELECT("clock, " IN_A_RUN),
	    [PV_AUDIT_BY_ADDRESS] = "SELECT " COLUMNS "FROM requests WHERE "
				    "address >= 0 ORDER BY address, " IN_A_RUN,
	    [PV_AUDIT_BY_AUTHORITY] = SELECT("authority, at, " IN_A_RUN),
	    [PV_AUDIT_BY_TIME_OF_ALL] = SELECT("at, " IN_A_RUN),
	    [PV_AUDIT_BY_CLOCK_OF_ALL] = SELECT("clock, at, " IN_A_RUN),
	    [PV_AUDIT_BY_ADDRESS_OF_ALL] =
		"SELECT " COLUMNS "FROM requests WHERE address >= 0 "
		"ORDER BY address, at, " IN_A_RUN,
	};
#undef SELECT
	struct pv_statement *rows =
	    pv_statement_create(memory->database, sql[order]);
	while (pv_statement_step(rows)) {
		struct pv_audit_request request = read_request(rows);
		on_request(ctx, &request);
	}
	pv_statement_destroy(rows);
}

/* Of a run the order is certain, as all of its times are of one clock; what the
 * clock on the wall says to that may jump. */
void pv_audit_memory_order(struct pv_audit_memory *memory)
{
	struct pv_statement *rows = pv_statement_create(memory->database,
	    "SELECT line, run, wall - iif(sent >= 0, sent, ended) + released "
	    "FROM requests ORDER BY " IN_A_RUN);
	struct pv_statement *set = pv_statement_create(
	    memory->database, "UPDATE requests SET at = ?2 WHERE line = ?1");
	int64_t run = -1;
	int64_t at_ms = 0;
	while (pv_statement_step(rows)) {
		int64_t wall_ms = pv_statement_number(rows, 2);
		if (run != pv_statement_number(rows, 1) || wall_ms > at_ms)
			at_ms = wall_ms;
		run = pv_statement_number(rows, 1);
		pv_statement_bind(set, 1, pv_statement_number(rows, 0));
		pv_statement_bind(set, 2, at_ms);
		pv_statement_run(set);
	}
	pv_statement_destroy(rows);
	pv_statement_destroy(set);
}

struct pv_audit_ends {
	struct pv_statement *rows;
};

struct pv_audit_ends *pv_audit_memory_ends(
    struct pv_audit_memory *memory, int64_t run)
{
	struct pv_audit_ends *ends = pv_alloc(sizeof(*ends));
	ends->rows = pv_statement_create(memory->database,
	    "SELECT ended FROM requests WHERE run = ?1 ORDER BY ended");
	pv_statement_bind(ends->rows, 1, run);
	return ends;
}

void pv_audit_ends_close(struct pv_audit_ends *ends)
{
	if (!ends)
		return;
	pv_statement_destroy(ends->rows);
	free(ends);
}

bool pv_audit_ends_next(struct pv_audit_ends *ends, int64_t *end_ms)
{
	if (!pv_statement_step(ends->rows))
		return false;
	*end_ms = pv_statement_number(ends->rows, 0);
	return true;
}
