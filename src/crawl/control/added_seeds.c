#include "crawl/control/added_seeds.h"

#include "crawl/conductor.h"
#include "policy/values/host_pattern.h"
#include "store/tables/note.h"

#define BEGINNING "added-seed "

static void name_note(struct pv_str url, struct pv_buf *name)
{
	pv_buf_init(name, SIZE_MAX);
	pv_buf_append_text(name, BEGINNING);
	pv_buf_append(name, url);
}

void pv_added_seed_keep(struct pv_database *database, struct pv_str url)
{
	struct pv_buf name;
	name_note(url, &name);
	pv_note_set_text(database, pv_buf_str(&name), url);
	pv_buf_finish(&name);
}

bool pv_added_seeds_have(const struct pv_crawl *crawl, struct pv_str url)
{
	struct pv_buf name, text;
	name_note(url, &name);
	pv_buf_init(&text, SIZE_MAX);
	bool is_there =
	    pv_note_get_text(crawl->store->database, pv_buf_str(&name), &text);
	pv_buf_finish(&text);
	pv_buf_finish(&name);
	return is_there;
}

static void add_to_names(struct pv_crawl *crawl, const struct pv_url *url)
{
	crawl->around.names->add_named(
	    crawl->names, pv_host_name_trim(pv_url_host(url)));
}

void pv_added_seed_widen(struct pv_crawl *crawl, struct pv_url *url)
{
	add_to_names(crawl, url);
	pv_scope_add_redirect(crawl->reading.scope, url);
}

static void restore_scope(void *ctx, struct pv_str text)
{
	struct pv_crawl *crawl = ctx;
	struct pv_url url;
	pv_url_init(&url, PV_SEED_ADDRESS_MAX);
	if (pv_url_parse(&url, text) == PV_URL_OK)
		pv_scope_add_redirect(crawl->reading.scope, &url);
	pv_url_finish(&url);
}

static void restore_name(void *ctx, struct pv_str text)
{
	struct pv_url url;
	pv_url_init(&url, PV_SEED_ADDRESS_MAX);
	if (pv_url_parse(&url, text) == PV_URL_OK)
		add_to_names(ctx, &url);
	pv_url_finish(&url);
}

void pv_added_seeds_restore(struct pv_crawl *crawl)
{
	pv_note_each(
	    crawl->store->database, PV_STR(BEGINNING), restore_scope, crawl);
}

void pv_added_seeds_name(struct pv_crawl *crawl)
{
	pv_note_each(
	    crawl->store->database, PV_STR(BEGINNING), restore_name, crawl);
}
