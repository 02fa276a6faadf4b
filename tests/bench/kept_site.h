#ifndef PAVANE_TESTS_BENCH_KEPT_SITE_H
#define PAVANE_TESTS_BENCH_KEPT_SITE_H

#include "base/arena.h"
#include "server/site.h"

/* A made-up site as a mirror likes it: pages of 8 to 30 KiB in several
 * directories, with links of each sort to pages of the same and of others, a
 * style sheet that all share, and a few images. All is made once and kept, so
 * that to serve it is to send it.
 *
 *	struct kept_site site;
 *	kept_site_init(&site, 2000);
 *	struct server_plan plan = {.answer = kept_site_answer, .ctx = &site};
 */
struct kept_site {
	struct site shape; /* who links to whom */
	struct pv_arena texts;
	const char **pages;
	const char *sheet;
};

void kept_site_init(struct kept_site *site, uint32_t pages);
void kept_site_finish(struct kept_site *site);

/* How many addresses answer: pages, sheet and images. */
size_t kept_site_count(const struct kept_site *site);

/* For server_plan; the context is a struct kept_site. */
bool kept_site_answer(void *ctx, const struct server_request *request,
    struct server_answer *answer);

#endif
