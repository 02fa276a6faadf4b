#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/look/explaining.h"
#include "api/look/fleet_view.h"
#include "api/policy_object.h"
#include "api/problems.h"
#include "api/sized.h"
#include "base/alloc.h"
#include "base/file.h"
#include "crawl/control/settings.h"
#include "crawl/environment.h"
#include "pavane/pavane.h"
#include "policy/sources/overlay.h"

/* What would become of addresses: by a policy, robots.txt, and a crawl. */

#define ADDRESS_MAX ((size_t)65536)
#define TEXT_MAX ((size_t)1 << 20)

/* What a pavane_explainer is inside. */
struct pavane_explainer {
	const struct pv_policy *policy;
	struct pavane_explain_options options;
	struct pv_explaining_sources sources;
	struct pv_state_view *look;  /* a directory's, or NULL */
	struct pv_fleet_visit visit; /* of a fleet */
	bool has_visit;
	struct pv_explained explained; /* the last */
	struct pv_policy
	    *overlay; /* with what is set for that crawl, or NULL */
};

/* Addresses */

static void take_identity(struct pv_explaining *explaining)
{
	pv_buf_append(&explaining->given, pv_url_page(&explaining->url));
	explaining->changes = pv_crawl_identity_apply(
	    &explaining->sources->sameness.identity, &explaining->url);
}

/* Its workers, and what was ordered, may be others than at the last address. */
static bool look_at_fleet(
    struct pavane_explainer *explainer, struct pv_explaining *explaining)
{
	struct pv_fleet_visit *visit = &explainer->visit;
	bool is_read =
	    pv_visit_again(visit, explainer->options.fleet_name) &&
	    pv_fleet_view_at(visit, explainer->policy, &explaining->url,
		explaining->now.wall_ms, &explaining->known);
	pv_problems_tell(
	    &visit->why, explainer->options.on_line, explainer->options.ctx);
	pv_why_finish(&visit->why);
	pv_why_init(&visit->why);
	return is_read;
}

/* False, with the reason given to on_line, if the crawl's state cannot be
 * read. */
static bool look(
    struct pavane_explainer *explainer, struct pv_explaining *explaining)
{
	struct pv_why why;
	if (explainer->has_visit)
		return look_at_fleet(explainer, explaining);
	if (!explainer->look)
		return true;
	pv_why_init(&why);
	bool is_read = pv_state_view_at(
	    explainer->look, &explaining->url, &explaining->known, &why);
	pv_problems_tell(
	    &why, explainer->options.on_line, explainer->options.ctx);
	pv_why_finish(&why);
	return is_read;
}

static enum pavane_answer explain(struct pavane_explainer *explainer,
    const char *address, struct pavane_explanation *explanation)
{
	struct pv_explaining explaining = {
	    .sources = &explainer->sources,
	    .explained = &explainer->explained,
	    .policy = explainer->policy,
	    .now = pv_time_now(),
	};
	enum pavane_answer answer = PAVANE_WRONG;
	pv_explained_clear(&explainer->explained);
	pv_url_init(&explaining.url, ADDRESS_MAX);
	pv_buf_init(&explaining.given, ADDRESS_MAX);
	pv_buf_init(&explaining.reason, TEXT_MAX);
	pv_state_view_answer_init(&explaining.known);
	if (pv_url_parse(&explaining.url, pv_str_of(address)) == PV_URL_OK) {
		take_identity(&explaining);
		answer = PAVANE_UNREADABLE;
	}
	if (answer == PAVANE_UNREADABLE && look(explainer, &explaining)) {
		pv_explaining_explain(&explaining, explanation);
		answer = explanation->is_fetched ? PAVANE_YES : PAVANE_NO;
	}
	pv_state_view_answer_finish(&explaining.known);
	pv_buf_finish(&explaining.reason);
	pv_buf_finish(&explaining.given);
	pv_url_finish(&explaining.url);
	return answer;
}

static bool is_explained(enum pavane_answer answer)
{
	return answer == PAVANE_YES || answer == PAVANE_NO;
}

enum pavane_answer pavane_explain_values(struct pavane_explainer *explainer,
    const char *address, struct pavane_explanation *explanation)
{
	struct pavane_explanation own;
	enum pavane_answer answer = explain(explainer, address, &own);
	if (is_explained(answer) &&
	    !pv_sized_write(explanation, &own, sizeof(own)))
		return PAVANE_WRONG;
	return answer;
}

enum pavane_answer pavane_explain(struct pavane_explainer *explainer,
    const char *address, pavane_write_fn write, void *ctx)
{
	struct pavane_explanation explanation;
	struct pv_buf text;
	enum pavane_answer answer = explain(explainer, address, &explanation);
	if (!is_explained(answer))
		return answer;
	pv_buf_init(&text, 4 * TEXT_MAX);
	pv_explained_write(&explanation, &text);
	write(ctx, pv_buf_text(&text), text.len);
	pv_buf_finish(&text);
	return answer;
}

