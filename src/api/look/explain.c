#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "api/policy_object.h"
#include "api/problems.h"
#include "api/sized.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/system.h"
#include "base/visible.h"
#include "crawl/environment.h"
#include "crawl/control/settings.h"
#include "explain/access.h"
#include "explain/clocks.h"
#include "explain/explanation.h"
#include "pavane/pavane.h"
#include "policy/option.h"
#include "policy/secrets/shown.h"
#include "policy/sources/overlay.h"
#include "scope/explain.h"
#include "scope/page_kind.h"

/* Would an address be fetched, when, and if not, why not: step by step. */

#define ADDRESS_MAX ((size_t)65536)
#define TEXT_MAX ((size_t)1 << 20)
#define KEY_WIDTH 16

/* What a pavane_explainer is inside. */
struct pavane_explainer {
	const struct pv_policy *policy;
	struct pavane_explain_options options;
	struct pv_sameness sameness;
	struct pv_buf robots; /* the file's */
	bool is_robots_cut;   /* what is beyond the ceiling is missing */
	struct pv_state_view *look;
	struct pv_policy
	    *overlay; /* with what is set for that crawl, or NULL */
	struct pv_inquiry *inquiry;
};

/* An address that is being explained. */
struct explaining {
	struct pavane_explainer *explainer;
	const struct pv_policy *policy;
	struct pv_url url;
	struct pv_buf given; /* as it was asked about, without its fragment */
	unsigned changes;    /* what made it into the url */
	struct pv_host_manners manners;
	struct pv_state_view_answer known;
	struct pv_buf text;
	struct pv_buf reason; /* why it would not be fetched */
	int64_t until_wall_ms;
	struct pv_time now; /* of all lines */
};

/* Lines */

static void write_line(struct pv_buf *text, const char *key,
    struct pv_str sentence, const struct pv_origin *origin)
{
	pv_buf_append_format(text, "  %-*s ", KEY_WIDTH, key);
	pv_visible_append(text, sentence);
	if (origin && (origin->place.file || origin->said)) {
		pv_buf_append_text(text, " (");
		pv_origin_write(origin, text);
		pv_buf_append_char(text, ')');
	}
	pv_buf_append_char(text, '\n');
}

static void on_line(const struct pv_scope_line *line, void *ctx)
{
	write_line(ctx, line->key, line->text, &line->origin);
}

/* Scope */

static bool is_same_seed(const struct explaining *explaining,
    const struct pv_seed *item, struct pv_url *seed)
{
	if (item->kind != PV_SEED_PAGE || item->address.count != 1 ||
	    pv_url_parse(seed, pv_str_of(item->text)) != PV_URL_OK)
		return false;
	pv_crawl_identity_apply(
	    &explaining->explainer->sameness.identity, seed);
	return pv_str_equal(pv_url_page(seed), pv_url_page(&explaining->url));
}

static bool is_seed(const struct explaining *explaining)
{
	const struct pv_seeds *seeds = &explaining->policy->seeds;
	struct pv_url seed;
	bool is_found = false;
	pv_url_init(&seed, ADDRESS_MAX);
	for (size_t i = 0; i < seeds->count && !is_found; i++)
		is_found = is_same_seed(explaining, &seeds->items[i], &seed);
	pv_url_finish(&seed);
	return is_found;
}

/* As what the address is judged: as the crawl found it, or as a page that a
 * seed links to, or as the seed. */
static struct pv_scope_link link_of(const struct explaining *explaining)
{
	const struct pv_state_view_answer *known = &explaining->known;
	bool is_start = is_seed(explaining);
	struct pv_scope_link link = {
	    .url = &explaining->url,
	    .kind = PV_LINK_PAGE,
	    .is_seed = is_start,
	    .depth = is_start ? 0 : 1,
	    .wall_ms = explaining->now.wall_ms,
	};
	if (is_start || !known->is_known || !known->via.len)
		return link;
	link.depth = known->address.depth;
	if (known->address.use == PV_RESOURCE)
		link.kind = PV_LINK_RESOURCE;
	return link;
}

