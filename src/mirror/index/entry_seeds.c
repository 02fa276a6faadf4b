#include "mirror/index/entry_reader.h"

#include <stdint.h>
#include <sys/stat.h>

#include "http/status.h"
#include "policy/seed_walk.h"
#include "store/tables/redirects.h"
#include "url/url.h"

/* So many redirects in a row are followed. */
#define HOPS_MAX 20

/* Finds seeds as a crawl has found them. */
struct finder {
	struct pv_entry_reader *reader;
	const struct pv_kept_state *state;
	struct pv_url url;
	struct pv_buf target;
};

static struct pv_fingerprint fingerprint_of(const struct finder *finder)
{
	return pv_fingerprint_of(
	    &finder->state->key, pv_url_page(&finder->url));
}

/* Takes up an address as the crawl calls it. */
static void take_up(struct finder *finder)
{
	pv_crawl_identity_apply(
	    &finder->state->sameness.identity, &finder->url);
	pv_url_drop_credentials(&finder->url);
}

void pv_entry_seed_stands(
    struct pv_entry_seed *seed, const struct pv_state_address *row)
{
	seed->last = row->id;
	seed->host = row->host_id;
	seed->fate = (struct pv_entry_fate){
	    .state = row->state,
	    .reason = row->verdict.reason,
	    .outcome = row->result.outcome,
	    .http_status = row->result.http_status,
	};
}

/* What became of the address that the finder has; false if it is not known. */
static bool look(struct finder *finder, struct pv_entry_seed *seed,
    struct pv_entry_address *address)
{
	struct pv_state_addresses *addresses = &finder->reader->fates.addresses;
	struct pv_state_address row;
	uint64_t id =
	    pv_state_addresses_find(addresses, fingerprint_of(finder));
	if (!id || !pv_state_addresses_get(addresses, id, &row))
		return false;
	pv_entry_seed_stands(seed, &row);
	address->file = pv_entry_reader_file(finder->reader, id);
	return true;
}

/* Takes up the address that the finder's was redirected to; false if there is
 * none. */
static bool take_target(struct finder *finder)
{
	pv_buf_clear(&finder->target);
	if (!pv_redirects_get(&finder->reader->fates.redirects,
		fingerprint_of(finder), &finder->target) ||
	    pv_url_parse(&finder->url, pv_buf_str(&finder->target)) !=
		PV_URL_OK)
		return false;
	take_up(finder);
	return true;
}

/* To where it is now. */
static void follow(struct finder *finder, struct pv_entry_seed *seed)
{
	for (int hop = 0; hop < HOPS_MAX; hop++) {
		if (!pv_http_is_redirect((int)seed->fate.http_status) ||
		    !take_target(finder))
			return;
		struct pv_entry_address target = pv_entry_reader_address(
		    finder->reader, pv_url_page(&finder->url));
		if (!look(finder, seed, &target))
			return;
		seed->moved_to = target;
	}
}

static void read_title(
    struct pv_entry_reader *reader, struct pv_entry_seed *seed)
{
	struct pv_str file =
	    seed->moved_to.url.len ? seed->moved_to.file : seed->address.file;
	struct pv_buf name, title;
	if (!pv_entry_is_page(file))
		return;
	pv_buf_init(&name, SIZE_MAX);
	pv_buf_init(&title, PV_ENTRY_TITLE_MAX);
	pv_buf_append(&name, file);
	pv_entry_append_title(&title, reader->directory, pv_buf_text(&name));
	seed->title = pv_arena_copy(&reader->facts->arena, pv_buf_str(&title));
	pv_buf_finish(&title);
	pv_buf_finish(&name);
}

static void add(
    struct finder *finder, const struct pv_seed *seed, struct pv_str text)
{
	struct pv_entry_reader *reader = finder->reader;
	struct pv_entry_facts *facts = reader->facts;
	if (pv_seed_parse(&finder->url, text) != NULL)
		return;
	take_up(finder);
	struct pv_entry_seed *found = &facts->seeds.items[facts->seeds.count++];
	*found = (struct pv_entry_seed){
	    .address =
		pv_entry_reader_address(reader, pv_url_page(&finder->url)),
	    .is_list = seed->kind == PV_SEED_SITEMAP,
	};
	if (look(finder, found, &found->address) && !found->address.file.len)
		follow(finder, found);
	read_title(reader, found);
}

/* Nobody is waited for: a pipe that seeds were read from once has none left. */
static bool can_be_read(const struct pv_seed *seed)
{
	struct stat facts;
	return seed->kind != PV_SEED_FILE ||
	       (stat(seed->text, &facts) == 0 && S_ISREG(facts.st_mode));
}

/* As many of them as there is room for. */
static void walk(struct finder *finder, const struct pv_seed *seed)
{
	struct pv_entry_facts *facts = finder->reader->facts;
	struct pv_seed_walk walk;
	size_t steps = 0;
	if (!can_be_read(seed) || !pv_seed_walk_open(&walk, seed)) {
		facts->seeds.has_more = true;
		return;
	}
	enum pv_seed_step step = PV_SEED_FAULT;
	while (facts->seeds.count < PV_ENTRY_SEEDS_MAX &&
	       steps < 2 * (size_t)PV_ENTRY_SEEDS_MAX &&
	       (step = pv_seed_walk_next(&walk)) != PV_SEED_END) {
		steps++;
		if (step == PV_SEED_ADDRESS)
			add(finder, seed, pv_buf_str(&walk.text));
	}
	if (seed->kind != PV_SEED_FILE)
		facts->seeds.left +=
		    (uint64_t)(seed->address.count - walk.number);
	else if (step != PV_SEED_END && pv_seed_walk_next(&walk) != PV_SEED_END)
		facts->seeds.has_more = true;
	pv_seed_walk_close(&walk);
}

void pv_entry_seeds_read(struct pv_entry_reader *reader)
{
	const struct pv_seeds *seeds = &reader->policy->seeds;
	struct finder finder = {.reader = reader, .state = &reader->state};
	reader->facts->seeds.items = pv_arena_give_array(&reader->facts->arena,
	    PV_ENTRY_SEEDS_MAX, sizeof(*reader->facts->seeds.items));
	pv_url_init(&finder.url, PV_SEED_ADDRESS_MAX);
	pv_buf_init(&finder.target, PV_SEED_ADDRESS_MAX);
	for (size_t i = 0; i < seeds->count; i++)
		walk(&finder, &seeds->items[i]);
	pv_url_finish(&finder.url);
	pv_buf_finish(&finder.target);
}
