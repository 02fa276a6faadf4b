#include "crawl/run/seed_redirect.h"

#include "crawl/conductor.h"
#include "scope/judge.h"
#include "scratch.h"
#include "store/tables/note.h"

#define SEEDS "[https://a.test/]"

/* A crawl of which there is but a store and a scope. */
static void open_crawl(struct pv_crawl *crawl, const struct court *court,
    const struct scratch *scratch)
{
	struct pv_why why;
	struct pv_store_options options = {
	    .directory = scratch->path,
	    .cache_bytes = 1 << 20,
	    .count_ceiling = 100,
	    .bytes_ceiling = 1 << 20,
	};
	pv_why_init(&why);
	*crawl = (struct pv_crawl){
	    .reading.scope = court->scope,
	    .store = pv_store_open(&options, &why),
	};
	pv_why_finish(&why);
}

static const struct pv_scope_link page = {.kind = PV_LINK_PAGE, .depth = 1};

static void test_again(void)
{
	struct scratch scratch;
	struct court court;
	struct pv_crawl crawl;
	scratch_make(&scratch);
	open_court(&court, SEEDS, "{}");
	open_crawl(&crawl, &court, &scratch);
	pv_seed_redirects_restore(&crawl);
	is_judged(&court, "nothing was redirected yet", "https://b.test/x",
	    page, (struct decision)BY(HOSTS, HOST));
	pv_database_begin(crawl.store->database);
	pv_seed_redirect_keep(crawl.store->database, PV_STR("https://b.test/"));
	pv_seed_redirect_keep(crawl.store->database, PV_STR("https://b.test/"));
	pv_seed_redirect_keep(
	    crawl.store->database, PV_STR("http://c.test:8080/?q=%"));
	pv_note_set_text(crawl.store->database, PV_STR("seed-redirecting"),
	    PV_STR("https://d.test/"));
	pv_database_commit(crawl.store->database);
	is_judged(&court, "to keep it is for later runs", "https://b.test/x",
	    page, (struct decision)BY(HOSTS, HOST));
	pv_store_close(crawl.store);
	close_court(&court);

	open_court(&court, SEEDS, "{}");
	open_crawl(&crawl, &court, &scratch);
	pv_seed_redirects_restore(&crawl);
	is_judged(&court,
	    "P3: where a seed was redirected to is in scope in the next run",
	    "https://b.test/x", page, (struct decision)BY(INSIDE, NONE));
	is_judged(&court, "each of them", "http://c.test:8080/x", page,
	    (struct decision)BY(INSIDE, NONE));
	is_judged(&court, "and nothing else", "https://d.test/x", page,
	    (struct decision)BY(HOSTS, HOST));
	pv_store_close(crawl.store);
	close_court(&court);
	scratch_remove(&scratch);
}

/* What stands in the file may be no address. */
static void test_strange(void)
{
	struct scratch scratch;
	struct court court;
	struct pv_crawl crawl;
	scratch_make(&scratch);
	open_court(&court, SEEDS, "{}");
	open_crawl(&crawl, &court, &scratch);
	pv_seed_redirect_keep(crawl.store->database, PV_STR("no address"));
	pv_seed_redirect_keep(crawl.store->database, PV_STR(""));
	pv_seed_redirect_keep(crawl.store->database, PV_STR("ftp://b.test/"));
	pv_seed_redirects_restore(&crawl);
	ok(pv_database_status(crawl.store->database) == PV_STORE_OK,
	    "what is no address is passed over");
	is_judged(&court, "it admits nothing", "https://b.test/x", page,
	    (struct decision)BY(HOSTS, HOST));
	pv_store_close(crawl.store);
	close_court(&court);
	scratch_remove(&scratch);
}

int main(void)
{
	test_again();
	test_strange();
	return tap_done();
}
