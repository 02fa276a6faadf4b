#include "policy/overview/summary.h"

#include "base/visible.h"
#include "policy/document/document.h"
#include "policy/domain_entry.h"
#include "policy/identity.h"
#include "policy/option.h"
#include "policy/secrets/cookies.h"
#include "policy/seed_walk.h"
#include "policy/values/proxy_form.h"
#include "policy/values/units.h"
#include "policy/values/user_form.h"
#include "policy/values/value.h"
#include "url/url.h"

static void write_time(struct pv_buf *buf, int64_t ms)
{
	pv_unit_write(PV_UNIT_TIME, ms, buf);
}

static void write_seeds(const struct pv_policy *policy, struct pv_buf *buf)
{
	int64_t addresses = 0;
	int64_t sitemaps = 0;
	size_t files = 0;
	for (size_t i = 0; i < policy->seeds.count; i++) {
		const struct pv_seed *seed = &policy->seeds.items[i];
		if (seed->kind == PV_SEED_FILE)
			files++;
		else if (seed->kind == PV_SEED_SITEMAP)
			sitemaps += seed->address.count;
		else
			addresses += seed->address.count;
	}
	pv_buf_append_format(buf, "  starts at    %lld address%s",
	    (long long)addresses, addresses == 1 ? "" : "es");
	if (sitemaps)
		pv_buf_append_format(buf, ", %lld sitemap%s",
		    (long long)sitemaps, sitemaps == 1 ? "" : "s");
	if (files)
		pv_buf_append_format(
		    buf, ", %zu file%s", files, files == 1 ? "" : "s");
	pv_buf_append_char(buf, '\n');
}

static void write_rate(const struct pv_policy *policy, struct pv_buf *buf)
{
	const struct pv_rate *rate = &policy->rate;
	pv_buf_append_format(buf, "  at most      %lld request%s each ",
	    (long long)rate->max_rate, rate->max_rate == 1 ? "" : "s");
	write_time(buf, rate->interval_ms);
	pv_buf_append_format(
	    buf, ", %lld at a time\n", (long long)rate->concurrency);
}

static void write_manners(const struct pv_policy *policy, struct pv_buf *buf)
{
	const struct pv_manners *manners = &policy->manners;
	bool is_from_end = manners->delay_from == PV_DELAY_FROM_END;
	pv_buf_append_text(buf, "  each host    rests ");
	write_time(buf, manners->delay_ms);
	pv_buf_append_text(
	    buf, is_from_end ? " after an answer" : " between starts");
	if (manners->connections > 1)
		pv_buf_append_format(buf,
		    ", up to %lld requests at the same time",
		    (long long)manners->connections);
	if (policy->domains.count)
		pv_buf_append_format(buf, "; %zu %s in the domain table",
		    policy->domains.count,
		    policy->domains.count == 1 ? "entry" : "entries");
	pv_buf_append_char(buf, '\n');
}

/* The names; a value may be a secret. */
static void write_headers(const struct pv_policy *policy, struct pv_buf *buf)
{
	const struct pv_pairs *headers = &policy->fetch.headers;
	for (size_t i = 0; i < headers->count; i++)
		pv_buf_append_format(buf, "%s%s",
		    i ? ", " : "  sends        the header ",
		    headers->items[i].name);
	if (headers->count)
		pv_buf_append_char(buf, '\n');
}

#define DOMAINS_SHOWN 5

static const struct pv_domain_setting *setting_of(
    const struct pv_domain_entry *entry, const char *name)
{
	return pv_domain_entry_get(
	    entry, pv_option_get(pv_str_of(name), &pv_names_of_domain));
}

/* As whom an entry's hosts are asked: what is before the password. */
static void write_user(const char *user, struct pv_buf *buf)
{
	static const char *const words[] = {
	    [PV_USER_BASIC] = "a login",
	    [PV_USER_BEARER] = "a token",
	    [PV_USER_NETRC] = "the logins of a netrc",
	};
	struct pv_user_form form;
	pv_user_form_read(pv_str_of(user), &form);
	pv_buf_append_text(buf, words[form.kind]);
	if (form.name.len)
		pv_buf_append_format(buf, " as %.*s", PV_STR_ARG(form.name));
	if (form.variable.len)
		pv_buf_append_format(
		    buf, " of ${%.*s}", PV_STR_ARG(form.variable));
	if (form.file.len)
		pv_buf_append_format(buf, " of %.*s", PV_STR_ARG(form.file));
}

