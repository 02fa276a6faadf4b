#include "api/look/explaining.h"

#include <stdlib.h>
#include <string.h>

#include "explain/access.h"
#include "explain/clocks.h"
#include "explain/explanation.h"
#include "explain/owner.h"
#include "policy/option.h"
#include "policy/secrets/shown.h"
#include "scope/page_kind.h"

/* Would an address be fetched, when, and if not, why not: step by step. */

#define ADDRESS_MAX ((size_t)65536)
#define TEXT_MAX ((size_t)1 << 20)

/* Lines */

static void add_line(struct pv_explaining *explaining, const char *key,
    struct pv_str sentence, const struct pv_origin *origin)
{
	pv_explained_add(explaining->explained, key, sentence, origin);
}

static void on_line(const struct pv_scope_line *line, void *ctx)
{
	struct pv_explaining *explaining = ctx;
	add_line(explaining, line->key, line->text, &line->origin);
	if (line->finding == PV_SCOPE_REFUSED) {
		explaining->step = line->key;
		explaining->decided = explaining->explained->count;
	}
}

/* Scope */

static bool is_same_seed(const struct pv_explaining *explaining,
    const struct pv_seed *item, struct pv_url *seed)
{
	if (item->kind != PV_SEED_PAGE || item->address.count != 1 ||
	    pv_url_parse(seed, pv_str_of(item->text)) != PV_URL_OK)
		return false;
	pv_crawl_identity_apply(&explaining->sources->sameness.identity, seed);
	return pv_str_equal(pv_url_page(seed), pv_url_page(&explaining->url));
}

static bool is_seed(const struct pv_explaining *explaining)
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

/* Where no links are followed, whatever is no redirect's target was, or would be,
 * asked for by itself, as a seed is. */
static bool is_single(const struct pv_explaining *explaining)
{
	const struct pv_state_view_answer *known = &explaining->known;
	return explaining->sources->has_crawl && known->follows_no_links &&
	       !(known->is_known && known->via.len);
}

/* As what the address is judged: as the crawl found it, or as a page that a
 * seed links to, or as the seed. */
static struct pv_scope_link link_of(const struct pv_explaining *explaining)
{
	const struct pv_state_view_answer *known = &explaining->known;
	bool is_start = is_seed(explaining) || is_single(explaining);
	struct pv_scope_link link = {
	    .url = &explaining->url,
	    .kind = PV_LINK_PAGE,
	    .is_seed = is_start,
	    .depth = is_start ? 0 : 1,
	    .wall_ms = explaining->now.wall_ms,
	};
	bool is_from_shard = known->shard.count && known->address.depth;
	if (is_start || !known->is_known || (!known->via.len && !is_from_shard))
		return link;
	link.depth = known->address.depth;
	if (known->address.use == PV_RESOURCE)
		link.kind = PV_LINK_RESOURCE;
	return link;
}

static void tell_link(
    struct pv_explaining *explaining, const struct pv_scope_link *link)
{
	struct pv_buf text;
	pv_buf_init(&text, TEXT_MAX);
	if (link->is_seed)
		pv_buf_append_text(&text,
		    is_single(explaining) ? "an address that is asked for by "
					    "itself, as a seed is"
					  : "a seed");
	else if (link->kind == PV_LINK_RESOURCE)
		pv_buf_append_text(&text, "a resource of a page");
	else if (link->depth == 1)
		pv_buf_append_text(&text, "a page that a seed links to");
	else
		pv_buf_append_format(&text, "a page %u links from a seed",
		    (unsigned)link->depth);
	add_line(explaining, "judged as", pv_buf_str(&text), NULL);
	pv_buf_finish(&text);
}

static bool explain_scope(struct pv_explaining *explaining)
{
	struct pv_scope *scope = pv_scope_create(explaining->policy);
	struct pv_scope_link link = link_of(explaining);
	pv_scope_add_seeds(scope);
	tell_link(explaining, &link);
	struct pv_scope_verdict verdict =
	    pv_scope_explain(scope, &link, on_line, explaining);
	bool is_admitted = pv_scope_is_admitted(&verdict);
	if (!is_admitted) {
		explaining->verdict =
		    (struct pv_verdict){verdict.reason, verdict.number};
		pv_scope_verdict_write(&verdict, &explaining->reason);
	}
	pv_scope_destroy(scope);
	return is_admitted;
}

/* Whose it is of a crawl that is divided; before its host would be asked for its
 * robots.txt, which is the other shard's business. */