static void tell_link(
    struct explaining *explaining, const struct pv_scope_link *link)
{
	struct pv_buf text;
	pv_buf_init(&text, TEXT_MAX);
	if (link->is_seed)
		pv_buf_append_text(&text, "a seed");
	else if (link->kind == PV_LINK_RESOURCE)
		pv_buf_append_text(&text, "a resource of a page");
	else if (link->depth == 1)
		pv_buf_append_text(&text, "a page that a seed links to");
	else
		pv_buf_append_format(&text, "a page %u links from a seed",
		    (unsigned)link->depth);
	write_line(&explaining->text, "judged as", pv_buf_str(&text), NULL);
	pv_buf_finish(&text);
}

static bool explain_scope(struct explaining *explaining)
{
	struct pv_scope *scope = pv_scope_create(explaining->policy);
	struct pv_scope_link link = link_of(explaining);
	pv_scope_add_seeds(scope);
	tell_link(explaining, &link);
	struct pv_scope_verdict verdict =
	    pv_scope_explain(scope, &link, on_line, &explaining->text);
	bool is_admitted = pv_scope_is_admitted(&verdict);
	if (!is_admitted)
		pv_scope_verdict_write(&verdict, &explaining->reason);
	pv_scope_destroy(scope);
	return is_admitted;
}

/* When: the manners towards its host, each key that somebody wrote, and the
 * delay in any case. */
static void explain_manners(struct explaining *explaining)
{
	struct pv_buf value;
	pv_buf_init(&value, TEXT_MAX);
	for (size_t i = 0; i < pv_option_count; i++) {
		const struct pv_option *option = &pv_options[i];
		const char *domain;
		if (!(option->flags & PV_IN_DOMAIN))
			continue;
		struct pv_origin origin = pv_host_manners_origin(
		    &explaining->manners, option->path, &domain);
		bool is_delay = strcmp(option->path, "politeness.delay") == 0;
		if (!domain && !origin.place.file && !is_delay)
			continue;
		pv_buf_clear(&value);
		pv_buf_append_format(
		    &value, "%s: ", pv_option_name(option, PV_NAMES_OF_DOMAIN));
		pv_shown_write(option,
		    (const char *)&explaining->manners.manners +
			option->offset - offsetof(struct pv_policy, manners),
		    &value);
		if (domain)
			pv_buf_append_format(&value, ", for %s", domain);
		write_line(&explaining->text, is_delay ? "its host" : "",
		    pv_buf_str(&value), &origin);
	}
	pv_buf_finish(&value);
}

static void explain_meta(struct explaining *explaining)
{
	const struct pv_policy *policy = explaining->policy;
	const struct pv_option *option =
	    pv_option_get(PV_STR("robots.meta"), PV_NAMES_OF_POLICY);
	write_line(&explaining->text, "meta",
	    policy->robots.meta
		? PV_STR("its links are followed, unless its meta robots or "
			 "X-Robots-Tag forbids it")
		: PV_STR("its links are followed, even if its meta robots or "
			 "X-Robots-Tag forbids it"),
	    &policy->origins[option - pv_options]);
}

/* Its kind of page, by its address: a link may make it an earlier one. */
static void explain_kind(struct explaining *explaining)
{
	const struct pv_pages *pages = &explaining->policy->pages;
	struct pv_page_kinds kinds;
	struct pv_arena arena;
	struct pv_buf value;
	if (!pages->count)
		return;
	pv_arena_init(&arena);
	pv_page_kinds_init(&kinds, pages, &arena);
	unsigned number = pv_page_kinds_match(&kinds, &explaining->url);
	pv_arena_finish(&arena);
	pv_buf_init(&value, TEXT_MAX);
	if (!number) {
		pv_buf_append_text(&value,
		    "of no kind by its address; a link with as may give it "
		    "one");
		write_line(&explaining->text, "kind", pv_buf_str(&value), NULL);
	} else {
		const struct pv_page_kind *kind = &pages->items[number - 1];
		pv_buf_append_format(&value, "%s%s", kind->name,
		    !kind->has_follow     ? ""
		    : !kind->follow_count ? ": no link on it leads to a page"
					  : ": only what its follow finds "
					    "leads to pages");
		write_line(&explaining->text, "kind", pv_buf_str(&value),
		    &kind->origin);
	}
	pv_buf_finish(&value);
}