/* The text of robots.txt, where a file is named. */
static bool read_robots(struct pavane_explainer *explainer, struct pv_why *why)
{
	const char *path = explainer->options.robots;
	if (!path)
		return true;
	enum pv_file_read read = pv_file_read(path, &explainer->sources.robots);
	explainer->sources.is_robots_cut = read == PV_FILE_TOO_LARGE;
	if (read != PV_FILE_FAILED)
		return true;
	pv_why_add(why, (struct pv_place){.file = path}, PV_STR(""),
	    "cannot be read: %s", pv_file_fault(errno));
	return false;
}

static bool read_shard(struct pavane_explainer *explainer, struct pv_why *why)
{
	const char *text = explainer->options.shard;
	if (!text || pv_shard_read(pv_str_of(text), &explainer->sources.shard))
		return true;
	pv_shard_tell(text, why);
	return false;
}

static bool open_sources(struct pavane_explainer *explainer, struct pv_why *why)
{
	const struct pavane_explain_options *options = &explainer->options;
	if (!read_robots(explainer, why) || !read_shard(explainer, why))
		return false;
	explainer->sources.has_crawl = options->directory || options->fleet;
	if (options->fleet)
		return true;
	if (options->directory) {
		explainer->look = pv_state_view_open(options->directory, why);
		return explainer->look != NULL;
	}
	if (options->is_asking && !options->robots) {
		explainer->sources.inquiry = pv_inquiry_create(
		    explainer->policy, &pv_real_environment, why);
		return explainer->sources.inquiry != NULL;
	}
	return true;
}

static bool fail(struct pv_why *why, const char *sentence)
{
	pv_why_add(why, (struct pv_place){0}, PV_STR(""), "%s", sentence);
	return false;
}

/* Settings that cannot be read are none, as for the workers. */
static bool visit(struct pavane_explainer *explainer, struct pv_why *why)
{
	const struct pavane_explain_options *options = &explainer->options;
	struct pv_orders orders;
	if (options->directory || options->shard)
		return fail(why,
		    "a fleet's crawl has no directory and no shards: leave "
		    "them out");
	if (!options->fleet_name)
		return fail(why, "which crawl of the fleet is not said");
	explainer->visit.on_line = options->on_line;
	explainer->visit.ctx = options->ctx;
	explainer->has_visit = true;
	if (!pv_visit_open(
		&explainer->visit, options->fleet, options->fleet_name))
		return false;
	pv_orders_init(&orders);
	if (explainer->visit.crawl.wish[0])
		pv_orders_read(&orders, pv_str_of(explainer->visit.crawl.wish));
	if (orders.setting_count)
		explainer->overlay =
		    pv_settings_overlay(explainer->policy, &orders, why);
	pv_orders_finish(&orders);
	return true;
}

/* The policy that the crawl in the directory, or of the fleet, goes by. */
static bool lay_over(struct pavane_explainer *explainer, struct pv_why *why)
{
	const char *directory = explainer->options.directory;
	if (explainer->options.fleet && !visit(explainer, why))
		return false;
	if (directory)
		explainer->overlay =
		    pv_settings_read(explainer->policy, directory, why);
	if (explainer->overlay)
		explainer->policy = explainer->overlay;
	return !pv_why_has_problems(why);
}

struct pavane_explainer *pavane_explainer_open(
    const struct pavane_policy *policy,
    const struct pavane_explain_options *options)
{
	struct pavane_explain_options own;
	struct pv_why why;
	if (!pv_sized_read(&own, sizeof(own), options))
		return NULL;
	struct pavane_explainer *explainer = pv_alloc(sizeof(*explainer));
	explainer->policy = policy->policy;
	explainer->options = own;
	explainer->sources.robots_name = own.robots;
	pv_explained_init(&explainer->explained);
	pv_sameness_init(&explainer->sources.sameness, explainer->policy);
	explainer->overlay = NULL;
	explainer->look = NULL;
	explainer->has_visit = false;
	pv_buf_init(&explainer->sources.robots, PV_ROBOTS_CEILINGS.bytes);
	pv_why_init(&why);
	if (!lay_over(explainer, &why) || !open_sources(explainer, &why)) {
		pavane_explainer_close(explainer);
		explainer = NULL;
	}
	pv_problems_tell(&why, own.on_line, own.ctx);
	pv_why_finish(&why);
	return explainer;
}

void pavane_explainer_close(struct pavane_explainer *explainer)
{
	if (!explainer)
		return;
	pv_state_view_close(explainer->look);
	if (explainer->has_visit)
		pv_visit_close(&explainer->visit);
	pv_inquiry_destroy(explainer->sources.inquiry);
	pv_buf_finish(&explainer->sources.robots);
	pv_sameness_finish(&explainer->sources.sameness);
	pv_explained_finish(&explainer->explained);
	pv_overlay_destroy(explainer->overlay);
	free(explainer);
}
