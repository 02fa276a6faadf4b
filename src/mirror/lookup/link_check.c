#include "mirror/lookup/link_check.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "mirror/lookup/circles.h"
#include "mirror/lookup/document_walk.h"
#include "store/state_look.h"
#include "store/tables/state_figures.h"

/* So many redirects may have led to an address; a crawl follows fewer. */
#define HOPS_MAX 64

struct pv_link_check {
	const struct pv_kept_state *state;
	const struct pv_link_check_plan *plan;
	struct pv_fates fates;
	struct pv_wanted_links wanted;
	struct pv_link_notes notes;
	struct pv_fate fate;
	struct pv_fate before; /* what was redirected to it */
	struct pv_link_check_sum sum;
	size_t place; /* among those that were asked for */
};

/* Keys */

typedef bool (*key_fn)(
    struct pv_link_check *check, uint64_t key, bool is_of_file);

/* What is in the state is in its crawl identity already. */
static uint64_t key_of(
    const struct pv_link_check *check, const struct pv_fate *fate)
{
	return pv_hash(&check->state->key, pv_buf_str(&fate->url));
}

/* Calls it with each key by which a document may link to the address: its own,
 * those of redirects to it, and that of its file. */
static void each_key(struct pv_link_check *check, key_fn on_key)
{
	const struct pv_fate *fate = &check->fate;
	struct pv_fate *before = &check->before;
	uint64_t via = fate->via_id;
	on_key(check, key_of(check, fate), false);
	if (fate->file.len)
		on_key(check,
		    pv_page_links_file_key(
			check->state, pv_buf_str(&fate->file)),
		    true);
	for (int hops = 0; via && hops < HOPS_MAX; hops++) {
		pv_fates_get(&check->fates, via, before);
		if (before->kind != PV_FATE_MOVED)
			break;
		on_key(check, key_of(check, before), false);
		via = before->via_id;
	}
}

static bool want(struct pv_link_check *check, uint64_t key, bool is_of_file)
{
	struct pv_wanted_links *wanted = &check->wanted;
	bool has_room = pv_key_table_add(
	    is_of_file ? &wanted->files : &wanted->addresses, key);
	check->sum.has_too_many |= !has_room;
	return has_room;
}

static bool ask(struct pv_link_check *check, uint64_t key, bool is_of_file)
{
	(void)is_of_file;
	pv_link_notes_ask(&check->notes, key);
	return true;
}

/* Addresses */

/* Where it was redirected to is in check->before then. */
static bool follow(struct pv_link_check *check, const struct pv_fate *from)
{
	return pv_circles_follow(&check->fates, from, &check->before);
}

static bool is_told(struct pv_link_check *check, struct pv_fate *fate)
{
	bool is_refused =
	    fate->kind == PV_FATE_REFUSED || fate->kind == PV_FATE_LEFT;
	if (fate->kind == PV_FATE_MOVED && !follow(check, fate))
		fate->kind = PV_FATE_CIRCLE;
	return fate->is_linked && (pv_fate_is_broken(fate) ||
				      (is_refused && check->plan->has_refused));
}

/* The next of those that were asked for; false after the last. One that cannot
 * be read is none. */
static bool next_asked(struct pv_link_check *check)
{
	const struct pv_link_check_plan *plan = check->plan;
	while (check->place < plan->id_count) {
		pv_fates_get(
		    &check->fates, plan->ids[check->place++], &check->fate);
		if (check->fate.id)
			return true;
	}
	check->place = 0;
	return false;
}

/* The next to report; false after the last. */
static bool next(struct pv_link_check *check)
{
	if (check->plan->ids)
		return next_asked(check);
	uint64_t id;
	while ((id = pv_fates_next_bad(&check->fates))) {
		pv_fates_get(&check->fates, id, &check->fate);
		if (is_told(check, &check->fate))
			return true;
	}
	return false;
}

/* Notes which redirects lead to what is looked for; a link to them is one to
 * that. */
