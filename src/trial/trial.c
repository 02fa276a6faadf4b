#include "trial/trial.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/map.h"
#include "fields/extract.h"
#include "fields/finds.h"
#include "http/media_type.h"
#include "parse/bare_page.h"
#include "parse/joiner.h"
#include "parse/rel.h"
#include "policy/identity.h"
#include "policy/seeds.h"
#include "reading/page_text.h"
#include "reading/x_robots.h"
#include "trial/near.h"

#define LINKS_MAX 100000
#define NEAR_MAX ((size_t)4096)

/* While a page is tried. */
struct trying {
	struct pv_trial *trial;
	const struct pv_policy *policy;
	const struct pv_trial_page *page;
	struct pv_links links; /* all that stand in it */
	struct pv_joiner joiner;
	struct pv_page_text text;
	struct pv_row_page row_page;
	struct pv_url url; /* of a link */
	struct pv_map followed;
};

/* The page's text */

static struct pv_str header_of(
    const struct pv_trial_page *page, struct pv_str name)
{
	return page->headers ? pv_headers_get(page->headers, name)
			     : (struct pv_str){NULL, 0};
}

/* What is no markup is not read for links. */
static bool is_json(struct pv_str body)
{
	struct pv_str text = pv_str_trim(body);
	return text.len && (text.ptr[0] == '{' || text.ptr[0] == '[');
}

static struct pv_page_facts facts_of(const struct trying *trying)
{
	struct pv_str given = header_of(trying->page, PV_STR("Content-Type"));
	struct pv_media_type type;
	struct pv_page_facts facts = {
	    .charset = PV_STR(""),
	    .product = pv_identity_product(&trying->policy->identity),
	};
	if (!given.ptr)
		return facts;
	facts.charset = pv_charset_label(given);
	facts.is_xml = pv_media_type_read(given, &type) &&
		       pv_media_type_is(&type, PV_STR("application/xhtml+xml"));
	return facts;
}

/* In UTF-8; its links, and how it writes addresses, are known then. */
static void read_text(struct trying *trying)
{
	const struct pv_trial_page *page = trying->page;
	struct pv_page_facts facts = facts_of(trying);
	struct pv_str body = page->body;
	const struct pv_encoding *encoding = pv_encoding_find(facts.charset);
	if (!is_json(body)) {
		pv_links_read(&trying->links, body, &facts);
		pv_joiner_turn(&trying->joiner, &trying->links, page->url);
		encoding = trying->links.charset.encoding;
	} else if (!encoding) {
		encoding = pv_encoding_find(PV_STR("utf-8"));
	}
	pv_page_text_read(&trying->text, encoding, body);
}

/* Links */

/* As reading/links.c closes a page: what its headers say comes first. */
static enum pv_reason closed_by(const struct trying *trying)
{
	struct pv_robots_words words;
	bool is_closed = false;
	if (!trying->policy->robots.meta)
		return PV_REASON_NONE;
	pv_robots_words_init(&words);
	if (trying->page->headers)
		pv_x_robots_read(trying->page->headers,
		    pv_identity_product(&trying->policy->identity), &words);
	is_closed = pv_robots_words_has(&words, PV_WORD_NOFOLLOW);
	pv_robots_words_finish(&words);
	if (is_closed)
		return PV_REASON_X_ROBOTS;
	return pv_robots_words_has(&trying->links.robots, PV_WORD_NOFOLLOW)
		   ? PV_REASON_META_ROBOTS
		   : PV_REASON_NONE;
}

static enum pv_reason refused_by(
    const struct trying *trying, const struct pv_followed *link)
{
	bool is_nofollow = trying->policy->robots.nofollow &&
			   pv_rel_read(link->rel).is_nofollow;
	return trying->trial->closed ? trying->trial->closed
	       : is_nofollow         ? PV_REASON_NOFOLLOW
				     : PV_REASON_NONE;
}

