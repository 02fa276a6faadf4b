#include <errno.h>
#include <string.h>

#include "api/policy_object.h"
#include "base/file.h"
#include "base/visible.h"
#include "pavane/pavane.h"
#include "policy/identity.h"
#include "policy/option.h"
#include "policy/units.h"
#include "robots/matcher.h"
#include "scope/explain.h"
#include "url/crawl_identity.h"

/* Would an address be fetched, when, and if not, why not: step by step. */

#define ADDRESS_MAX ((size_t)65536)
#define TEXT_MAX ((size_t)1 << 20)
#define KEY_WIDTH 14

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

static void on_scope_line(const struct pv_scope_line *line, void *ctx)
{
	write_line(ctx, line->key, line->text, &line->origin);
}

static bool is_seed(const struct pv_policy *policy, const struct pv_url *url)
{
	struct pv_url seed;
	bool is_found = false;
	pv_url_init(&seed, ADDRESS_MAX);
	for (size_t i = 0; i < policy->seeds.count && !is_found; i++) {
		const struct pv_seed *item = &policy->seeds.items[i];
		is_found =
		    item->kind == PV_SEED_PAGE && item->address.count == 1 &&
		    pv_url_parse(&seed, pv_str_of(item->text)) == PV_URL_OK &&
		    pv_str_equal(pv_url_page(&seed), pv_url_page(url));
	}
	pv_url_finish(&seed);
	return is_found;
}

/* Scope: the address as a page that a seed links to, or as the seed. */
static bool explain_scope(const struct pv_policy *policy,
    const struct pv_url *url, struct pv_buf *text, struct pv_buf *reason)
{
	struct pv_scope *scope = pv_scope_create(policy);
	bool is_start = is_seed(policy, url);
	struct pv_scope_link link = {
	    .url = url,
	    .kind = PV_LINK_PAGE,
	    .is_seed = is_start,
	    .depth = is_start ? 0 : 1,
	};
	pv_scope_add_seeds(scope);
	write_line(text, "taken as",
	    is_start ? PV_STR("a seed") : PV_STR("a page that a seed links to"),
	    NULL);
	struct pv_scope_verdict verdict =
	    pv_scope_explain(scope, &link, on_scope_line, text);
	pv_scope_verdict_write(&verdict, reason);
	pv_scope_destroy(scope);
	return pv_scope_is_admitted(&verdict);
}

/* A robots.txt out of a file; what is beyond the ceiling is missing. */
struct robots_file {
	struct pv_buf text;
	bool is_cut;
};

static bool explain_robots(const struct pv_policy *policy,
    const struct robots_file *file, const struct pv_url *url,
    struct pv_buf *text)
{
	struct pv_robots_ceilings ceilings = PV_ROBOTS_CEILINGS;
	struct pv_robots *robots = pv_robots_create(
	    pv_buf_str(&file->text), file->is_cut, &ceilings, NULL);
	struct pv_robots_matcher *matcher = pv_robots_matcher_create(
	    robots, pv_identity_product(&policy->identity));
	struct pv_robots_decision decision =
	    pv_robots_decide(matcher, pv_url_target(url));
	int64_t delay_ms = pv_robots_delay_ms(matcher);
	struct pv_buf line;
	pv_buf_init(&line, TEXT_MAX);
	pv_buf_append_text(&line, decision.is_allowed ? "allows" : "forbids");
	if (decision.number) {
		pv_buf_append_format(
		    &line, " it by line %u: ", decision.number);
		pv_buf_append(&line, decision.line);
	} else {
		pv_buf_append_text(&line, " it: no line is about it");
	}
	write_line(text, "robots.txt", pv_buf_str(&line), NULL);
	pv_buf_clear(&line);
	pv_buf_append_text(&line, "asks for ");
	pv_unit_write(PV_UNIT_TIME, delay_ms, &line);
	pv_buf_append_text(&line, " between requests");
	if (delay_ms)
		write_line(text, "robots.txt", pv_buf_str(&line), NULL);
	pv_buf_finish(&line);
	pv_robots_matcher_destroy(matcher);
	pv_robots_destroy(robots);
	return decision.is_allowed;
}

/* When: the manners towards its host, each key that somebody wrote, and the
 * delay in any case. */
