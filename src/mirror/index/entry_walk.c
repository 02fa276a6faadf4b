#include "mirror/index/entry_reader.h"

#include "base/hash.h"
#include "base/map.h"
#include "record/standing.h"

/* How many addresses are looked at, in the order in which they were found. */
#define WALK_MAX 20000

/* How many pages of a host are looked at for one that is kept. */
#define TRIES_MAX 5

struct walk {
	struct pv_entry_reader *reader;
	struct pv_state_address row;
	struct pv_map hosts; /* by their numbers, as bytes */
	bool is_counting;    /* pages */
	size_t count;        /* of addresses */
};

/* Seeds */

/* A seed that was answered by where it is now, where nobody has kept that
 * (store/tables/redirects.h). */
static void follow(struct walk *walk, struct pv_entry_seed *seed)
{
	struct pv_entry_reader *reader = walk->reader;
	pv_entry_seed_stands(seed, &walk->row);
	seed->moved_to =
	    pv_entry_reader_kept(reader, walk->row.url, seed->last);
}

static void follow_seeds(struct walk *walk)
{
	struct pv_entry_facts *facts = walk->reader->facts;
	uint64_t via = walk->row.via_id;
	for (size_t i = 0; i < facts->seeds.count; i++) {
		struct pv_entry_seed *seed = &facts->seeds.items[i];
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
	for (size_t i = 0; i < facts->seeds.count; i++) {
		const struct pv_entry_seed *seed = &facts->seeds.items[i];
		struct pv_entry_host *host = host_of(walk, seed->host);
		if (host && !host->start.len && !seed->is_list)
			host->start = seed->address.file;
	}
}

static bool is_answered_page(const struct walk *walk)
{
	uint16_t status = walk->row.result.http_status;
	return walk->row.use == PV_PAGE && status >= 200 && status <= 299 &&
	       !walk->row.is_only_list;
}

/* Else it begins at the page of it that was found first. */
static void begin_here(struct walk *walk, struct pv_entry_host *host)
{
	if (host->start.len || host->tries >= TRIES_MAX)
		return;
	host->tries++;
	struct pv_str file = pv_entry_reader_file(walk->reader, walk->row.id);
	if (pv_entry_is_page(file))
		host->start = file;
}

static void take_page(struct walk *walk)
{
	struct pv_entry_host *host = host_of(walk, walk->row.host_id);
	walk->reader->facts->pages += walk->is_counting;
	if (!host)
		return;
	host->pages += walk->is_counting;
	begin_here(walk, host);
}

/* Refusals */

static void take_example(struct walk *walk)
{
	enum pv_reason reason = walk->row.verdict.reason;
	struct pv_entry_examples *examples;
	if (reason >= PV_REASON_COUNT)
		return;
	examples = &walk->reader->facts->examples[reason];
	if (examples->count < PV_ENTRY_EXAMPLES_MAX)
		examples->items[examples->count++] =
		    pv_entry_reader_address(walk->reader, walk->row.url);
}

static void look_at(struct walk *walk)
{
	enum pv_address_state state = walk->row.state;
	if (state == PV_STATE_REFUSED)
		take_example(walk);
	if (walk->row.redirects)
		follow_seeds(walk);
	if (state == PV_STATE_DONE && is_answered_page(walk))
		take_page(walk);
	walk->count++;
}

void pv_entry_walk(struct pv_entry_reader *reader)
{
	const struct pv_address_filter filter = {
	    .choice = PV_ADDRESSES_ALL, .max = WALK_MAX};
	struct pv_address_cursor *rows =
	    pv_address_cursor_open(reader->database, &filter);
	struct walk walk = {
	    .reader = reader, .is_counting = !reader->facts->has_pages};
	add_hosts(&walk);
	begin_at_seeds(&walk);
	while (pv_address_cursor_next(rows, &walk.row))
		look_at(&walk);
	if (walk.count < WALK_MAX)
		reader->facts->has_pages = true;
	pv_map_finish(&walk.hosts);
	pv_address_cursor_close(rows);
}