/* Limits, what is known, the clocks: each is printed, even after one that says
 * no. */
static bool explain_time(struct explaining *explaining,
    struct pv_explanation *explanation, bool is_ours)
{
	struct pv_buf reasons;
	pv_buf_init(&reasons, TEXT_MAX);
	bool is_known_open = pv_explanation_known(explanation, &reasons);
	bool is_open = is_known_open && is_ours;
	if (is_open)
		is_open = pv_explanation_limits(explanation, &reasons);
	if (is_open)
		is_open = pv_explain_clocks_tell(
		    explanation, &explaining->until_wall_ms, &reasons);
	if (is_ours && !is_open)
		pv_buf_append(&explaining->reason, pv_buf_str(&reasons));
	pv_buf_finish(&reasons);
	return is_open;
}

static bool explain_further(struct explaining *explaining, bool is_ours)
{
	struct pavane_explainer *explainer = explaining->explainer;
	struct pv_access access = {.matcher = NULL};
	struct pv_explanation explanation;
	pv_explanation_init(&explanation, explaining->policy, &explaining->url,
	    explaining->now);
	const struct pv_access_sources sources = {
	    .policy = explaining->policy,
	    .file_name = explainer->options.robots,
	    .file = pv_buf_str(&explainer->robots),
	    .is_file_cut = explainer->is_robots_cut,
	    .known = explainer->look ? &explaining->known : NULL,
	    .inquiry = explainer->inquiry,
	    .wall_ms = explanation.now.wall_ms,
	    .on_line = on_line,
	    .ctx = &explaining->text,
	};
	if (is_ours)
		is_ours = pv_access_tell(
		    &access, &sources, &explaining->url, &explaining->reason);
	explanation.manners = &explaining->manners;
	explanation.matcher = access.matcher;
	explanation.known = sources.known;
	explanation.on_line = on_line;
	explanation.ctx = &explaining->text;
	if (is_ours) {
		explain_meta(explaining);
		explain_kind(explaining);
	}
	is_ours = explain_time(explaining, &explanation, is_ours);
	pv_explanation_finish(&explanation);
	pv_access_finish(&access);
	return is_ours;
}

static void tell_end(struct explaining *explaining, bool is_ours)
{
	struct pv_buf *text = &explaining->text;
	struct pv_explanation explanation;
	if (!is_ours) {
		pv_buf_append_text(text, "  it would not be fetched: ");
		pv_visible_append(text, pv_buf_str(&explaining->reason));
		pv_buf_append_char(text, '\n');
		return;
	}
	pv_buf_append_text(text, "  it would be fetched");
	if (explaining->until_wall_ms == INT64_MAX) {
		pv_buf_append_text(text, ", after `pavane resume`");
	} else if (explaining->until_wall_ms) {
		pv_explanation_init(&explanation, explaining->policy,
		    &explaining->url, explaining->now);
		pv_buf_append_text(text, ", not before ");
		pv_explanation_write_time(
		    &explanation, explaining->until_wall_ms, text);
		pv_explanation_finish(&explanation);
	}
	pv_buf_append_char(text, '\n');
}

