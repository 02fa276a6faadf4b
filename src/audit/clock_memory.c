#include "audit/clock_memory.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/buf.h"
#include "store/statement.h"

static const char schema[] =
    "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
    "PRAGMA cache_size = -32768; PRAGMA temp_store = FILE;"
    "CREATE TABLE times(worker, wall, server, uncertainty,"
    " PRIMARY KEY(worker, wall)) WITHOUT ROWID;"
    "CREATE INDEX times_of ON times(worker, server);"
    "CREATE TABLE events(id INTEGER PRIMARY KEY, is_address, name, server,"
    " kind, worker);"
    "CREATE TABLE reapings(worker, server);"
    "CREATE INDEX reapings_of ON reapings(worker, server);"
    "CREATE TABLE holds(worker, is_address, name, start, until);"
    "CREATE INDEX holds_of ON holds(worker, is_address, name, start);"
    "BEGIN";

/* Of two measurements at one time the later one in the file counts. */
static const char add_time_sql[] =
    "INSERT OR REPLACE INTO times VALUES(?1, ?2, ?3, ?4)";
static const char add_event_sql[] =
    "INSERT INTO events(is_address, name, server, kind, worker) "
    "VALUES(?1, ?2, ?3, ?4, ?5)";
static const char add_reaping_sql[] = "INSERT INTO reapings VALUES(?1, ?2)";
static const char add_hold_sql[] =
    "INSERT INTO holds VALUES(?1, ?2, ?3, ?4, ?5)";
static const char reckon_sql[] =
    "SELECT server - wall, uncertainty FROM times WHERE worker = ?1 AND "
    "wall <= ?2 ORDER BY wall DESC LIMIT 1";
static const char first_sql[] =
    "SELECT server - wall, uncertainty FROM times WHERE worker = ?1 "
    "ORDER BY wall LIMIT 1";
static const char reaping_sql[] =
    "SELECT server FROM reapings WHERE worker = ?1 AND server >= ?2 "
    "ORDER BY server LIMIT 1";
static const char uncertainty_sql[] =
    "SELECT uncertainty FROM times WHERE worker = ?1 AND server <= ?2 "
    "ORDER BY server DESC LIMIT 1";
static const char hold_sql[] =
    "SELECT until FROM holds WHERE worker = ?1 AND is_address = ?2 AND "
    "name = ?3 AND start <= ?4 ORDER BY start DESC LIMIT 1";
static const char holder_sql[] =
    "SELECT 1 FROM holds WHERE worker = ?1 AND is_address = ?2 LIMIT 1";

void pv_clock_memory_open(struct pv_clock_memory *memory)
{
	*memory = (struct pv_clock_memory){.database = pv_database_open("")};
	pv_database_run(memory->database, schema);
	struct {
		struct pv_statement **statement;
		const char *sql;
	} all[] = {
	    {&memory->add_time, add_time_sql},
	    {&memory->add_event, add_event_sql},
	    {&memory->add_reaping, add_reaping_sql},
	    {&memory->add_hold, add_hold_sql},
	    {&memory->reckon, reckon_sql},
	    {&memory->find_first, first_sql},
	    {&memory->find_reaping, reaping_sql},
	    {&memory->find_uncertainty, uncertainty_sql},
	    {&memory->find_hold, hold_sql},
	    {&memory->find_holder, holder_sql},
	};
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		*all[i].statement =
		    pv_statement_create(memory->database, all[i].sql);
}

void pv_clock_memory_close(struct pv_clock_memory *memory)
{
	pv_statement_destroy(memory->add_time);
	pv_statement_destroy(memory->add_event);
	pv_statement_destroy(memory->add_reaping);
	pv_statement_destroy(memory->add_hold);
	pv_statement_destroy(memory->reckon);
	pv_statement_destroy(memory->find_first);
	pv_statement_destroy(memory->find_reaping);
	pv_statement_destroy(memory->find_uncertainty);
	pv_statement_destroy(memory->find_hold);
	pv_statement_destroy(memory->find_holder);
	pv_database_close(memory->database);
}

/* Events */

static void note_step(
    struct pv_clock_memory *memory, const struct pv_clock_event *event)
{
	int64_t ahead_ms = event->server_ms - event->wall_ms;
	int64_t step_ms = ahead_ms > memory->last_ahead_ms
			      ? ahead_ms - memory->last_ahead_ms
			      : memory->last_ahead_ms - ahead_ms;
	if (memory->time_count && memory->last_worker == event->worker &&
	    step_ms > memory->longest_step_ms)
		memory->longest_step_ms = step_ms;
	memory->last_worker = event->worker;
	memory->last_ahead_ms = ahead_ms;
}

static void add_time(
    struct pv_clock_memory *memory, const struct pv_clock_event *event)
{
	note_step(memory, event);
	pv_statement_bind(memory->add_time, 1, event->worker);
	pv_statement_bind(memory->add_time, 2, event->wall_ms);
	pv_statement_bind(memory->add_time, 3, event->server_ms);
	pv_statement_bind(memory->add_time, 4, event->uncertainty_ms);
	pv_statement_run(memory->add_time);
	memory->time_count++;
	if (event->uncertainty_ms > memory->most_uncertain_ms)
		memory->most_uncertain_ms = event->uncertainty_ms;
}

