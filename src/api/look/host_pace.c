#include "api/look/host_pace.h"

#include "crawl/control/settings.h"
#include "explain/access.h"
#include "explain/clocks.h"
#include "explain/explanation.h"
#include "explain/state_view.h"
#include "policy/sources/overlay.h"
#include "url/url.h"

#define ADDRESS_MAX ((size_t)65536)
#define TEXT_MAX ((size_t)1 << 20)

static void add(const struct pv_scope_line *line, void *ctx)
{
	pv_explained_add(ctx, line->key, line->text, &line->origin);
}

static void drop(const struct pv_scope_line *line, void *ctx)
{
	(void)line;
	(void)ctx;
}

/* Its robots.txt, as the crawl has it: what that says of an address is not
 * asked. */
static void read_robots(struct pv_explanation *explanation,
    struct pv_access *access, struct pv_buf *reason)
{
	const struct pv_access_sources sources = {
	    .policy = explanation->policy,
	    .known = explanation->known,
	    .wall_ms = explanation->now.wall_ms,
	    .on_line = drop,
	};
	pv_access_tell(access, &sources, explanation->url, reason);
	explanation->matcher = access->matcher;
}

static void explain(struct pv_explanation *explanation)
{
	struct pv_access access = {.matcher = NULL};
	struct pv_host_manners manners;
	struct pv_buf reason;
	int64_t until_wall_ms;
	pv_buf_init(&reason, TEXT_MAX);
	pv_policy_manners(explanation->policy, pv_url_host(explanation->url),
	    pv_url_address(explanation->url), &manners);
	explanation->manners = &manners;
	read_robots(explanation, &access, &reason);
	pv_explain_clocks_tell(explanation, &until_wall_ms, &reason);
	pv_access_finish(&access);
	pv_buf_finish(&reason);
}

/* What is known of the host goes into the explanation's. */
static bool look_at(const char *directory, const struct pv_url *url,
    struct pv_state_view_answer *known, struct pv_why *why)
{
	struct pv_state_view *look = pv_state_view_open(directory, why);
	bool is_read = look && pv_state_view_at(look, url, known, why);
	pv_state_view_close(look);
	known->is_known = false; /* of the address nothing is asked */
	return is_read;
}

static bool explain_in(
    const char *directory, struct pv_explanation *explanation)
{
	struct pv_state_view_answer known;
	struct pv_why why;
	pv_why_init(&why);
	pv_state_view_answer_init(&known);
	struct pv_policy *overlay =
	    pv_settings_read(explanation->policy, directory, &why);
	bool is_read = !pv_why_has_problems(&why) &&
		       look_at(directory, explanation->url, &known, &why);
	if (overlay)
		explanation->policy = overlay;
	explanation->known = &known;
	if (is_read)
		explain(explanation);
	pv_overlay_destroy(overlay);
	pv_state_view_answer_finish(&known);
	pv_why_finish(&why);
	return is_read;
}

bool pv_host_pace_explain(const struct pavane_policy *policy,
    const char *directory, struct pv_str authority, int64_t wall_ms,
    struct pv_explained *explained)
{
	struct pv_url url;
	struct pv_buf address;
	struct pv_explanation explanation;
	pv_url_init(&url, ADDRESS_MAX);
	pv_buf_init(&address, ADDRESS_MAX);
	pv_buf_append_format(&address, "%.*s/", PV_STR_ARG(authority));
	pv_explanation_init(&explanation, policy->policy, &url,
	    (struct pv_time){.wall_ms = wall_ms});
	explanation.on_line = add;
	explanation.ctx = explained;
	bool is_read = pv_url_parse(&url, pv_buf_str(&address)) == PV_URL_OK &&
		       explain_in(directory, &explanation);
	pv_explanation_finish(&explanation);
	pv_buf_finish(&address);
	pv_url_finish(&url);
	return is_read;
}