/* Each address once: as it is followed, if any link to it is. */
static void add_link(struct trying *trying, const struct pv_trial_link *link)
{
	struct pv_trial *trial = trying->trial;
	const uint32_t *place = pv_map_get(&trying->followed, link->url);
	if (place && trial->links[*place].refused) {
		trial->links[*place] = *link;
	} else if (!place) {
		pv_map_add(
		    &trying->followed, link->url, (uint32_t)trial->link_count);
		*PV_ARRAY_PUSH(
		    trial->links, trial->link_count, trial->link_size) = *link;
	}
}

static void on_link(void *ctx, const struct pv_followed *link)
{
	struct trying *trying = ctx;
	struct pv_trial *trial = trying->trial;
	struct pv_arena *arena = &trial->rows.arena;
	const struct pv_page_kind *kind = trying->page->kind;
	struct pv_encoder *encoder = trying->row_page.encoder;
	if (pv_url_join(&trying->url, pv_row_page_base(&trying->row_page),
		link->text, encoder) != PV_URL_OK)
		return;
	struct pv_trial_link found = {
	    .url = pv_arena_copy(arena, pv_url_page(&trying->url)),
	    .as = "",
	    .carry = pv_arena_copy(arena, link->carry),
	    .refused = refused_by(trying, link),
	};
	for (size_t i = 0; i < kind->follow_count; i++) {
		if (kind->follow[i].kind == link->kind)
			found.as = kind->follow[i].as;
	}
	add_link(trying, &found);
}

/* Those to other pages, each once. */
static void count_others(struct trying *trying)
{
	struct pv_trial *trial = trying->trial;
	for (size_t i = 0; i < trying->links.count; i++) {
		const struct pv_page_link *link = &trying->links.items[i];
		if (!link->is_page || pv_joiner_join(&trying->joiner,
					  &trying->url, link) != PV_URL_OK)
			continue;
		struct pv_str url = pv_url_page(&trying->url);
		if (pv_map_get(&trying->followed, url))
			continue;
		pv_map_add(&trying->followed,
		    pv_arena_copy(&trial->rows.arena, url), 0);
		trial->other_links++;
	}
}

/* Problems */

static bool is_same(
    const struct pv_trial_problem *problem, const char *field, const char *why)
{
	bool has_field = problem->field && field;
	return problem->why == why &&
	       (has_field ? strcmp(problem->field, field) == 0
			  : problem->field == field);
}

/* The problem that is told already; NULL if it is new. */
static struct pv_trial_problem *find_problem(
    const struct pv_trial *trial, const struct pv_field_problem *problem)
{
	const char *why = pv_field_fault_word(problem->fault);
	for (size_t i = 0; i < trial->problem_count; i++) {
		if (is_same(&trial->problems[i], problem->field, why))
			return &trial->problems[i];
	}
	return NULL;
}

static void add_problem(struct pv_trial *trial,
    const struct pv_field_problem *problem, const struct pv_buf *near)
{
	const struct pv_trial_problem added = {
	    .field = problem->field,
	    .why = pv_field_fault_word(problem->fault),
	    .near = pv_arena_copy(&trial->rows.arena, pv_buf_str(near)),
	    .is_required = problem->is_required,
	    .count = 1,
	};
	*PV_ARRAY_PUSH(
	    trial->problems, trial->problem_count, trial->problem_size) = added;
}

static void tell_fields(struct trying *trying, struct pv_buf *near)
{
	struct pv_trial *trial = trying->trial;
	for (size_t i = 0; i < trial->rows.problem_count; i++) {
		const struct pv_field_problem *problem =
		    &trial->rows.problems[i];
		struct pv_trial_problem *known = find_problem(trial, problem);
		if (known) {
			known->count++;
			continue;
		}
		pv_buf_clear(near);
		pv_near_write(&trying->row_page, problem, near);
		add_problem(trial, problem, near);
	}
}