/* "sends        X-Key, a token of ${TOKEN} to api.example.org alone" */
static bool write_domain(
    const struct pv_domain_entry *entry, struct pv_buf *buf)
{
	const struct pv_domain_setting *headers = setting_of(entry, "headers");
	const struct pv_domain_setting *user = setting_of(entry, "user");
	const char *between = "";
	struct pv_pairs pairs = {.count = 0};
	if (headers)
		memcpy(&pairs, &headers->value, sizeof(pairs));
	if (!pairs.count && (!user || !user->value.ptr))
		return false;
	pv_buf_append_text(buf, "  sends        ");
	for (size_t i = 0; i < pairs.count; i++, between = ", ")
		pv_buf_append_format(buf, "%s%s", between, pairs.items[i].name);
	if (user && user->value.ptr) {
		pv_buf_append_text(buf, between);
		write_user(user->value.ptr, buf);
	}
	pv_buf_append_format(buf, " to %s alone\n", entry->name);
	return true;
}

static void write_domains(const struct pv_policy *policy, struct pv_buf *buf)
{
	size_t shown = 0;
	for (size_t i = 0; i < policy->domains.count; i++) {
		if (shown == DOMAINS_SHOWN) {
			pv_buf_append_text(buf, "               ...\n");
			return;
		}
		shown += write_domain(&policy->domains.entries[i], buf);
	}
}

/* Each without its login. */
static void write_proxies(const struct pv_policy *policy, struct pv_buf *buf)
{
	const struct pv_texts *proxies = &policy->manners.proxies;
	for (size_t i = 0; i < proxies->count; i++) {
		struct pv_proxy_form form;
		struct pv_buf host;
		pv_buf_init(&host, SIZE_MAX);
		pv_proxy_form_read(pv_str_of(proxies->items[i]), &form, &host);
		pv_buf_append_text(buf, i ? ", " : "  goes by      ");
		pv_proxy_form_write_open(&form, pv_buf_str(&host), buf);
		pv_buf_finish(&host);
	}
	if (proxies->count)
		pv_buf_append_char(buf, '\n');
}

#define COOKIES_SHOWN 5

static void write_cookies(const struct pv_policy *policy, struct pv_buf *buf)
{
	struct pv_cookies cookies;
	struct pv_why why;
	if (!policy->fetch.cookie_file)
		return;
	pv_cookies_init(&cookies);
	pv_why_init(&why);
	pv_cookies_read_file(&cookies, policy->fetch.cookie_file, &why);
	pv_buf_append_format(buf, "  sends        %zu cookie%s of %s",
	    cookies.count, cookies.count == 1 ? "" : "s",
	    policy->fetch.cookie_file);
	for (size_t i = 0; i < cookies.count && i < COOKIES_SHOWN; i++)
		pv_buf_append_format(buf, "%s%.*s to %s%.*s", i ? ", " : ": ",
		    PV_STR_ARG(cookies.items[i].name),
		    cookies.items[i].is_below ? "*." : "",
		    PV_STR_ARG(cookies.items[i].domain));
	pv_buf_append_text(
	    buf, cookies.count > COOKIES_SHOWN ? ", ...\n" : "\n");
	pv_why_finish(&why);
	pv_cookies_finish(&cookies);
}

void pv_summary_write(const struct pv_policy *policy, struct pv_buf *buf)
{
	write_seeds(policy, buf);
	write_rate(policy, buf);
	write_manners(policy, buf);
	pv_buf_append_text(buf, "  User-Agent   ");
	pv_identity_write_agent(&policy->identity, buf);
	pv_buf_append_char(buf, '\n');
	write_headers(policy, buf);
	write_domains(policy, buf);
	write_proxies(policy, buf);
	write_cookies(policy, buf);
	pv_buf_append_format(buf, "  stores       %s%s\n",
	    !policy->output.has_mirror      ? "the journal"
	    : policy->output.mirror.rewrite ? "a mirror, links rewritten"
					    : "a mirror",
	    policy->pages.count ? ", and the rows of pages in fields/" : "");
}

