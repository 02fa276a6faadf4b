#include "crawl/update/earlier_policies.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"
#include "crawl/conductor.h"
#include "crawl/run/directory.h"
#include "policy/overview/difference.h"
#include "policy/sources/load.h"

struct pv_earlier_policy {
	uint64_t number;
	struct pv_rejudge *rejudge; /* NULL: nothing has changed that decides */
	struct pv_rejudging rejudging;
};

static void on_difference(void *ctx, const struct pv_difference *difference)
{
	pv_rejudge_note(ctx, pv_str_of(difference->option->path));
}

static struct pv_policy *load(struct pv_str text)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pv_policy *policy = pv_policy_load_text("fleet", text, &why);
	if (pv_why_has_problems(&why)) {
		pv_policy_destroy(policy);
		policy = NULL;
	}
	pv_why_finish(&why);
	return policy;
}

/* What is no policy any more could have said anything. */
static void compare(struct pv_rejudge *rejudge, const struct pv_policy *before)
{
	const struct pv_crawl *crawl = rejudge->crawl;
	struct pv_buf text = pv_directory_policy_text(crawl, crawl->policy);
	struct pv_policy *now = load(pv_buf_str(&text));
	if (before && now)
		pv_policy_compare(before, now, on_difference, rejudge);
	else
		pv_rejudge_note_all(rejudge);
	pv_policy_destroy(now);
	pv_buf_finish(&text);
}

static void fill(struct pv_earlier_policy *earlier, struct pv_crawl *crawl,
    const struct pv_policy *before)
{
	struct pv_rejudge *rejudge = pv_alloc(sizeof(*rejudge));
	pv_rejudge_init(rejudge, crawl);
	compare(rejudge, before);
	earlier->rejudging =
	    pv_rejudge_plan(rejudge, before ? before : crawl->policy);
	if (pv_rejudge_is_due(rejudge))
		earlier->rejudge = rejudge;
	else
		free(rejudge);
}

void pv_earlier_policies_add(
    struct pv_crawl *crawl, uint64_t number, struct pv_str text)
{
	struct pv_earlier_policies *policies = &crawl->update.earlier;
	struct pv_policy *before = load(text);
	struct pv_earlier_policy *earlier =
	    PV_ARRAY_PUSH(policies->items, policies->count, policies->size);
	*earlier = (struct pv_earlier_policy){.number = number};
	fill(earlier, crawl, before);
	pv_policy_destroy(before);
	if (policies->unknown)
		return;
	policies->unknown = pv_alloc(sizeof(*policies->unknown));
	*policies->unknown = (struct pv_earlier_policy){.number = 0};
	fill(policies->unknown, crawl, NULL);
}

struct pv_rejudging *pv_earlier_policies_since(
    struct pv_crawl *crawl, uint64_t number)
{
	struct pv_earlier_policies *policies = &crawl->update.earlier;
	struct pv_earlier_policy *earlier = policies->unknown;
	for (size_t i = 0; i < policies->count; i++) {
		if (policies->items[i].number == number)
			earlier = &policies->items[i];
	}
	return earlier && earlier->rejudge ? &earlier->rejudging : NULL;
}

void pv_earlier_policies_finish(struct pv_earlier_policies *policies)
{
	for (size_t i = 0; i < policies->count; i++)
		free(policies->items[i].rejudge);
	if (policies->unknown)
		free(policies->unknown->rejudge);
	free(policies->unknown);
	free(policies->items);
}
