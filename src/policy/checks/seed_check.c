#include "policy/checks/seed_check.h"

#include <errno.h>

#include "base/reader.h"
#include "policy/option.h"
#include "policy/sameness.h"
#include "policy/seed_walk.h"
#include "policy/values/resolve_table.h"
#include "policy/values/value.h"
#include "url/host.h"
#include "url/url.h"

/* So many addresses that templates stand for are looked at; of those that stand
 * for more, only their hosts. */
#define ADDRESSES_MAX 20000

struct check {
	const struct pv_policy *policy;
	struct pv_why *why;
	struct pv_resolve_table resolve;
	struct pv_sameness sameness;
	struct pv_url url;
	int64_t left;     /* of ADDRESSES_MAX */
	bool has_foreign; /* a contact is missing, and that is reported */
};

/* Whose the host is, as far as that can be known without asking for it. */
static enum pv_address_kind kind_of_host(const struct check *check,
    struct pv_str host, const struct pv_address *address)
{
	const struct pv_socket *socket =
	    pv_resolve_table_get(&check->resolve, host, address);
	if (socket)
		return pv_address_kind(&socket->address);
	if (address)
		return pv_address_kind(address);
	if (pv_host_name_is_local(host))
		return PV_ADDRESS_LOOPBACK;
	return PV_ADDRESS_PUBLIC;
}

static bool is_own(enum pv_address_kind kind)
{
	return kind == PV_ADDRESS_LOOPBACK || kind == PV_ADDRESS_PRIVATE;
}

/* Whether something else is wrong with a key already. */
static bool is_told(const struct pv_why *why, const char *key)
{
	for (size_t i = 0; i < why->problems.kept_count; i++) {
		if (strcmp(why->problems.kept[i].key, key) == 0)
			return true;
	}
	return false;
}

static void tell_foreign(
    struct check *check, struct pv_place place, struct pv_str host)
{
	if (check->has_foreign || check->policy->identity.contact ||
	    is_told(check->why, "identity.contact"))
		return;
	check->has_foreign = true;
	pv_why_add(check->why, place, PV_STR("identity.contact"),
	    "%.*s is not your own host, and its owner must be able to reach "
	    "you: set your e-mail address or a page of yours, identity: "
	    "{contact: you@your.domain}",
	    PV_STR_ARG(host));
}

/* Whom a seed would ask, and whether we may. */
static void check_host(struct check *check, struct pv_place place,
    struct pv_str host, const struct pv_address *address)
{
	const struct pv_policy *policy = check->policy;
	uint32_t line = pv_never_find(&policy->never, host, address);
	if (line) {
		pv_why_add(check->why, place, PV_STR("seeds"),
		    "the owner of %.*s does not want to be crawled (%s:%u); "
		    "no policy overrides this",
		    PV_STR_ARG(host), policy->never.path, line);
		return;
	}
	enum pv_address_kind kind = kind_of_host(check, host, address);
	if (kind == PV_ADDRESS_NOT_A_HOST)
		pv_why_add(check->why, place, PV_STR("seeds"),
		    "%.*s is not an address of a host", PV_STR_ARG(host));
	else if (!is_own(kind))
		tell_foreign(check, place, host);
	else if (policy->fetch.private == PV_PRIVATE_NONE)
		pv_why_add(check->why, place, PV_STR("seeds"),
		    "%.*s is on this machine or a private network, which "
		    "fetch.private: none forbids",
		    PV_STR_ARG(host));
}

static void check_address(
    struct check *check, struct pv_place place, struct pv_str text)
{
	const char *fault = pv_seed_parse(&check->url, text);
	if (!fault)
		pv_crawl_identity_apply(&check->sameness.identity, &check->url);
	if (fault)
		pv_why_add(check->why, place, PV_STR("seeds"), "%.*s: %s",
		    text.len > 200 ? 200 : (int)text.len, text.ptr, fault);
	else
		check_host(check, place, pv_url_host(&check->url),
		    pv_url_address(&check->url));
}

static struct pv_place place_in(const struct pv_seed_walk *walk)
{
	const char *file =
	    walk->seed->is_input ? "standard input" : walk->seed->text;
	if (walk->file)
		return (struct pv_place){file, walk->line, 1};
	return walk->seed->origin.place;
}

/* Looks at each address of a seed. */
static void check_all(struct check *check, const struct pv_seed *seed)
{
	struct pv_seed_walk walk;
	if (!pv_seed_walk_open(&walk, seed)) {
		pv_why_add(check->why, seed->origin.place, PV_STR("seeds"),
		    "%s cannot be read: %s", seed->text, strerror(errno));
		pv_seed_walk_close(&walk);
		return;
	}
	enum pv_seed_step step = pv_seed_walk_next(&walk);
	while (step != PV_SEED_END && !pv_why_is_full(check->why)) {
		if (step == PV_SEED_FAULT)
			pv_why_add(check->why, place_in(&walk), PV_STR("seeds"),
			    "%s", walk.fault);
		else
			check_address(
			    check, place_in(&walk), pv_buf_str(&walk.text));
		step = pv_seed_walk_next(&walk);
	}
	pv_seed_walk_close(&walk);
}