/* Of a source beside the fields, which finds nothing anywhere on the page. */
static void tell_source(struct trying *trying, const struct pv_source *source,
    const char *name, struct pv_buf *near)
{
	struct pv_trial *trial = trying->trial;
	struct pv_row_page *page = &trying->row_page;
	const struct pv_field_problem problem = {
	    .field = name, .fault = PV_FIELD_NOTHING};
	struct pv_arena arena;
	struct pv_finds finds;
	pv_arena_init(&arena);
	pv_finds_init(&finds, page->ceilings.rows);
	page->budget.steps = PV_TREE_STEPS;
	pv_finds_read(&finds, page, source, NULL, &arena);
	if (!finds.count && !finds.has_given_up) {
		pv_buf_clear(near);
		pv_near_write_source(page, source, NULL, near);
		add_problem(trial, &problem, near);
	}
	pv_finds_finish(&finds);
	pv_arena_finish(&arena);
}

static void tell_problems(struct trying *trying)
{
	const struct pv_page_kind *kind = trying->page->kind;
	struct pv_buf near;
	pv_buf_init(&near, NEAR_MAX);
	if (kind->has_each)
		tell_source(trying, &kind->each, "each", &near);
	tell_fields(trying, &near);
	for (size_t i = 0; i < kind->follow_count; i++)
		tell_source(trying, &kind->follow[i].source,
		    pv_arena_format(&trying->trial->rows.arena, "follow.%s",
			kind->follow[i].as),
		    &near);
	pv_buf_finish(&near);
}

/* Trying */

static void begin(struct trying *trying, const struct pv_field_readers *readers)
{
	const struct pv_policy *policy = trying->policy;
	pv_page_text_init(&trying->text, policy);
	pv_links_init(&trying->links, LINKS_MAX, trying->text.decoded.ceiling);
	pv_joiner_init(&trying->joiner, PV_SEED_ADDRESS_MAX);
	pv_url_init(&trying->url, PV_SEED_ADDRESS_MAX);
	pv_map_init(&trying->followed, (struct pv_hash_key){{0}});
	read_text(trying);
	trying->row_page = (struct pv_row_page){
	    .kind = trying->page->kind,
	    .readers = readers,
	    .url = trying->page->url,
	    .headers = trying->page->headers,
	    .text = trying->text.text,
	    .encoder =
		is_json(trying->page->body) ? NULL : &trying->joiner.encoder,
	    .carry = trying->page->carry,
	    .ceilings = pv_field_ceilings_of(policy),
	    .is_cut = trying->text.is_cut,
	};
	pv_row_page_begin(&trying->row_page);
}

static void end(struct trying *trying)
{
	pv_row_page_end(&trying->row_page);
	pv_map_finish(&trying->followed);
	pv_url_finish(&trying->url);
	pv_page_text_finish(&trying->text);
	pv_joiner_finish(&trying->joiner);
	pv_links_finish(&trying->links);
}

void pv_trial_run(struct pv_trial *trial, const struct pv_policy *policy,
    const struct pv_trial_page *page)
{
	struct pv_field_readers readers;
	struct trying trying = {.trial = trial, .policy = policy, .page = page};
	*trial = (struct pv_trial){.page = page};
	pv_rows_init(&trial->rows);
	pv_field_readers_init(&readers, &policy->pages, getenv("TZ"));
	begin(&trying, &readers);
	trial->closed = closed_by(&trying);
	trial->is_bare =
	    !is_json(page->body) && pv_page_is_bare(trying.row_page.text);
	pv_rows_extract(&trying.row_page, &trial->rows);
	pv_links_follow(&trying.row_page, &trial->rows, on_link, &trying);
	tell_problems(&trying);
	if (page->kind->follow_count)
		count_others(&trying);
	end(&trying);
	pv_field_readers_finish(&readers);
}

void pv_trial_finish(struct pv_trial *trial)
{
	free(trial->links);
	free(trial->problems);
	pv_rows_finish(&trial->rows);
}

bool pv_trial_lacks(const struct pv_trial *trial)
{
	for (size_t i = 0; i < trial->problem_count; i++) {
		if (trial->problems[i].is_required)
			return true;
	}
	return false;
}
