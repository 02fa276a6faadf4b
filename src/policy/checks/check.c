#include "policy/checks/check.h"

#include "policy/checks/pages_check.h"
#include "policy/checks/seed_check.h"
#include "policy/domain_entry.h"
#include "policy/identity.h"
#include "policy/option.h"
#include "policy/proxies.h"
#include "policy/sameness.h"
#include "policy/secrets/cookies.h"
#include "policy/secrets/users.h"
#include "policy/values/units.h"
#include "policy/values/value.h"

static const struct pv_origin *origin_of(
    const struct pv_policy *policy, const char *path)
{
	const struct pv_option *option =
	    pv_option_get(pv_str_of(path), &pv_names_of_policy);
	return &policy->origins[option - pv_names_of_policy.options];
}

/* What no single alias shows: that one leads to another, or all of them in a
 * circle; and noted, that an entry of the domain table is for an alias. */

struct check {
	const struct pv_policy *policy;
	struct pv_aliases aliases;
	struct pv_why *why;
};

static bool is_star(const char *text)
{
	return strcmp(text, "*") == 0;
}

/* Whether a name comes back to itself, or what it stands for does: that of
 * "www.example.org" is found by a beginning and by its name in one step. Others
 * that lead into a circle are chains. */
static bool is_in_circle(const struct check *check, const struct pv_pair *pair)
{
	struct pv_str name = pv_str_of(pair->name);
	struct pv_str at = pv_str_of(pair->text), next;
	for (size_t i = 0; i <= check->policy->scope.aliases.count; i++) {
		if (!pv_aliases_find(&check->aliases, at, &next))
			return false;
		if (pv_str_equal(next, name) || (!i && pv_str_equal(next, at)))
			return true;
		at = next;
	}
	return false;
}

static void check_pair(struct check *check, const struct pv_pair *pair)
{
	struct pv_place place =
	    origin_of(check->policy, "scope.aliases")->place;
	struct pv_str key = PV_STR("scope.aliases"), next;
	bool is_beginning = pv_str_ends(pv_str_of(pair->name), PV_STR(".*"));
	if (is_beginning && !is_star(pair->text))
		pv_why_add(check->why, place, key,
		    "%s can only be an alias of \"*\", each name without its "
		    "beginning",
		    pair->name);
	else if (is_beginning)
		return;
	else if (is_star(pair->text))
		pv_why_add(check->why, place, key,
		    "%s is one name, so it is an alias of one name: \"*\" "
		    "belongs to a beginning such as \"www.*\"",
		    pair->name);
	else if (strcmp(pair->name, pair->text) == 0)
		pv_why_add(check->why, place, key,
		    "%s is an alias of itself, which has no effect",
		    pair->name);
	else if (is_in_circle(check, pair))
		pv_why_add(check->why, place, key,
		    "these aliases form a circle, from %s to %s and back: "
		    "remove one of the two",
		    pair->name, pair->text);
	else if (pv_aliases_find(&check->aliases, pv_str_of(pair->text), &next))
		pv_why_add(check->why, place, key,
		    "%s is an alias of %s, which is an alias itself: write "
		    "the name that is requested, %.*s",
		    pair->name, pair->text, PV_STR_ARG(next));
}

/* An entry with longer delays was meant for a host that is now requested by
 * another name. */
static void note_entry(
    const struct check *check, const struct pv_domain_entry *entry)
{
	struct pv_buf key;
	struct pv_str target;
	if (entry->kind != PV_HOST_EXACT ||
	    !pv_aliases_find(&check->aliases, pv_str_of(entry->name), &target))
		return;
	pv_buf_init(&key, 512);
	pv_buf_append_format(&key, "domains.\"%s\"", entry->name);
	pv_why_note(check->why, entry->origin.place, pv_buf_str(&key),
	    "this name is never requested, since scope.aliases replaces it by "
	    "%.*s: write the keys of that host under its own name",
	    PV_STR_ARG(target));
	pv_buf_finish(&key);
}