static void add_reaping(
    struct pv_clock_memory *memory, const struct pv_clock_event *event)
{
	pv_statement_bind(memory->add_reaping, 1, event->worker);
	pv_statement_bind(memory->add_reaping, 2, event->server_ms);
	pv_statement_run(memory->add_reaping);
	memory->event_count++;
}

static void add_change(
    struct pv_clock_memory *memory, const struct pv_clock_event *event)
{
	pv_statement_bind(memory->add_event, 1, event->is_address);
	pv_statement_bind_text(memory->add_event, 2, event->name);
	pv_statement_bind(memory->add_event, 3, event->server_ms);
	pv_statement_bind(memory->add_event, 4, event->kind);
	pv_statement_bind(memory->add_event, 5, event->worker);
	pv_statement_run(memory->add_event);
	memory->event_count++;
}

void pv_clock_memory_add(
    struct pv_clock_memory *memory, const struct pv_clock_event *event)
{
	switch (event->kind) {
	case PV_CLOCK_TIME:
		add_time(memory, event);
		break;
	case PV_CLOCK_REAPED:
		add_reaping(memory, event);
		break;
	default:
		add_change(memory, event);
		break;
	}
}

/* Times */

static bool reckon(
    struct pv_statement *find, int64_t *offset_ms, int64_t *uncertainty_ms)
{
	bool is_known = pv_statement_step(find);
	if (is_known) {
		*offset_ms = pv_statement_number(find, 0);
		*uncertainty_ms = pv_statement_number(find, 1);
	}
	pv_statement_reset(find);
	return is_known;
}

int64_t pv_clock_memory_server_ms(struct pv_clock_memory *memory,
    int64_t worker, int64_t wall_ms, int64_t *uncertainty_ms)
{
	int64_t offset_ms = 0;
	*uncertainty_ms = -1;
	if (!memory->time_count)
		return wall_ms;
	pv_statement_bind(memory->reckon, 1, worker);
	pv_statement_bind(memory->reckon, 2, wall_ms);
	if (reckon(memory->reckon, &offset_ms, uncertainty_ms))
		return wall_ms + offset_ms;
	pv_statement_bind(memory->find_first, 1, worker);
	reckon(memory->find_first, &offset_ms, uncertainty_ms);
	return wall_ms + offset_ms;
}

/* Who held what */

/* Of one thing at one time there ought to be one; of a file that says otherwise
 * so many are told apart. */
#define HOLDERS_MAX 1000

struct holder {
	int64_t worker;
	int64_t uncertainty_ms;
	int64_t from_ms;
	int64_t until_ms; /* when its lease was over; INT64_MAX: not known to
			     have been */
};

struct settling {
	struct pv_clock_memory *memory;
	pv_clock_overlap_fn on_overlap;
	void *ctx;
	struct pv_buf name; /* of what is in hand */
	bool is_address;
	bool has_begun;
	struct holder *holders; /* of it, now */
	size_t count;
	size_t size;
};

static int64_t find_number(
    struct pv_statement *find, int64_t worker, int64_t at_ms, int64_t missing)
{
	int64_t number = missing;
	pv_statement_bind(find, 1, worker);
	pv_statement_bind(find, 2, at_ms);
	if (pv_statement_step(find))
		number = pv_statement_number(find, 0);
	pv_statement_reset(find);
	return number;
}

/* An end that is not known lasts to the end of all. */
static void tell_overlap(struct settling *settling, const struct holder *ended,
    const struct holder *other, int64_t until_ms)
{
	const struct holder *later =
	    ended->from_ms > other->from_ms ? ended : other;
	int64_t unsure_ms = ended->uncertainty_ms + other->uncertainty_ms;
	if (until_ms <= later->from_ms ||
	    until_ms - later->from_ms <= unsure_ms)
		return;
	settling->on_overlap(settling->ctx,
	    &(struct pv_clock_overlap){
		.name = pv_buf_str(&settling->name),
		.is_address = settling->is_address,
		.worker = later->worker,
		.other = later == ended ? other->worker : ended->worker,
		.from_ms = later->from_ms,
		.until_ms = until_ms,
	    });
}

static void end_hold(struct settling *settling, size_t place, int64_t until_ms)
{
	struct pv_statement *add = settling->memory->add_hold;
	struct holder holder = settling->holders[place];
	if (holder.until_ms < until_ms)
		until_ms = holder.until_ms;
	settling->holders[place] = settling->holders[--settling->count];
	for (size_t i = 0; i < settling->count; i++) {
		const struct holder *other = &settling->holders[i];
		tell_overlap(settling, &holder, other,
		    other->until_ms < until_ms ? other->until_ms : until_ms);
	}
	pv_statement_bind(add, 1, holder.worker);
	pv_statement_bind(add, 2, settling->is_address);
	pv_statement_bind_text(add, 3, pv_buf_str(&settling->name));
	pv_statement_bind(add, 4, holder.from_ms);
	pv_statement_bind(add, 5, until_ms);
	pv_statement_run(add);
}

