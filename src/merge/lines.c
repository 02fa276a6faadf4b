#include "merge/lines.h"

#include "store/statement.h"

static const char schema[] =
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
    "PRAGMA cache_size = -65536; PRAGMA temp_store = FILE;"
    "CREATE TABLE lines(id INTEGER PRIMARY KEY, source, generation, offset,"
    " length, at, is_final, origin, fingerprint, round, own_round,"
    " is_fetched, worker, names_worker, content);"
    "CREATE TABLE stale(id INTEGER PRIMARY KEY);"
    "CREATE TABLE completed(id INTEGER PRIMARY KEY);"
    "CREATE TABLE owners(origin, fingerprint, source, reader,"
    " PRIMARY KEY(origin, fingerprint)) WITHOUT ROWID;"
    "CREATE TABLE files(name TEXT PRIMARY KEY, source) WITHOUT ROWID;"
    "BEGIN";

static const char add_sql[] =
    "INSERT INTO lines(source, generation, offset, length, at, is_final,"
    " origin, fingerprint, round, own_round, is_fetched, worker,"
    " names_worker, content)"
    " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)";

void pv_merge_lines_open(struct pv_merge_lines *lines)
{
	*lines = (struct pv_merge_lines){.database = pv_database_open("")};
	pv_database_run(lines->database, schema);
	lines->add = pv_statement_create(lines->database, add_sql);
	lines->find_owner = pv_statement_create(lines->database,
	    "SELECT source, reader FROM owners WHERE origin = ?1 AND fingerprint = ?2");
	lines->find_claim = pv_statement_create(
	    lines->database, "SELECT source FROM files WHERE name = ?1");
	lines->add_claim = pv_statement_create(
	    lines->database, "INSERT INTO files VALUES(?1, ?2)");
}

void pv_merge_lines_close(struct pv_merge_lines *lines)
{
	if (!lines->database)
		return;
	pv_statement_destroy(lines->add);
	pv_statement_destroy(lines->find_owner);
	pv_statement_destroy(lines->find_claim);
	pv_statement_destroy(lines->add_claim);
	pv_database_close(lines->database);
}

void pv_merge_lines_add(
    struct pv_merge_lines *lines, const struct pv_merge_line *line)
{
	struct pv_statement *add = lines->add;
	pv_statement_bind(add, 1, line->source);
	pv_statement_bind(add, 2, (int64_t)line->generation);
	pv_statement_bind(add, 3, (int64_t)line->offset);
	pv_statement_bind(add, 4, (int64_t)line->length);
	pv_statement_bind(add, 5, line->at_ms);
	pv_statement_bind(add, 6, line->is_final);
	pv_statement_bind_fingerprint(add, 7, line->fingerprint);
	pv_statement_bind(add, 9, line->round);
	pv_statement_bind(add, 10, line->own_round);
	pv_statement_bind(add, 11, line->is_fetched);
	pv_statement_bind(add, 12, line->worker);
	pv_statement_bind(add, 13, line->names_worker);
	pv_statement_bind(add, 14, line->content);
	pv_statement_run(add);
}

/* Settling */

/* The final line that counts so far for the address in hand. */
struct candidate {
	bool is_there;
	int64_t id;
	int64_t origin;
	int64_t fingerprint;
	int64_t round;
	int64_t own_round;
	int64_t source;
	int64_t reader;    /* the last source that had its content ... */
	int64_t content;   /* ... and what that had: enum pv_merge_content */
	bool is_contested; /* other sources have lines for the address */
};

struct settling {
	struct pv_merge_lines *lines;
	struct pv_statement *add_stale;
	struct pv_statement *add_owner;
	struct candidate last;
};

static void end_address(struct settling *settling)
{
	const struct candidate *last = &settling->last;
	if (!last->is_there ||
	    (!last->is_contested && !settling->lines->is_of_fleet))
		return;
	pv_statement_bind(settling->add_owner, 1, last->origin);
	pv_statement_bind(settling->add_owner, 2, last->fingerprint);
	pv_statement_bind(settling->add_owner, 3, last->source);
	pv_statement_bind(settling->add_owner, 4, last->reader);
	pv_statement_run(settling->add_owner);
	settling->lines->owner_count++;
}

static void settle_line(
    struct settling *settling, const struct pv_statement *row)
{
	struct candidate *last = &settling->last;
	struct candidate next = {
	    .is_there = true,
	    .id = pv_statement_number(row, 0),
	    .origin = pv_statement_number(row, 1),
	    .fingerprint = pv_statement_number(row, 2),
	    .round = pv_statement_number(row, 3),
	    .own_round = pv_statement_number(row, 4),
	    .source = pv_statement_number(row, 5),
	    .reader = pv_statement_number(row, 5),
	    .content = pv_statement_number(row, 6),
	};
	bool is_same = last->is_there && last->origin == next.origin &&
		       last->fingerprint == next.fingerprint;
	if (is_same && (next.content == PV_MERGE_NOTHING ||
			   next.content > last->content)) {
		next.reader = last->reader;
		next.content = last->content;
	}
	if (!is_same) {
		end_address(settling);
		*last = next;
		return;
	}
	next.is_contested = last->is_contested || last->source != next.source;
	if (last->round == next.round && last->own_round == next.own_round) {
		pv_statement_bind(settling->add_stale, 1, last->id);
		pv_statement_run(settling->add_stale);
		settling->lines->stale_count++;
	}
	*last = next;
}