static bool is_authority_byte(int byte)
{
	return byte != '/' && byte != '\\' && byte != '?' && byte != '#';
}

/* The part of a template that makes its hosts: up to the path. */
static struct pv_str authority_of(struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	pv_reader_take_until(&reader, ':');
	pv_reader_accept(&reader, ':');
	while (
	    pv_reader_accept(&reader, '/') || pv_reader_accept(&reader, '\\'))
		;
	pv_reader_take_while(&reader, is_authority_byte);
	return pv_str_head(text, (size_t)(reader.at - text.ptr));
}

/* Whether all addresses of a seed may be looked at, which is then counted. */
static bool take_addresses(struct check *check, int64_t count)
{
	if (count == 1)
		return true;
	if (count > check->left)
		return false;
	check->left -= count;
	return true;
}

static void check_first(struct check *check, const struct pv_seed *seed)
{
	struct pv_buf first;
	pv_buf_init(&first, PV_SEED_ADDRESS_MAX);
	pv_template_write(&seed->address, 0, &first);
	check_address(check, seed->origin.place, pv_buf_str(&first));
	pv_buf_finish(&first);
}

/* Looks at the hosts of a seed that stands for too many addresses to look at
 * each. Where even those are too many, they are not all somebody's own, as far
 * as anybody knows; what comes then is not looked at either. */
static void check_hosts(struct check *check, const struct pv_seed *seed)
{
	struct pv_str authority = authority_of(pv_str_of(seed->text));
	struct pv_arena arena;
	struct pv_seed hosts = {.kind = seed->kind};
	const char *fault = "";
	if (pv_str_find(authority, '{') == PV_NOT_FOUND) {
		check_first(check, seed);
		return;
	}
	pv_arena_init(&arena);
	if (check->left)
		fault = pv_seed_read_address(authority, &arena, &hosts);
	hosts.origin = seed->origin;
	if (!fault && take_addresses(check, hosts.address.count)) {
		check_all(check, &hosts);
	} else {
		check->left = 0;
		tell_foreign(check, seed->origin.place, PV_STR("this seed"));
	}
	pv_arena_finish(&arena);
}

/* Where links may lead: to hosts that are named, or to anybody's. */
static void check_scope(struct check *check)
{
	const struct pv_policy *policy = check->policy;
	const struct pv_host_choice *hosts = &policy->scope.hosts;
	const struct pv_option *option =
	    pv_option_get(PV_STR("scope.hosts"), &pv_names_of_policy);
	struct pv_place place =
	    policy->origins[option - pv_names_of_policy.options].place;
	for (size_t i = 0; i < hosts->listed.count; i++) {
		struct pv_str host = pv_str_of(hosts->listed.items[i]);
		struct pv_address address;
		bool is_address = pv_address_read(host, &address);
		if (pv_str_starts(host, PV_STR("*.")))
			host = pv_str_from(host, 2);
		if (!is_own(kind_of_host(
			check, host, is_address ? &address : NULL)))
			tell_foreign(check, place, host);
	}
	bool leads_anywhere =
	    hosts->kind == PV_HOSTS_ANY || policy->scope.hops > 0;
	if (leads_anywhere && !policy->identity.contact && !check->has_foreign)
		pv_why_note(check->why, place, PV_STR("identity.contact"),
		    "links may lead to other people's hosts, and no contact "
		    "is set");
}

void pv_seeds_check(const struct pv_policy *policy, struct pv_why *why)
{
	struct check check = {
	    .policy = policy,
	    .why = why,
	    .left = ADDRESSES_MAX,
	};
	pv_resolve_table_init(&check.resolve, &policy->fetch.resolve);
	pv_sameness_init(&check.sameness, policy);
	pv_url_init(&check.url, PV_SEED_ADDRESS_MAX);
	for (size_t i = 0; i < policy->seeds.count; i++) {
		const struct pv_seed *seed = &policy->seeds.items[i];
		if (seed->kind == PV_SEED_FILE ||
		    take_addresses(&check, seed->address.count))
			check_all(&check, seed);
		else
			check_hosts(&check, seed);
	}
	if (policy->seeds.count)
		check_scope(&check);
	pv_url_finish(&check.url);
	pv_sameness_finish(&check.sameness);
	pv_resolve_table_finish(&check.resolve);
}

void pv_seeds_expect(
    const struct pv_policy *policy, const char *file, struct pv_why *why)
{
	const struct pv_option *option =
	    pv_option_get(PV_STR("seeds"), &pv_names_of_policy);
	struct pv_place place =
	    policy->origins[option - pv_names_of_policy.options].place;
	if (policy->seeds.count || pv_why_has_problems(why))
		return;
	if (!place.file)
		place.file = file;
	pv_why_add(why, place, PV_STR("seeds"),
	    "there is no address to begin with: write, for example, seeds: "
	    "[https://docs.example.org/]");
}