static void explain_manners(const struct pv_policy *policy,
    const struct pv_url *url, struct pv_buf *text)
{
	struct pv_host_manners answer;
	struct pv_buf value;
	pv_buf_init(&value, TEXT_MAX);
	pv_policy_manners(
	    policy, pv_url_host(url), pv_url_address(url), &answer);
	for (size_t i = 0; i < pv_option_count; i++) {
		const struct pv_option *option = &pv_options[i];
		const char *domain;
		if (!(option->flags & PV_IN_DOMAIN))
			continue;
		struct pv_origin origin =
		    pv_host_manners_origin(&answer, option->path, &domain);
		bool is_delay = strcmp(option->path, "politeness.delay") == 0;
		if (!domain && !origin.place.file && !is_delay)
			continue;
		pv_buf_clear(&value);
		pv_buf_append_format(
		    &value, "%s: ", pv_option_name(option, PV_NAMES_OF_DOMAIN));
		option->kind->write(option,
		    (const char *)&answer.manners + option->offset -
			offsetof(struct pv_policy, manners),
		    &value);
		if (domain)
			pv_buf_append_format(&value, ", for %s", domain);
		write_line(text, is_delay ? "its host" : "", pv_buf_str(&value),
		    &origin);
	}
	pv_buf_finish(&value);
}

/* Whether robots.txt, as far as it is known, lets us ask. */
static bool explain_access(const struct pv_policy *policy,
    const struct pv_url *url, const struct robots_file *robots,
    struct pv_buf *text)
{
	struct pv_host_manners manners;
	pv_policy_manners(
	    policy, pv_url_host(url), pv_url_address(url), &manners);
	if (manners.manners.robots != PV_ROBOTS_IGNORE && robots)
		return explain_robots(policy, robots, url, text);
	bool is_ignored = manners.manners.robots == PV_ROBOTS_IGNORE;
	write_line(text, "robots.txt",
	    is_ignored ? PV_STR("is left aside for this host")
		       : PV_STR("is asked first, and must allow it"),
	    NULL);
	return true;
}

static void take_identity(const struct pv_policy *policy, struct pv_url *url)
{
	struct pv_crawl_identity identity;
	pv_crawl_identity_init(&identity, policy->scope.strip_query.items,
	    policy->scope.strip_query.count);
	pv_crawl_identity_apply(&identity, url);
	pv_crawl_identity_finish(&identity);
}

static enum pavane_answer explain(const struct pv_policy *policy,
    struct pv_url *url, const struct robots_file *robots, struct pv_buf *text)
{
	struct pv_buf reason;
	pv_buf_init(&reason, TEXT_MAX);
	take_identity(policy, url);
	pv_visible_append(text, pv_url_page(url));
	pv_buf_append_char(text, '\n');
	bool is_ours = explain_scope(policy, url, text, &reason);
	if (is_ours && !explain_access(policy, url, robots, text)) {
		is_ours = false;
		pv_buf_clear(&reason);
		pv_buf_append_text(&reason, "robots.txt forbids it");
	}
	if (is_ours) {
		explain_manners(policy, url, text);
		pv_buf_append_text(text, "  it would be fetched\n");
	} else {
		pv_buf_append_text(text, "  it would not be fetched: ");
		pv_visible_append(text, pv_buf_str(&reason));
		pv_buf_append_char(text, '\n');
	}
	pv_buf_finish(&reason);
	return is_ours ? PAVANE_YES : PAVANE_NO;
}

/* The text of robots.txt, where a file is named; false if it cannot be
 * read. */
static bool read_robots(const char *path, struct robots_file *file)
{
	if (!path)
		return true;
	enum pv_file_read read = pv_file_read(path, &file->text);
	file->is_cut = read == PV_FILE_TOO_LARGE;
	return read != PV_FILE_FAILED;
}

enum pavane_answer pavane_policy_explain(const struct pavane_policy *policy,
    const char *address, const char *robots_file, pavane_write_fn write,
    void *ctx)
{
	struct pv_url url;
	struct robots_file robots = {.is_cut = false};
	struct pv_buf text;
	enum pavane_answer answer = PAVANE_WRONG;
	pv_url_init(&url, ADDRESS_MAX);
	pv_buf_init(&robots.text, PV_ROBOTS_CEILINGS.bytes);
	pv_buf_init(&text, TEXT_MAX);
	if (!read_robots(robots_file, &robots)) {
		answer = PAVANE_UNREADABLE;
	} else if (pv_url_parse(&url, pv_str_of(address)) == PV_URL_OK) {
		answer = explain(
		    policy->policy, &url, robots_file ? &robots : NULL, &text);
		write(ctx, pv_buf_text(&text), text.len);
	}
	int saved = errno;
	pv_buf_finish(&text);
	pv_buf_finish(&robots.text);
	pv_url_finish(&url);
	errno = saved;
	return answer;
}
