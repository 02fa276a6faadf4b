#include "crawl/run/seed_redirect.h"

#include "crawl/conductor.h"
#include "store/tables/note.h"

#define BEGINNING PV_NOTE_SEED_REDIRECT

static void name_note(struct pv_str url, struct pv_buf *name)
{
	pv_buf_init(name, SIZE_MAX);
	pv_buf_append_text(name, BEGINNING);
	pv_buf_append(name, url);
}

void pv_seed_redirect_keep(struct pv_database *database, struct pv_str url)
{
	struct pv_buf name;
	name_note(url, &name);
	pv_note_set_text(database, pv_buf_str(&name), url);
	pv_buf_finish(&name);
}

bool pv_seed_redirect_is_kept(struct pv_database *database, struct pv_str url)
{
	struct pv_buf name, text;
	name_note(url, &name);
	pv_buf_init(&text, SIZE_MAX);
	bool is_kept = pv_note_get_text(database, pv_buf_str(&name), &text);
	pv_buf_finish(&text);
	pv_buf_finish(&name);
	return is_kept;
}

/* The text comes from a database that others can write: what a worker of this
 * program would not have written there is left out. */
bool pv_seed_redirect_hear(struct pv_crawl *crawl, struct pv_str text)
{
	struct pv_url url;
	pv_url_init(&url, PV_SEED_ADDRESS_MAX);
	bool is_wider = pv_url_parse(&url, text) == PV_URL_OK &&
			pv_str_equal(pv_url_page(&url), text) &&
			!pv_url_has_credentials(&url) &&
			pv_scope_hear_redirect(crawl->reading.scope, &url);
	pv_url_finish(&url);
	return is_wider;
}

static void restore(void *ctx, struct pv_str text)
{
	struct pv_crawl *crawl = ctx;
	struct pv_url url;
	pv_url_init(&url, PV_SEED_ADDRESS_MAX);
	if (pv_url_parse(&url, text) == PV_URL_OK)
		pv_scope_add_redirect(crawl->reading.scope, &url);
	pv_url_finish(&url);
}

void pv_seed_redirects_restore(struct pv_crawl *crawl)
{
	pv_note_each(crawl->store->database, PV_STR(BEGINNING), restore, crawl);
}
