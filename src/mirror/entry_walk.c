#include "mirror/entry_reader.h"

#include "base/hash.h"
#include "base/map.h"
#include "record/standing.h"

/* How many addresses are looked at, in the order in which they were found. */
#define WALK_MAX 20000

/* How many pages of a host are looked at for one that is kept. */
#define TRIES_MAX 5

static const char walk_sql[] =
    "SELECT id, host, state, use, redirects, via, reason, outcome, "
    "http_status, listing & 4, url FROM addresses ORDER BY id LIMIT ?1";

enum {
	ID,
	HOST,
	STATE,
	USE,
	REDIRECTS,
	VIA,
	REASON,
	OUTCOME,
	HTTP_STATUS,
	IS_ONLY_LIST,
	URL,
};

struct walk {
	struct pv_entry_reader *reader;
	const struct pv_statement *row;
	struct pv_map hosts; /* by their numbers, as bytes */
	bool is_counting;    /* pages */
	size_t count;        /* of addresses */
};

static uint64_t number(const struct walk *walk, int column)
{
	return (uint64_t)pv_statement_number(walk->row, column);
}

/* Seeds */

/* A seed that was answered by where it is now, where nobody has kept that
 * (mirror/redirects.h). */
static void follow(struct walk *walk, struct pv_entry_seed *seed)
{
	struct pv_entry_reader *reader = walk->reader;
	seed->last = number(walk, ID);
	seed->host = number(walk, HOST);
	seed->moved_to =
	    pv_entry_reader_address(reader, pv_statement_text(walk->row, URL));
	seed->moved_to.file = pv_entry_reader_file(reader, seed->last);
	seed->fate = (struct pv_entry_fate){
	    .state = (unsigned)number(walk, STATE),
	    .reason = (unsigned)number(walk, REASON),
	    .outcome = (unsigned)number(walk, OUTCOME),
	    .http_status = (unsigned)number(walk, HTTP_STATUS),
	};
}

static void follow_seeds(struct walk *walk)
{
	struct pv_entry_facts *facts = walk->reader->facts;
	uint64_t via = number(walk, VIA);
	for (size_t i = 0; i < facts->seed_count; i++) {
		struct pv_entry_seed *seed = &facts->seeds[i];
		if (via && seed->last == via && !seed->address.file.len &&
		    !seed->moved_to.file.len)
			follow(walk, seed);
	}
}

/* Hosts */

static struct pv_str key_of(const uint64_t *id)
{
	return (struct pv_str){(const char *)id, sizeof(*id)};
}

static struct pv_entry_host *host_of(const struct walk *walk, uint64_t id)
{
	const uint32_t *place = pv_map_get(&walk->hosts, key_of(&id));
	return place ? &walk->reader->facts->hosts[*place] : NULL;
}

static void add_hosts(struct walk *walk)
{
	struct pv_entry_facts *facts = walk->reader->facts;
	pv_map_init(&walk->hosts, (struct pv_hash_key){{0, 0}});
	for (size_t i = 0; i < facts->host_count; i++)
		pv_map_add(
		    &walk->hosts, key_of(&facts->hosts[i].id), (uint32_t)i);
}

/* Where a seed lies on a host, it begins there. */
static void begin_at_seeds(struct walk *walk)
{
	struct pv_entry_facts *facts = walk->reader->facts;
	for (size_t i = 0; i < facts->seed_count; i++) {
		const struct pv_entry_seed *seed = &facts->seeds[i];
		struct pv_entry_host *host = host_of(walk, seed->host);
		if (host && !host->start.len && !seed->is_list)
			host->start = seed->address.file;
	}
}

static bool is_page(struct pv_str file)
{
	return pv_str_ends(file, PV_STR(".html")) ||
	       pv_str_ends(file, PV_STR(".htm")) ||
	       pv_str_ends(file, PV_STR(".xhtml"));
}

static bool is_answered_page(const struct walk *walk)
{
	uint64_t status = number(walk, HTTP_STATUS);
	return number(walk, USE) == PV_PAGE && status >= 200 && status <= 299 &&
	       !number(walk, IS_ONLY_LIST);
}

/* Else it begins at the page of it that was found first. */
static void begin_here(struct walk *walk, struct pv_entry_host *host)
{
	if (host->start.len || host->tries >= TRIES_MAX)
		return;
	host->tries++;
	struct pv_str file =
	    pv_entry_reader_file(walk->reader, number(walk, ID));
	if (is_page(file))
		host->start = file;
}

static void take_page(struct walk *walk)
{
	struct pv_entry_host *host = host_of(walk, number(walk, HOST));
	walk->reader->facts->pages += walk->is_counting;
	if (!host)
		return;
	host->pages += walk->is_counting;
	begin_here(walk, host);
}

/* Refusals */

static void take_example(struct walk *walk)
{
	uint64_t reason = number(walk, REASON);
	struct pv_entry_examples *examples;
	if (reason >= PV_REASON_COUNT)
		return;
	examples = &walk->reader->facts->examples[reason];
	if (examples->count < PV_ENTRY_EXAMPLES_MAX)
		examples->items[examples->count++] = pv_entry_reader_address(
		    walk->reader, pv_statement_text(walk->row, URL));
}

static void look_at(struct walk *walk)
{
	uint64_t state = number(walk, STATE);
	if (state == PV_STATE_REFUSED)
		take_example(walk);
	if (number(walk, REDIRECTS))
		follow_seeds(walk);
	if (state == PV_STATE_DONE && is_answered_page(walk))
		take_page(walk);
	walk->count++;
}

void pv_entry_walk(struct pv_entry_reader *reader)
{
	struct pv_statement *row =
	    pv_statement_create(reader->database, walk_sql);
	struct walk walk = {.reader = reader,
	    .row = row,
	    .is_counting = !reader->facts->has_pages};
	add_hosts(&walk);
	begin_at_seeds(&walk);
	pv_statement_bind(row, 1, WALK_MAX);
	while (pv_statement_step(row))
		look_at(&walk);
	if (walk.count < WALK_MAX)
		reader->facts->has_pages = true;
	pv_map_finish(&walk.hosts);
	pv_statement_destroy(row);
}