/* A person reads no more. */
#define SHOWN_MAX 10

/* The addresses of seeds, the first few in full. */
struct outlook {
	const struct pv_policy *policy;
	struct pv_buf *buf;
	struct pv_url url;
	struct pv_buf authority; /* of the last that was written */
	size_t shown;
};

static void write_line(
    struct pv_buf *buf, const char *key, struct pv_str text, const char *more)
{
	pv_buf_append_format(buf, "  %-12s ", key);
	pv_visible_append(buf, text);
	pv_buf_append_format(buf, "%s\n", more);
}

static const char *first_key(const struct outlook *outlook)
{
	return outlook->shown ? "" : "first";
}

static bool is_page_host_new(struct outlook *outlook)
{
	struct pv_str authority =
	    pv_url_between(&outlook->url, 0, outlook->url.parts.path);
	if (pv_str_equal(authority, pv_buf_str(&outlook->authority)))
		return false;
	pv_buf_clear(&outlook->authority);
	pv_buf_append(&outlook->authority, authority);
	return true;
}

/* What each host is asked for before its pages. */
static void write_host(struct outlook *outlook)
{
	struct pv_buf *authority = &outlook->authority;
	struct pv_str host = pv_buf_str(authority);
	write_line(outlook->buf, first_key(outlook), host, "/robots.txt");
	outlook->shown++;
	if (!outlook->policy->scope.sitemaps)
		return;
	if (outlook->policy->scope.sitemap_guess)
		write_line(outlook->buf, "", host,
		    "/sitemap.xml, and the sitemaps that robots.txt names");
	else
		write_line(outlook->buf, "", PV_STR(""),
		    "the sitemaps that robots.txt names");
}

static void write_seed(struct outlook *outlook, const struct pv_seed *seed)
{
	struct pv_seed_walk walk;
	if (!pv_seed_walk_open(&walk, seed))
		return;
	while (outlook->shown < SHOWN_MAX &&
	       pv_seed_walk_next(&walk) == PV_SEED_ADDRESS) {
		if (pv_seed_parse(&outlook->url, pv_buf_str(&walk.text)))
			continue;
		if (is_page_host_new(outlook))
			write_host(outlook);
		write_line(outlook->buf, first_key(outlook),
		    pv_url_page(&outlook->url), "");
		outlook->shown++;
	}
	pv_seed_walk_close(&walk);
}

static void write_addresses(const struct pv_policy *policy, struct pv_buf *buf)
{
	struct outlook outlook = {.policy = policy, .buf = buf};
	pv_url_init(&outlook.url, PV_SEED_ADDRESS_MAX);
	pv_buf_init(&outlook.authority, PV_SEED_ADDRESS_MAX);
	for (size_t i = 0; i < policy->seeds.count; i++)
		write_seed(&outlook, &policy->seeds.items[i]);
	if (outlook.shown >= SHOWN_MAX)
		pv_buf_append_format(buf, "  %-12s and so on\n", "");
	pv_url_finish(&outlook.url);
	pv_buf_finish(&outlook.authority);
}

static const char *hosts_word(const struct pv_scope_policy *scope)
{
	static const char *const words[] = {
	    [PV_HOSTS_SAME] = "on the same hosts",
	    [PV_HOSTS_SITE] = "on all hosts of the same sites",
	    [PV_HOSTS_ANY] = "on any host",
	    [PV_HOSTS_LISTED] = "on the hosts of scope.hosts",
	};
	return words[scope->hosts.kind];
}