static void end_all(struct settling *settling)
{
	while (settling->count)
		end_hold(settling, settling->count - 1, INT64_MAX);
}

static void give(struct settling *settling, int64_t worker, int64_t at_ms)
{
	for (size_t i = settling->count; i > 0; i--) {
		if (settling->holders[i - 1].worker == worker)
			end_hold(settling, i - 1, at_ms);
	}
}

static void take(struct settling *settling, int64_t worker, int64_t at_ms)
{
	struct pv_clock_memory *memory = settling->memory;
	give(settling, worker, at_ms);
	for (size_t i = settling->count; i > 0; i--) {
		if (settling->holders[i - 1].until_ms <= at_ms)
			end_hold(settling, i - 1, at_ms);
	}
	if (settling->count == HOLDERS_MAX)
		end_hold(settling, 0, at_ms);
	*PV_ARRAY_PUSH(settling->holders, settling->count, settling->size) =
	    (struct holder){
		.worker = worker,
		.uncertainty_ms =
		    find_number(memory->find_uncertainty, worker, at_ms, 0),
		.from_ms = at_ms,
		.until_ms =
		    find_number(memory->find_reaping, worker, at_ms, INT64_MAX),
	    };
}

static void begin(
    struct settling *settling, bool is_address, struct pv_str name)
{
	end_all(settling);
	pv_buf_clear(&settling->name);
	pv_buf_append(&settling->name, name);
	settling->is_address = is_address;
	settling->has_begun = true;
}

/* What is given and taken in one millisecond was given first, unless the one
 * who gives it had not taken it before. */
static const char changes_sql[] =
    "SELECT is_address, name, server, kind, worker FROM events AS event "
    "ORDER BY is_address, name, server, kind = 1 OR (kind = 2 AND EXISTS("
    "SELECT 1 FROM events AS earlier WHERE earlier.id < event.id AND "
    "earlier.server = event.server AND earlier.kind = 1 AND "
    "earlier.worker = event.worker AND earlier.name = event.name AND "
    "earlier.is_address = event.is_address)), id";

_Static_assert(PV_CLOCK_TAKEN == 1 && PV_CLOCK_GIVEN == 2,
    "the SQL above has these numbers");

void pv_clock_memory_settle(
    struct pv_clock_memory *memory, pv_clock_overlap_fn on_overlap, void *ctx)
{
	struct settling settling = {
	    .memory = memory, .on_overlap = on_overlap, .ctx = ctx};
	pv_buf_init(&settling.name, SIZE_MAX);
	pv_database_run(memory->database,
	    "CREATE INDEX events_of ON events(is_address, name, server)");
	struct pv_statement *rows =
	    pv_statement_create(memory->database, changes_sql);
	while (pv_statement_step(rows)) {
		bool is_address = pv_statement_number(rows, 0) != 0;
		struct pv_str name = pv_statement_text(rows, 1);
		int64_t at_ms = pv_statement_number(rows, 2);
		int64_t worker = pv_statement_number(rows, 4);
		if (!settling.has_begun || settling.is_address != is_address ||
		    !pv_str_equal(pv_buf_str(&settling.name), name))
			begin(&settling, is_address, name);
		if (pv_statement_number(rows, 3) == PV_CLOCK_TAKEN)
			take(&settling, worker, at_ms);
		else
			give(&settling, worker, at_ms);
	}
	pv_statement_destroy(rows);
	end_all(&settling);
	free(settling.holders);
	pv_buf_finish(&settling.name);
}

bool pv_clock_memory_knows(struct pv_clock_memory *memory, int64_t worker)
{
	struct pv_statement *find = pv_statement_create(memory->database,
	    "SELECT 1 FROM times WHERE worker = ?1 UNION ALL "
	    "SELECT 1 FROM reapings WHERE worker = ?1 UNION ALL "
	    "SELECT 1 FROM events WHERE worker = ?1");
	pv_statement_bind(find, 1, worker);
	bool does_know = pv_statement_step(find);
	pv_statement_destroy(find);
	return does_know;
}

bool pv_clock_memory_has_taken(
    struct pv_clock_memory *memory, int64_t worker, bool is_address)
{
	struct pv_statement *find = memory->find_holder;
	if (!memory->event_count)
		return false;
	pv_statement_bind(find, 1, worker);
	pv_statement_bind(find, 2, is_address);
	bool has = pv_statement_step(find);
	pv_statement_reset(find);
	return has;
}

bool pv_clock_memory_held(struct pv_clock_memory *memory, int64_t worker,
    struct pv_str name, bool is_address, int64_t from_ms, int64_t until_ms)
{
	struct pv_statement *find = memory->find_hold;
	pv_statement_bind(find, 1, worker);
	pv_statement_bind(find, 2, is_address);
	pv_statement_bind_text(find, 3, name);
	pv_statement_bind(find, 4, until_ms);
	/* All that it held before this was over sooner. */
	bool is_held =
	    pv_statement_step(find) && pv_statement_number(find, 0) >= from_ms;
	pv_statement_reset(find);
	return is_held;
}