static void gather_redirects(struct pv_link_check *check)
{
	const struct pv_fate *fate = &check->fate;
	uint64_t id, key;
	while ((id = pv_fates_next_bad(&check->fates))) {
		pv_fates_get(&check->fates, id, &check->fate);
		if (fate->kind != PV_FATE_MOVED || !follow(check, fate) ||
		    !check->before.id)
			continue;
		key = key_of(check, &check->before);
		if (pv_key_table_has(&check->wanted.addresses, key))
			pv_link_notes_lead(
			    &check->notes, key_of(check, fate), key);
	}
	while (pv_link_notes_next_lead(&check->notes, &key))
		want(check, key, false);
}

static bool is_well(struct pv_link_check *check, struct pv_why *why)
{
	const struct pv_kept_state *state = check->state;
	struct pv_database *notes = check->notes.database;
	if (pv_database_status(state->database) != PV_STORE_OK) {
		pv_state_look_tell(state->database, state->directory, why);
		return false;
	}
	if (pv_database_status(notes) == PV_STORE_OK)
		return true;
	pv_why_add(why, (struct pv_place){.file = ""}, PV_STR(""),
	    "no space for the temporary list of links: %s",
	    pv_database_fault(notes));
	return false;
}

static void gather(struct pv_link_check *check)
{
	while (next(check)) {
		check->sum.broken++;
		each_key(check, want);
	}
	if (check->sum.broken)
		gather_redirects(check);
	check->sum.pending = pv_state_figures_left(check->state->database);
}

static void read_documents(struct pv_link_check *check)
{
	struct pv_document_walk walk = {
	    .state = check->state,
	    .wanted = &check->wanted,
	    .notes = &check->notes,
	    .on_progress = check->plan->on_progress,
	    .ctx = check->plan->ctx,
	};
	pv_document_walk_run(&walk);
	check->sum.documents = walk.documents;
	check->sum.unread = walk.unread;
}

struct pv_link_check *pv_link_check_create(const struct pv_kept_state *state,
    const struct pv_link_check_plan *plan, struct pv_why *why)
{
	struct pv_link_check *check = pv_alloc(sizeof(*check));
	check->state = state;
	check->plan = plan;
	pv_fates_init(&check->fates, state);
	pv_wanted_links_init(&check->wanted);
	pv_link_notes_open(&check->notes);
	pv_fate_init(&check->fate);
	pv_fate_init(&check->before);
	gather(check);
	if (check->sum.broken)
		read_documents(check);
	if (is_well(check, why))
		return check;
	pv_link_check_destroy(check);
	return NULL;
}

void pv_link_check_destroy(struct pv_link_check *check)
{
	if (!check)
		return;
	pv_fates_finish(&check->fates);
	pv_wanted_links_finish(&check->wanted);
	pv_link_notes_close(&check->notes);
	pv_fate_finish(&check->fate);
	pv_fate_finish(&check->before);
	free(check);
}

/* Telling */

static void tell_pages(
    struct pv_link_check *check, const struct pv_link_check_hearer *hearer)
{
	struct pv_fate *page = &check->before;
	uint64_t id;
	pv_link_notes_begin(&check->notes);
	each_key(check, ask);
	while ((id = pv_link_notes_next(&check->notes))) {
		pv_fates_get(&check->fates, id, page);
		hearer->on_page(hearer->ctx, pv_buf_str(&page->url),
		    pv_buf_str(&page->file));
	}
}

bool pv_link_check_tell(struct pv_link_check *check,
    const struct pv_link_check_hearer *hearer, struct pv_why *why)
{
	check->sum.broken = 0;
	while (next(check)) {
		check->sum.broken++;
		hearer->on_broken(hearer->ctx, &check->fate);
		tell_pages(check, hearer);
		hearer->on_end(hearer->ctx, &check->fate);
	}
	return is_well(check, why);
}

struct pv_link_check_sum pv_link_check_sum(const struct pv_link_check *check)
{
	return check->sum;
}