static bool explain_shard(struct pv_explaining *explaining)
{
	const struct pv_shard *shard = explaining->sources->has_crawl
					   ? &explaining->known.shard
					   : &explaining->sources->shard;
	struct pv_buf text;
	if (!shard->count)
		return true;
	uint32_t number = pv_shard_of(
	    explaining->policy, shard->count, pv_url_host(&explaining->url));
	bool is_ours = number == shard->number;
	pv_buf_init(&text, TEXT_MAX);
	pv_buf_append_format(&text, "the clock %.*s belongs to shard %u of %u",
	    PV_STR_ARG(explaining->manners.clock), (unsigned)number,
	    (unsigned)shard->count);
	if (!is_ours)
		pv_buf_append_format(
		    &text, ", and this is %u", (unsigned)shard->number);
	add_line(explaining, "shard", pv_buf_str(&text), NULL);
	pv_buf_finish(&text);
	if (!is_ours) {
		explaining->step = "shard";
		explaining->verdict =
		    (struct pv_verdict){PV_REASON_SHARD, number};
		pv_buf_append_format(&explaining->reason,
		    "this is for shard %u of %u", (unsigned)number,
		    (unsigned)shard->count);
	}
	return is_ours;
}

/* When: the manners towards its host, each key that somebody wrote, and the
 * delay in any case. */
static void explain_manners(struct pv_explaining *explaining)
{
	struct pv_buf value;
	pv_buf_init(&value, TEXT_MAX);
	for (size_t i = 0; i < pv_names_of_policy.count; i++) {
		const struct pv_option *option = &pv_names_of_policy.options[i];
		const char *domain;
		if (!(option->flags & PV_IN_DOMAIN))
			continue;
		struct pv_origin origin = pv_host_manners_origin(
		    &explaining->manners, option->path, &domain);
		bool is_delay = strcmp(option->path, "politeness.delay") == 0;
		if (!domain && !origin.place.file && !is_delay)
			continue;
		pv_buf_clear(&value);
		pv_buf_append_format(&value,
		    "%s: ", pv_option_name(option, &pv_names_of_domain));
		pv_shown_write(option,
		    (const char *)&explaining->manners.manners +
			option->offset - offsetof(struct pv_policy, manners),
		    &value);
		if (domain)
			pv_buf_append_format(&value, ", for %s", domain);
		add_line(explaining, is_delay ? "its host" : "",
		    pv_buf_str(&value), &origin);
	}
	pv_buf_finish(&value);
}

static void explain_meta(struct pv_explaining *explaining)
{
	const struct pv_policy *policy = explaining->policy;
	const struct pv_option *option =
	    pv_option_get(PV_STR("robots.meta"), &pv_names_of_policy);
	add_line(explaining, "meta",
	    policy->robots.meta
		? PV_STR("its links are followed, unless its meta robots or "
			 "X-Robots-Tag forbids it")
		: PV_STR("its links are followed, even if its meta robots or "
			 "X-Robots-Tag forbids it"),
	    &policy->origins[option - pv_names_of_policy.options]);
}

/* Its kind of page, by its address: a link may make it an earlier one. */
static void explain_kind(struct pv_explaining *explaining)
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
		add_line(explaining, "kind", pv_buf_str(&value), NULL);
	} else {
		const struct pv_page_kind *kind = &pages->items[number - 1];
		pv_buf_append_format(&value, "%s%s", kind->name,
		    !kind->has_follow     ? ""
		    : !kind->follow_count ? ": no link on it leads to a page"
					  : ": only what its follow finds "
					    "leads to pages");
		add_line(explaining, "kind", pv_buf_str(&value), &kind->origin);
	}
	pv_buf_finish(&value);
}

/* That of the crawl, where it is what refuses the address. */
static struct pv_verdict verdict_of(const struct pv_state_view_answer *known)
{
	if (known->is_known && known->address.state == PV_STATE_REFUSED)
		return known->address.verdict;
	if (known->is_known && known->address.state == PV_STATE_DONE)
		return (struct pv_verdict){PV_REASON_NONE, 0};
	return (struct pv_verdict){
	    (enum pv_reason)known->host.state.left_reason, 0};
}

/* Limits, what is known, the clocks: each is printed, even after one that says
 * no. */
static bool explain_time(struct pv_explaining *explaining,
    struct pv_explanation *explanation, bool is_ours)
{
	struct pv_buf reasons;
	pv_buf_init(&reasons, TEXT_MAX);
	bool is_known_open = pv_explanation_known(explanation, &reasons);
	if (explanation->known)
		pv_explain_owner_tell(explanation, is_ours);
	bool is_open = is_known_open && is_ours;
	const char *step = "crawl";
	if (is_ours && !is_open)
		explaining->verdict = verdict_of(explanation->known);
	if (is_open) {
		step = "limits";
		is_open = pv_explanation_limits(explanation, &reasons);
	}
	if (is_open) {
		step = "clocks";
		is_open = pv_explain_clocks_tell(
		    explanation, &explaining->until_wall_ms, &reasons);
	}
	if (is_ours && !is_open) {
		explaining->step = step;
		pv_buf_append(&explaining->reason, pv_buf_str(&reasons));
	}
	pv_buf_finish(&reasons);
	return is_open;
}