static void check_aliases(const struct pv_policy *policy, struct pv_why *why)
{
	const struct pv_pairs *pairs = &policy->scope.aliases;
	struct check check = {.policy = policy, .why = why};
	pv_aliases_init(&check.aliases);
	pv_sameness_add_aliases(&check.aliases, pairs);
	for (size_t i = 0; i < pairs->count; i++)
		check_pair(&check, &pairs->items[i]);
	for (size_t i = 0; pairs->count && i < policy->domains.count; i++)
		note_entry(&check, &policy->domains.entries[i]);
	pv_aliases_finish(&check.aliases);
}

/* Where to look: at the first of two keys that somebody wrote. */
static struct pv_place place_of(
    const struct pv_policy *policy, const char *path, const char *other)
{
	const struct pv_origin *origin = origin_of(policy, path);
	if (pv_origin_is_default(origin))
		origin = origin_of(policy, other);
	return origin->place;
}

static void check_burst(const struct pv_policy *policy, struct pv_why *why)
{
	if (policy->rate.burst < policy->rate.max_rate)
		pv_why_add(why, place_of(policy, "rate.burst", "rate.max_rate"),
		    PV_STR("rate.burst"),
		    "a burst of %lld is less than max_rate, which is %lld: "
		    "the bucket must hold the requests of one interval",
		    (long long)policy->rate.burst,
		    (long long)policy->rate.max_rate);
}

static void tell_backoff(struct pv_why *why, struct pv_place place,
    const char *key, const char *path, int64_t max_ms, int64_t first_ms)
{
	struct pv_buf max;
	struct pv_buf first;
	pv_buf_init(&max, 64);
	pv_buf_init(&first, 64);
	pv_unit_write(PV_UNIT_TIME, max_ms, &max);
	pv_unit_write(PV_UNIT_TIME, first_ms, &first);
	pv_why_add(why, place, pv_str_of(path),
	    "the longest rest, %s, is shorter than the first one, backoff.%s: "
	    "%s",
	    pv_buf_text(&max), key, pv_buf_text(&first));
	pv_buf_finish(&max);
	pv_buf_finish(&first);
}

static void check_backoff_of(const struct pv_manners *manners,
    struct pv_place place, const char *path, struct pv_why *why)
{
	int64_t max_ms = manners->backoff.max_ms;
	if (max_ms < manners->backoff.failure_ms)
		tell_backoff(why, place, "failure", path, max_ms,
		    manners->backoff.failure_ms);
	else if (max_ms < manners->backoff.overload_ms)
		tell_backoff(why, place, "overload", path, max_ms,
		    manners->backoff.overload_ms);
}

static void check_backoff(const struct pv_policy *policy, struct pv_why *why)
{
	const char *max = "politeness.backoff.max";
	const char *other =
	    policy->manners.backoff.max_ms < policy->manners.backoff.failure_ms
		? "politeness.backoff.failure"
		: "politeness.backoff.overload";
	check_backoff_of(
	    &policy->manners, place_of(policy, max, other), max, why);
}

static void tell_useless_ca(
    struct pv_why *why, struct pv_place place, const char *path)
{
	pv_why_add(why, place, pv_str_of(path),
	    "a file of trusted certificates has no effect if tls.verify is "
	    "false");
}

static void check_tls(const struct pv_policy *policy, struct pv_why *why)
{
	if (policy->manners.tls_verify)
		return;
	struct pv_place place =
	    place_of(policy, "fetch.tls.ca", "fetch.tls.verify");
	if (policy->manners.tls_ca)
		tell_useless_ca(why, place, "fetch.tls.ca");
	else
		pv_why_note(why, place, PV_STR("fetch.tls.verify"),
		    "no certificate of any host is checked; to skip the "
		    "check for one host, set it in the domain table");
}

/* The keys that an entry wrote itself, over those of the policy: what lies
 * between them is judged for each host when it is asked for. */
