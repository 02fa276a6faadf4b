#include "serve/fetches/standing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/policy_object.h"
#include "base/alloc.h"
#include "policy/policy.h"

/* On the crawl's thread */

static int64_t crawl_now(void *ctx)
{
	return pv_fetches_now(ctx);
}

static void on_end(void *ctx)
{
	struct pv_fetches *fetches = ctx;
	pv_fetch_bell_ring(&fetches->bell);
}

static void on_news(void *ctx, struct pv_str id)
{
	(void)id;
	on_end(ctx);
}

static void on_line(
    void *ctx, struct pv_str id, enum pavane_level level, const char *line)
{
	struct pv_fetches *fetches = ctx;
	struct pv_buf text;
	pv_buf_init(&text, SIZE_MAX);
	pv_buf_append_format(&text, "%.*s: %s", PV_STR_ARG(id), line);
	fetches->plan.on_line(
	    fetches->plan.line_ctx, level, pv_buf_text(&text));
	pv_buf_finish(&text);
}

static void fill_reply(
    struct pv_fetch_reply *reply, const struct pavane_reply *said)
{
	reply->answer = said->answer;
	pv_buf_append_text(&reply->word, said->word);
	pv_buf_append_text(&reply->sentence, said->sentence);
	if (said->address)
		pv_buf_append_text(&reply->address, said->address);
}

static void on_reply(void *ctx, const struct pavane_reply *said)
{
	struct pv_fetch_reply *reply = ctx;
	fill_reply(reply, said);
	pv_fetch_bell_reply(&reply->fetches->bell, reply);
}

/* On the keeper's */

/* A line is kept for an eighth longer than is asked for, since its file goes as a
 * whole. */
static int64_t turn_ms(int64_t keep_ms)
{
	return keep_ms < 0 ? 0 : keep_ms / 8 + 1;
}

struct pv_standing *pv_standing_open(struct pv_fetches *fetches,
    struct pv_str profile, const struct pv_standing_record *record,
    struct pavane_policy *policy, struct pv_buf *why)
{
	struct pv_buf id;
	pv_buf_init(&id, SIZE_MAX);
	pv_buf_append_format(&id, "fetches/%.*s",
	    PV_STR_ARG(profile.len ? profile : PV_STR("default")));
	struct pv_standing *standing =
	    pv_alloc(sizeof(*standing) + profile.len + 1);
	char *name = (char *)(standing + 1);
	memcpy(name, pv_str_bytes(profile), profile.len);
	standing->profile = (struct pv_str){name, profile.len};
	standing->read = record->read;
	standing->has_pages = policy->policy->pages.count > 0;
	pv_buf_init(&standing->directory, SIZE_MAX);
	pv_buf_append_format(&standing->directory, "%s/fetches/%llu",
	    fetches->plan.directory, (unsigned long long)record->number);
	const struct pv_job_run_plan plan = {
	    .id = pv_buf_str(&id),
	    .owner = PV_STR(""),
	    .directory = pv_buf_text(&standing->directory),
	    .policy = policy,
	    .runtime = fetches->plan.runtime,
	    .state_dir = fetches->plan.state_dir,
	    .key = fetches->key,
	    .figures = fetches->plan.figures,
	    .is_standing = true,
	    .journal_turn_ms = turn_ms(fetches->plan.limits.keep_ms),
	    .now_ms = crawl_now,
	    .on_end = on_end,
	    .on_news = on_news,
	    .on_line = on_line,
	    .ctx = fetches,
	};
	standing->run = pv_job_run_start(&plan, why);
	pv_buf_finish(&id);
	if (standing->run)
		return standing;
	pv_standing_destroy(standing);
	return NULL;
}

void pv_standing_destroy(struct pv_standing *standing)
{
	pv_job_run_destroy(standing->run);
	pv_buf_finish(&standing->directory);
	free(standing);
}

static struct pv_fetch_reply *make_reply(
    struct pv_fetches *fetches, uint64_t number, const char *address)
{
	struct pv_fetch_reply *reply = pv_alloc(sizeof(*reply));
	reply->fetches = fetches;
	reply->number = number;
	pv_buf_init(&reply->word, SIZE_MAX);
	pv_buf_init(&reply->sentence, SIZE_MAX);
	pv_buf_init(&reply->asked, SIZE_MAX);
	pv_buf_append_text(&reply->asked, address);
	pv_buf_init(&reply->address, SIZE_MAX);
	return reply;
}

void pv_fetch_reply_destroy(struct pv_fetch_reply *reply)
{
	pv_buf_finish(&reply->word);
	pv_buf_finish(&reply->sentence);
	pv_buf_finish(&reply->asked);
	pv_buf_finish(&reply->address);
	free(reply);
}

bool pv_standing_ask(struct pv_standing *standing, struct pv_fetches *fetches,
    uint64_t number, const char *address)
{
	struct pavane_reply said = PAVANE_INIT(struct pavane_reply);
	struct pv_fetch_reply *reply = make_reply(fetches, number, address);
	const struct pavane_asking asking = {
	    .size = sizeof(asking),
	    .reply = &said,
	    .on_reply = on_reply,
	    .ctx = reply,
	};
	switch (pv_job_run_ask(standing->run, address, &asking)) {
	case PAVANE_LATE:
		return true;
	case PAVANE_FULL:
	case PAVANE_OVER:
		pv_fetch_reply_destroy(reply);
		return false;
	default:
		fill_reply(reply, &said);
		pv_fetch_bell_reply(&fetches->bell, reply);
		return true;
	}
}