static bool explain_further(struct pv_explaining *explaining, bool is_ours)
{
	const struct pv_explaining_sources *from = explaining->sources;
	struct pv_access access = {.matcher = NULL};
	struct pv_explanation explanation;
	pv_explanation_init(&explanation, explaining->policy, &explaining->url,
	    explaining->now);
	const struct pv_access_sources sources = {
	    .policy = explaining->policy,
	    .file_name = from->robots_name,
	    .file = pv_buf_str(&from->robots),
	    .is_file_cut = from->is_robots_cut,
	    .known = from->has_crawl ? &explaining->known : NULL,
	    .inquiry = from->inquiry,
	    .wall_ms = explanation.now.wall_ms,
	    .on_line = on_line,
	    .ctx = explaining,
	};
	if (is_ours) {
		explaining->step = "robots";
		is_ours = pv_access_tell(
		    &access, &sources, &explaining->url, &explaining->reason);
		explaining->verdict = access.verdict;
	}
	explanation.manners = &explaining->manners;
	explanation.matcher = access.matcher;
	explanation.known = sources.known;
	explanation.on_line = on_line;
	explanation.ctx = explaining;
	if (is_ours) {
		explain_meta(explaining);
		explain_kind(explaining);
	}
	is_ours = explain_time(explaining, &explanation, is_ours);
	pv_explanation_finish(&explanation);
	pv_access_finish(&access);
	return is_ours;
}

/* When it would be fetched, to follow those words. */
static void write_when(const struct pv_explaining *explaining,
    const struct pv_url *url, struct pv_buf *when)
{
	struct pv_explanation explanation;
	if (explaining->until_wall_ms == INT64_MAX) {
		pv_buf_append_text(when,
		    explaining->known.pause.until_wall_ms == INT64_MAX
			? explaining->known.fleet.is_there
			      ? ", after `pavane resume --fleet`"
			      : ", after `pavane resume`"
			: ", after the program that runs the crawl resumes "
			  "its host");
	} else if (explaining->until_wall_ms) {
		pv_explanation_init(
		    &explanation, explaining->policy, url, explaining->now);
		pv_buf_append_text(when, ", not before ");
		pv_explanation_write_time(
		    &explanation, explaining->until_wall_ms, when);
		pv_explanation_finish(&explanation);
	}
}

static void tell_end(struct pv_explaining *explaining, bool is_ours,
    struct pavane_explanation *explanation)
{
	struct pv_explained *explained = explaining->explained;
	struct pv_buf when;
	pv_buf_init(&when, TEXT_MAX);
	if (is_ours)
		write_when(explaining, &explaining->url, &when);
	*explanation = (struct pavane_explanation){
	    .address =
		pv_explained_text(explained, pv_url_page(&explaining->url)),
	    .is_fetched = is_ours,
	    .step = is_ours ? "" : explaining->step,
	    .reason = pv_explained_text(explained,
		is_ours ? PV_STR("") : pv_buf_str(&explaining->reason)),
	    .when = pv_arena_text(&explained->texts, pv_buf_str(&when)),
	    .not_before_ms = is_ours ? explaining->until_wall_ms : 0,
	    .lines = explained->lines,
	    .line_count = explained->count,
	    .word = "",
	};
	if (!is_ours && explaining->decided)
		explanation->decided =
		    &explained->lines[explaining->decided - 1];
	if (!is_ours && explaining->verdict.reason != PV_REASON_NONE) {
		explanation->word = pv_reason_word(explaining->verdict.reason);
		explanation->number = explaining->verdict.line;
	}
	pv_buf_finish(&when);
}

void pv_explaining_explain(
    struct pv_explaining *explaining, struct pavane_explanation *explanation)
{
	explaining->step = "";
	pv_policy_manners(explaining->policy, pv_url_host(&explaining->url),
	    pv_url_address(&explaining->url), &explaining->manners);
	pv_explain_same_tell(&(struct pv_explain_same){
	    .given = pv_buf_str(&explaining->given),
	    .changes = explaining->changes,
	    .manners = &explaining->manners,
	    .on_line = on_line,
	    .ctx = explaining,
	});
	bool is_ours = explain_scope(explaining) && explain_shard(explaining);
	is_ours = explain_further(explaining, is_ours);
	if (is_ours)
		explain_manners(explaining);
	tell_end(explaining, is_ours, explanation);
}
