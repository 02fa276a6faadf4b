#include "audit/terms.h"

#include <stdlib.h>

#include "base/array.h"
#include "policy/sources/load.h"
#include "policy/values/resolve_table.h"
#include "store/tables/note.h"

#define TEXT_MAX ((size_t)256 << 20)
#define NONE ((size_t)-1)

struct pv_audit_policy {
	int64_t run; /* 0: it stands in policy.yaml */
	struct pv_policy *policy;
	struct pv_paces paces;
	struct pv_resolve_table resolve;
};

void pv_audit_terms_init(struct pv_audit_terms *terms,
    struct pv_database *database, const char *directory,
    const char *environment)
{
	struct pv_hash_key key = {{0x70617661, 0x61756469}};
	*terms = (struct pv_audit_terms){
	    .database = database,
	    .directory = directory,
	    .environment = environment,
	    .run = -1,
	    .current = NONE,
	};
	pv_audit_names_init(&terms->hosts, key);
	pv_audit_names_init(&terms->clocks, key);
	pv_audit_names_init(&terms->addresses, key);
	pv_audit_names_init(&terms->keys, key);
}

void pv_audit_terms_finish(struct pv_audit_terms *terms)
{
	for (size_t i = 0; i < terms->policy_count; i++) {
		pv_paces_finish(&terms->policies[i].paces);
		pv_resolve_table_finish(&terms->policies[i].resolve);
		pv_policy_destroy(terms->policies[i].policy);
	}
	free(terms->policies);
	free(terms->promises);
	pv_audit_names_finish(&terms->hosts);
	pv_audit_names_finish(&terms->clocks);
	pv_audit_names_finish(&terms->addresses);
	pv_audit_names_finish(&terms->keys);
}

/* Policies */

static bool get_text(
    struct pv_audit_terms *terms, int64_t run, struct pv_buf *text)
{
	struct pv_buf name;
	pv_buf_init(&name, 64);
	pv_buf_append_format(&name, PV_POLICY_NOTE "%lld", (long long)run);
	bool is_there =
	    pv_note_get_text(terms->database, pv_buf_str(&name), text);
	pv_buf_finish(&name);
	return is_there;
}

/* The last run up to this one that began with a policy of its own; 0 if none
 * is known. */
static int64_t first_run_of(
    struct pv_audit_terms *terms, int64_t run, struct pv_buf *text)
{
	while (run > 0 && !get_text(terms, run, text))
		run--;
	return run;
}

static size_t find_policy(const struct pv_audit_terms *terms, int64_t run)
{
	for (size_t i = 0; i < terms->policy_count; i++) {
		if (terms->policies[i].run == run)
			return i;
	}
	return NONE;
}

static struct pv_policy *load(const struct pv_audit_terms *terms, int64_t run,
    const struct pv_buf *text, struct pv_why *why)
{
	struct pv_buf path;
	struct pv_policy *policy;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/policy.yaml", terms->directory);
	if (run)
		policy = pv_policy_load_text(
		    pv_buf_text(&path), pv_buf_str(text), why);
	else
		policy = pv_policy_load(
		    &(struct pv_sources){.file = pv_buf_text(&path)}, why);
	pv_buf_finish(&path);
	if (!pv_why_has_problems(why))
		return policy;
	pv_policy_destroy(policy);
	return NULL;
}

/* The place of the policy; NONE if it cannot be read. */
static size_t add_policy(
    struct pv_audit_terms *terms, int64_t run, struct pv_why *why)
{
	struct pv_buf text;
	pv_buf_init(&text, TEXT_MAX);
	int64_t first = first_run_of(terms, run, &text);
	size_t place = find_policy(terms, first);
	struct pv_policy *policy =
	    place == NONE ? load(terms, first, &text, why) : NULL;
	if (policy) {
		place = terms->policy_count;
		struct pv_audit_policy *added = PV_ARRAY_PUSH(
		    terms->policies, terms->policy_count, terms->policy_size);
		added->run = first;
		added->policy = policy;
		pv_paces_init(&added->paces, terms->environment);
		pv_resolve_table_init(&added->resolve, &policy->fetch.resolve);
	}
	pv_buf_finish(&text);
	return place;
}

