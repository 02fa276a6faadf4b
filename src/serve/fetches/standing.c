#include "serve/fetches/standing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* On the crawl's thread */

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

struct pv_standing *pv_standing_open(struct pv_fetches *fetches,
    struct pv_str profile, const struct pv_standing_record *record,
    struct pv_buf *why)
{
	struct pavane_problem problem = PAVANE_INIT(struct pavane_problem);
	struct pavane_policy *policy =
	    fetches->plan.load(fetches->plan.ctx, profile, record->first_url);
	if (pavane_policy_problem(policy, 0, &problem)) {
		pv_buf_append_text(why, problem.sentence);
		pavane_policy_destroy(policy);
		return NULL;
	}
	char id[40];
	snprintf(
	    id, sizeof(id), "fetches/%llu", (unsigned long long)record->number);
	struct pv_standing *standing =
	    pv_alloc(sizeof(*standing) + profile.len + 1);
	char *name = (char *)(standing + 1);
	memcpy(name, pv_str_bytes(profile), profile.len);
	standing->profile = (struct pv_str){name, profile.len};
	standing->offset = record->offset;
	pv_buf_init(&standing->directory, SIZE_MAX);
	pv_buf_append_format(
	    &standing->directory, "%s/%s", fetches->plan.directory, id);
	const struct pv_job_run_plan plan = {
	    .id = pv_str_of(id),
	    .owner = PV_STR(""),
	    .directory = pv_buf_text(&standing->directory),
	    .policy = policy,
	    .runtime = fetches->plan.runtime,
	    .state_dir = fetches->plan.state_dir,
	    .key = fetches->key,
	    .figures = fetches->plan.figures,
	    .is_standing = true,
	    .on_end = on_end,
	    .on_news = on_news,
	    .on_line = on_line,
	    .ctx = fetches,
	};
	standing->run = pv_job_run_start(&plan, why);
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
    struct pv_fetches *fetches, uint64_t number)
{
	struct pv_fetch_reply *reply = pv_alloc(sizeof(*reply));
	reply->fetches = fetches;
	reply->number = number;
	pv_buf_init(&reply->word, SIZE_MAX);
	pv_buf_init(&reply->sentence, SIZE_MAX);
	pv_buf_init(&reply->address, SIZE_MAX);
	return reply;
}

void pv_fetch_reply_destroy(struct pv_fetch_reply *reply)
{
	pv_buf_finish(&reply->word);
	pv_buf_finish(&reply->sentence);
	pv_buf_finish(&reply->address);
	free(reply);
}

bool pv_standing_ask(struct pv_standing *standing, struct pv_fetches *fetches,
    uint64_t number, const char *address)
{
	struct pavane_reply said = PAVANE_INIT(struct pavane_reply);
	struct pv_fetch_reply *reply = make_reply(fetches, number);
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