static void check_entry(const struct pv_policy *policy,
    const struct pv_domain_entry *entry, struct pv_why *why)
{
	struct pv_manners manners = policy->manners;
	bool has_backoff = false;
	size_t tls_keys = 0;
	for (uint32_t i = 0; i < entry->setting_count; i++) {
		const struct pv_domain_setting *setting = &entry->settings[i];
		const char *name =
		    pv_option_name(setting->option, &pv_names_of_domain);
		memcpy((char *)&manners + setting->option->offset -
			   offsetof(struct pv_policy, manners),
		    &setting->value, setting->option->kind->size);
		has_backoff |= strncmp(name, "backoff.", 8) == 0;
		tls_keys += strncmp(name, "tls.", 4) == 0;
	}
	struct pv_buf path;
	pv_buf_init(&path, 512);
	pv_buf_append_format(&path, "domains.\"%s\"", entry->name);
	if (has_backoff)
		check_backoff_of(
		    &manners, entry->origin.place, pv_buf_text(&path), why);
	if (tls_keys == 2 && !manners.tls_verify && manners.tls_ca)
		tell_useless_ca(why, entry->origin.place, pv_buf_text(&path));
	pv_buf_finish(&path);
}

static void check_domains(const struct pv_policy *policy, struct pv_why *why)
{
	for (size_t i = 0; i < policy->domains.count; i++)
		check_entry(policy, &policy->domains.entries[i], why);
}

/* A total that is over before a part of it may be: only where both were
 * written, since a short total alone is clear enough. */
static void check_timeouts(const struct pv_policy *policy, struct pv_why *why)
{
	static const char total[] = "fetch.timeout.total";
	const struct {
		const char *path;
		int64_t ms;
	} parts[] = {
	    {"fetch.timeout.connect", policy->fetch.timeout.connect_ms},
	    {"fetch.timeout.first_byte", policy->fetch.timeout.first_byte_ms},
	    {"fetch.timeout.stall", policy->fetch.timeout.stall_ms},
	};
	if (policy->fetch.timeout.total_ms == PV_NONE ||
	    pv_origin_is_default(origin_of(policy, total)))
		return;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		if (parts[i].ms > policy->fetch.timeout.total_ms &&
		    !pv_origin_is_default(origin_of(policy, parts[i].path)))
			pv_why_add(why, origin_of(policy, total)->place,
			    PV_STR(total),
			    "the total time is shorter than a part of it: %s "
			    "is longer",
			    parts[i].path);
	}
}

static void check_cookies(const struct pv_policy *policy, struct pv_why *why)
{
	struct pv_cookies cookies;
	pv_cookies_init(&cookies);
	if (policy->fetch.cookie_file)
		pv_cookies_read_file(&cookies, policy->fetch.cookie_file, why);
	pv_cookies_finish(&cookies);
}

static void check_users(const struct pv_policy *policy, struct pv_why *why)
{
	struct pv_users users;
	pv_users_init(&users);
	pv_users_read(&users, policy, false, why);
	pv_users_finish(&users);
}

static void check_contact(const struct pv_policy *policy, struct pv_why *why)
{
	if (policy->identity.contact &&
	    pv_contact_is_example(policy->identity.contact))
		pv_why_note(why, origin_of(policy, "identity.contact")->place,
		    PV_STR("identity.contact"),
		    "%s is an example address, where site owners cannot reach "
		    "you",
		    policy->identity.contact);
}

void pv_policy_check(const struct pv_policy *policy, struct pv_why *why)
{
	check_burst(policy, why);
	check_backoff(policy, why);
	check_tls(policy, why);
	check_domains(policy, why);
	check_timeouts(policy, why);
	check_cookies(policy, why);
	check_users(policy, why);
	pv_proxies_check(policy, why);
	check_contact(policy, why);
	check_aliases(policy, why);
	pv_pages_check(policy, why);
	pv_seeds_check(policy, why);
}