void pv_merge_lines_settle(struct pv_merge_lines *lines)
{
	struct settling settling = {.lines = lines};
	settling.add_stale = pv_statement_create(
	    lines->database, "INSERT INTO stale VALUES(?1)");
	settling.add_owner = pv_statement_create(
	    lines->database, "INSERT INTO owners VALUES(?1, ?2, ?3, ?4)");
	struct pv_statement *rows = pv_statement_create(lines->database,
	    "SELECT id, origin, fingerprint, round, own_round, source, "
	    "content "
	    "FROM lines WHERE is_final ORDER BY origin, fingerprint, round, "
	    "own_round, is_fetched, at, id");
	while (pv_statement_step(rows))
		settle_line(&settling, rows);
	end_address(&settling);
	pv_statement_destroy(rows);
	pv_statement_destroy(settling.add_stale);
	pv_statement_destroy(settling.add_owner);
}

/* Completing */

/* The address in hand, and its last line that says that it was left out. */
struct refusal {
	struct pv_fingerprint address;
	bool has_final;
	bool is_asked;   /* who has refused it */
	int64_t refuser; /* 0: nobody */
	int64_t id;      /* 0: there is none */
	int64_t source;
};

struct completing {
	struct pv_statement *add;
	pv_merge_refuser_fn refuser;
	void *ctx;
	struct refusal last;
};

static void end_refusal(struct completing *completing)
{
	if (!completing->last.id)
		return;
	pv_statement_bind(completing->add, 1, completing->last.id);
	pv_statement_run(completing->add);
}

static void complete_line(
    struct completing *completing, const struct pv_statement *row)
{
	struct refusal *last = &completing->last;
	struct pv_fingerprint address = {
	    .origin = (uint32_t)pv_statement_number(row, 1),
	    .address = (uint64_t)pv_statement_number(row, 2),
	};
	int64_t source = pv_statement_number(row, 3);
	if (last->address.origin != address.origin ||
	    last->address.address != address.address) {
		end_refusal(completing);
		*last = (struct refusal){.address = address};
	}
	last->has_final |= pv_statement_number(row, 4) != 0;
	if (last->has_final)
		return;
	if (!last->is_asked)
		last->refuser = completing->refuser(completing->ctx, address);
	last->is_asked = true;
	if (!last->refuser ||
	    (last->source == last->refuser && source != last->refuser))
		return;
	last->id = pv_statement_number(row, 0);
	last->source = source;
}

void pv_merge_lines_complete(
    struct pv_merge_lines *lines, pv_merge_refuser_fn refuser, void *ctx)
{
	struct completing completing = {.refuser = refuser, .ctx = ctx};
	completing.add = pv_statement_create(
	    lines->database, "INSERT INTO completed VALUES(?1)");
	struct pv_statement *rows = pv_statement_create(lines->database,
	    "SELECT id, origin, fingerprint, source, is_final FROM lines "
	    "WHERE is_final OR NOT is_fetched "
	    "ORDER BY origin, fingerprint, is_final DESC, at, id");
	while (pv_statement_step(rows))
		complete_line(&completing, rows);
	end_refusal(&completing);
	pv_statement_destroy(rows);
	pv_statement_destroy(completing.add);
}

static int64_t find_owner(
    struct pv_merge_lines *lines, struct pv_fingerprint fingerprint, int column)
{
	int64_t owner = 0;
	if (!lines->owner_count)
		return 0;
	pv_statement_bind_fingerprint(lines->find_owner, 1, fingerprint);
	if (pv_statement_step(lines->find_owner))
		owner = pv_statement_number(lines->find_owner, column);
	pv_statement_reset(lines->find_owner);
	return owner;
}

int64_t pv_merge_lines_owner(
    struct pv_merge_lines *lines, struct pv_fingerprint fingerprint)
{
	return find_owner(lines, fingerprint, 0);
}

int64_t pv_merge_lines_reader(
    struct pv_merge_lines *lines, struct pv_fingerprint fingerprint)
{
	return find_owner(lines, fingerprint, 1);
}

int64_t pv_merge_lines_claim(
    struct pv_merge_lines *lines, struct pv_str file, int64_t source)
{
	int64_t owner = 0;
	pv_statement_bind_text(lines->find_claim, 1, file);
	if (pv_statement_step(lines->find_claim))
		owner = pv_statement_number(lines->find_claim, 0);
	pv_statement_reset(lines->find_claim);
	if (owner)
		return owner;
	pv_statement_bind_text(lines->add_claim, 1, file);
	pv_statement_bind(lines->add_claim, 2, source);
	pv_statement_run(lines->add_claim);
	return 0;
}

/* Going through them */

bool pv_merge_lines_each(
    struct pv_merge_lines *lines, pv_merge_line_fn on_line, void *ctx)
{
	bool goes_on = true;
	struct pv_statement *rows = pv_statement_create(lines->database,
	    "SELECT source, generation, offset, length, at, is_final,"
	    " stale.id IS NOT NULL, worker, names_worker,"
	    " completed.id IS NOT NULL FROM lines"
	    " LEFT JOIN stale ON stale.id = lines.id"
	    " LEFT JOIN completed ON completed.id = lines.id"
	    " ORDER BY at, lines.id");
	while (goes_on && pv_statement_step(rows)) {
		struct pv_merge_line line = {
		    .source = pv_statement_number(rows, 0),
		    .generation = (uint64_t)pv_statement_number(rows, 1),
		    .offset = (uint64_t)pv_statement_number(rows, 2),
		    .length = (uint64_t)pv_statement_number(rows, 3),
		    .at_ms = pv_statement_number(rows, 4),
		    .is_final = pv_statement_number(rows, 5) != 0,
		    .is_stale = pv_statement_number(rows, 6) != 0,
		    .worker = pv_statement_number(rows, 7),
		    .names_worker = pv_statement_number(rows, 8) != 0,
		    .becomes_final = pv_statement_number(rows, 9) != 0,
		};
		goes_on = on_line(ctx, &line);
	}
	pv_statement_destroy(rows);
	return goes_on;
}