static bool explain(struct explaining *explaining)
{
	struct pv_buf *text = &explaining->text;
	pv_policy_manners(explaining->policy, pv_url_host(&explaining->url),
	    pv_url_address(&explaining->url), &explaining->manners);
	pv_visible_append(text, pv_url_page(&explaining->url));
	pv_buf_append_char(text, '\n');
	pv_explain_same_tell(&(struct pv_explain_same){
	    .given = pv_buf_str(&explaining->given),
	    .changes = explaining->changes,
	    .manners = &explaining->manners,
	    .on_line = on_line,
	    .ctx = text,
	});
	bool is_ours = explain_scope(explaining);
	is_ours = explain_further(explaining, is_ours);
	if (is_ours)
		explain_manners(explaining);
	tell_end(explaining, is_ours);
	return is_ours;
}

/* Addresses */

static void take_identity(struct explaining *explaining)
{
	pv_buf_append(&explaining->given, pv_url_page(&explaining->url));
	explaining->changes = pv_crawl_identity_apply(
	    &explaining->explainer->sameness.identity, &explaining->url);
}

/* False, with the reason given to on_line, if the crawl's state cannot be
 * read. */
static bool look(struct explaining *explaining)
{
	struct pavane_explainer *explainer = explaining->explainer;
	struct pv_why why;
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

enum pavane_answer pavane_explain(struct pavane_explainer *explainer,
    const char *address, pavane_write_fn write, void *ctx)
{
	struct explaining explaining = {
	    .explainer = explainer,
	    .policy = explainer->policy,
	    .now = pv_time_now(),
	};
	enum pavane_answer answer = PAVANE_WRONG;
	pv_url_init(&explaining.url, ADDRESS_MAX);
	pv_buf_init(&explaining.given, ADDRESS_MAX);
	pv_buf_init(&explaining.text, TEXT_MAX);
	pv_buf_init(&explaining.reason, TEXT_MAX);
	pv_state_view_answer_init(&explaining.known);
	if (pv_url_parse(&explaining.url, pv_str_of(address)) == PV_URL_OK) {
		take_identity(&explaining);
		answer = !look(&explaining)     ? PAVANE_UNREADABLE
			 : explain(&explaining) ? PAVANE_YES
						: PAVANE_NO;
	}
	if (explaining.text.len)
		write(ctx, pv_buf_text(&explaining.text), explaining.text.len);
	pv_state_view_answer_finish(&explaining.known);
	pv_buf_finish(&explaining.reason);
	pv_buf_finish(&explaining.text);
	pv_buf_finish(&explaining.given);
	pv_url_finish(&explaining.url);
	return answer;
}

/* The text of robots.txt, where a file is named. */
static bool read_robots(struct pavane_explainer *explainer, struct pv_why *why)
{
	const char *path = explainer->options.robots;
	if (!path)
		return true;
	enum pv_file_read read = pv_file_read(path, &explainer->robots);
	explainer->is_robots_cut = read == PV_FILE_TOO_LARGE;
	if (read != PV_FILE_FAILED)
		return true;
	pv_why_add(why, (struct pv_place){.file = path}, PV_STR(""),
	    "cannot be read: %s", pv_file_fault(errno));
	return false;
}

static bool open_sources(struct pavane_explainer *explainer, struct pv_why *why)
{
	const struct pavane_explain_options *options = &explainer->options;
	if (!read_robots(explainer, why))
		return false;
	if (options->directory) {
		explainer->look = pv_state_view_open(options->directory, why);
		return explainer->look != NULL;
	}
	if (options->is_asking && !options->robots) {
		explainer->inquiry = pv_inquiry_create(
		    explainer->policy, &pv_real_environment, why);
		return explainer->inquiry != NULL;
	}
	return true;
}

/* The policy that the crawl in the directory goes by. */
static bool lay_over(struct pavane_explainer *explainer, struct pv_why *why)
{
	const char *directory = explainer->options.directory;
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
	pv_sameness_init(&explainer->sameness, explainer->policy);
	explainer->overlay = NULL;
	pv_buf_init(&explainer->robots, PV_ROBOTS_CEILINGS.bytes);
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
	pv_inquiry_destroy(explainer->inquiry);
	pv_buf_finish(&explainer->robots);
	pv_sameness_finish(&explainer->sameness);
	pv_overlay_destroy(explainer->overlay);
	free(explainer);
}