static void write_scope(const struct pv_scope_policy *scope, struct pv_buf *buf)
{
	pv_buf_append_format(buf, "  %-12s pages that these link to, %s",
	    "then", hosts_word(scope));
	if (scope->below)
		pv_buf_append_text(buf, ", below their paths");
	if (scope->depth != PV_NONE)
		pv_buf_append_format(buf, ", at most %lld link%s away",
		    (long long)scope->depth, scope->depth == 1 ? "" : "s");
	if (scope->hops > 0)
		pv_buf_append_format(buf, ", and up to %lld page%s beyond",
		    (long long)scope->hops, scope->hops == 1 ? "" : "s");
	pv_buf_append_char(buf, '\n');
	if (scope->requisites)
		pv_buf_append_format(buf,
		    "  %-12s their images, styles and scripts, also from "
		    "other hosts\n",
		    "");
}

static void write_limits(const struct pv_policy *policy, struct pv_buf *buf)
{
	size_t rules = policy->scope.rules.count;
	pv_buf_append_format(buf, "  %-12s what robots.txt forbids", "but not");
	if (rules)
		pv_buf_append_format(buf, ", and what %zu rule%s den%s", rules,
		    rules == 1 ? "" : "s", rules == 1 ? "ies" : "y");
	pv_buf_append_char(buf, '\n');
	if (policy->limits.pages != PV_NONE)
		pv_buf_append_format(buf, "  %-12s %lld page%s\n",
		    "no more than", (long long)policy->limits.pages,
		    policy->limits.pages == 1 ? "" : "s");
}

void pv_outlook_write(const struct pv_policy *policy, struct pv_buf *buf)
{
	write_addresses(policy, buf);
	write_scope(&policy->scope, buf);
	write_limits(policy, buf);
}

#define NAME_WIDTH 31
#define VALUE_WIDTH 10

/* Ceilings that no key moves, each where it is kept. */
static const struct {
	const char *name;
	int64_t value;
	const char *sentence;
} built_in[] = {
    {"policy file", PV_DOCUMENT_BYTES_MAX, "bytes of a policy's file"},
    {"policy nesting", PV_DOCUMENT_DEPTH_MAX,
	"lists and mappings within each other"},
    {"policy values", PV_DOCUMENT_NODES_MAX, "values in one file"},
    {"policy problems", PV_WHY_PROBLEMS_MAX,
	"problems that are listed; the others are counted"},
    {"seed addresses", PV_TEMPLATE_COUNT_MAX,
	"addresses that one seed with braces may expand to"},
    {"kinds of pages", PV_PAGES_MAX, "kinds of pages in a policy"},
    {"fields", PV_FIELDS_MAX, "fields of a kind of page, or of a record"},
    {"seed line", PV_SEED_LINE_MAX, "bytes of a line in a file of seeds"},
};

static void write_limit(struct pv_buf *buf, const char *name,
    const struct pv_buf *value, const char *sentence)
{
	pv_buf_append_format(buf, "%-*s %*s  %s", NAME_WIDTH, name, VALUE_WIDTH,
	    pv_buf_text(value), sentence);
}

void pv_limits_write(const struct pv_policy *policy, struct pv_buf *buf)
{
	struct pv_buf value;
	pv_buf_init(&value, 64);
	pv_buf_append_text(buf, "Limits of the policy:\n");
	for (size_t i = 0; i < pv_names_of_policy.count; i++) {
		const struct pv_option *option = &pv_names_of_policy.options[i];
		if (!(option->flags & PV_IS_CEILING))
			continue;
		pv_buf_clear(&value);
		option->kind->write(
		    option, (const char *)policy + option->offset, &value);
		write_limit(buf, option->path, &value, option->sentence);
		pv_buf_append_text(buf, " (");
		pv_origin_write(&policy->origins[i], buf);
		pv_buf_append_text(buf, ")\n");
	}
	pv_buf_append_text(buf, "\nBuilt-in limits:\n");
	for (size_t i = 0; i < sizeof(built_in) / sizeof(*built_in); i++) {
		pv_buf_clear(&value);
		pv_buf_append_format(
		    &value, "%lld", (long long)built_in[i].value);
		write_limit(
		    buf, built_in[i].name, &value, built_in[i].sentence);
		pv_buf_append_char(buf, '\n');
	}
	pv_buf_finish(&value);
}