const struct pv_policy *pv_audit_terms_policy(
    struct pv_audit_terms *terms, int64_t run, struct pv_why *why)
{
	if (run != terms->run) {
		terms->current = add_policy(terms, run, why);
		terms->run = run;
	}
	return terms->current == NONE ? NULL
				      : terms->policies[terms->current].policy;
}

/* Promises */

/* A server, as the crawl tells them apart. */
struct server {
	struct pv_str host;
	struct pv_str ip; /* empty where none is known */
	uint16_t port;    /* 0 where it does not count */
};

/* Where fetch.resolve has a port, that was asked. */
static uint16_t port_of(const struct pv_audit_terms *terms, struct pv_str host,
    struct pv_str ip, uint16_t port)
{
	const struct pv_audit_policy *by = &terms->policies[terms->current];
	struct pv_address address, own;
	if (!pv_address_read(ip, &address) ||
	    pv_address_kind(&address) != PV_ADDRESS_LOOPBACK)
		return 0;
	const struct pv_socket *socket = pv_resolve_table_get(
	    &by->resolve, host, pv_address_read(host, &own) ? &own : NULL);
	return socket && socket->port ? socket->port : port;
}

static uint32_t address_of(
    struct pv_audit_terms *terms, const struct server *server)
{
	struct pv_buf name;
	pv_buf_init(&name, SIZE_MAX);
	pv_buf_append(&name, server->ip);
	if (server->port)
		pv_buf_append_format(&name, " port %u", (unsigned)server->port);
	uint32_t number =
	    pv_audit_names_find(&terms->addresses, pv_buf_str(&name));
	pv_buf_finish(&name);
	return number;
}

static struct pv_audit_promise promise_of(
    struct pv_audit_terms *terms, const struct server *server)
{
	struct pv_audit_policy *by = &terms->policies[terms->current];
	struct pv_host_manners manners;
	struct pv_address address;
	/* With a proxy the address that was reached is the proxy's. */
	pv_policy_manners(by->policy, server->host, NULL, &manners);
	bool has_address = !manners.manners.proxies.count &&
			   pv_address_read(server->ip, &address);
	if (has_address)
		pv_policy_manners(by->policy, server->host, &address, &manners);
	return (struct pv_audit_promise){
	    .pace = pv_pace_of(&by->paces, &manners.manners),
	    .host = pv_audit_names_find(&terms->hosts, server->host),
	    .clock = pv_audit_names_find(&terms->clocks, manners.clock),
	    .address = has_address ? address_of(terms, server) : 0,
	    .has_address = has_address,
	    .is_robots_ignored = manners.manners.robots == PV_ROBOTS_IGNORE,
	};
}

uint32_t pv_audit_terms_of(struct pv_audit_terms *terms, struct pv_str host,
    struct pv_str ip, uint16_t port)
{
	const struct server server = {host, ip, port_of(terms, host, ip, port)};
	struct pv_buf key;
	pv_buf_init(&key, SIZE_MAX);
	pv_buf_append_format(
	    &key, "%zu %u ", terms->current, (unsigned)server.port);
	pv_buf_append(&key, ip);
	pv_buf_append_char(&key, ' ');
	pv_buf_append(&key, host);
	uint32_t number = pv_audit_names_find(&terms->keys, pv_buf_str(&key));
	pv_buf_finish(&key);
	if (number == terms->promise_count) {
		struct pv_audit_promise promise = promise_of(terms, &server);
		*PV_ARRAY_PUSH(terms->promises, terms->promise_count,
		    terms->promise_size) = promise;
	}
	return number;
}
