#include "policy/domains.h"

#include <stdlib.h>

#include "policy/domain_entry.h"
#include "policy/loaded.h"
#include "random.h"

/* P1: the delay that a host is owed is the one that was asked for. */

static const char table[] = "politeness: {delay: 3s, jitter: 0.5}\n"
			    "domains:\n"
			    "  docs.example.org: {delay: 1s}\n"
			    "  \"*.example.org\": {delay: 2s, connections: 2}\n"
			    "  \"*.a.example.org\": {connections: 3}\n"
			    "  \"*.blogs.example\": {delay: 4s, share: true}\n"
			    "  \"*.b.blogs.example\": {share: false}\n"
			    "  \"*.c.blogs.example\": {jitter: 0.25}\n"
			    "  own.blogs.example: {delay: 5s}\n"
			    "  \"10.0.0.0/8\": {delay: 6s, ip_delay: 1s}\n"
			    "  \"10.1.0.0/16\": {ip_delay: 2s}\n"
			    "  10.1.2.3: {ip_delay: 3s, robots: ignore}\n"
			    "  \"[2001:db8::]\": {ip_delay: 4s}\n"
			    "  \"2001:db8::/32\": {ip_delay: 5s}\n"
			    "  localhost: {tls: {verify: false}}\n";

static const struct {
	const char *host;
	const char *address;
	int64_t delay_ms;
	int64_t connections;
	int64_t ip_delay_ms;
	double jitter;
	const char *clock;
} cases[] = {
    {"other.example", NULL, 3000, 1, 250, 0.5, "other.example"},
    {"docs.example.org", NULL, 1000, 2, 250, 0.5, "docs.example.org"},
    {"docs.example.org.", NULL, 1000, 2, 250, 0.5, "docs.example.org"},
    {"www.example.org", NULL, 2000, 2, 250, 0.5, "www.example.org"},
    {"example.org", NULL, 3000, 1, 250, 0.5, "example.org"},
    {"x.a.example.org", NULL, 2000, 3, 250, 0.5, "x.a.example.org"},
    {"a.example.org", NULL, 2000, 2, 250, 0.5, "a.example.org"},
    {"x.blogs.example", NULL, 4000, 1, 250, 0.5, "*.blogs.example"},
    {"y.blogs.example.", NULL, 4000, 1, 250, 0.5, "*.blogs.example"},
    {"x.b.blogs.example", NULL, 4000, 1, 250, 0.5, "x.b.blogs.example"},
    {"x.c.blogs.example", NULL, 4000, 1, 250, 0.25, "*.blogs.example"},
    {"own.blogs.example", NULL, 5000, 1, 250, 0.5, "*.blogs.example"},
    {"docs.example.org", "10.1.2.3", 1000, 2, 3000, 0.5, "docs.example.org"},
    {"other.example", "10.1.2.3", 6000, 1, 3000, 0.5, "other.example"},
    {"other.example", "10.1.2.4", 6000, 1, 2000, 0.5, "other.example"},
    {"other.example", "10.2.2.4", 6000, 1, 1000, 0.5, "other.example"},
    {"10.1.2.3", "10.1.2.3", 6000, 1, 3000, 0.5, "10.1.2.3"},
    {"other.example", "2001:db8::", 3000, 1, 4000, 0.5, "other.example"},
    {"[2001:db8::1]", "2001:db8::1", 3000, 1, 5000, 0.5, "[2001:db8::1]"},
    {"other.example", "2001:db9::1", 3000, 1, 250, 0.5, "other.example"},
};

static void ask(const struct pv_policy *policy, const char *host,
    const char *written, struct pv_host_manners *manners)
{
	struct pv_address address;
	if (written)
		pv_address_read(pv_str_of(written), &address);
	pv_policy_manners(
	    policy, pv_str_of(host), written ? &address : NULL, manners);
}

static void test_answers(const struct pv_policy *policy)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_host_manners answer;
		const struct pv_manners *manners = &answer.manners;
		ask(policy, cases[i].host, cases[i].address, &answer);
		ok(manners->delay_ms == cases[i].delay_ms &&
			manners->connections == cases[i].connections &&
			manners->ip_delay_ms == cases[i].ip_delay_ms &&
			manners->jitter == cases[i].jitter,
		    "%s (%s) is owed what the table says, key by key "
		    "(%lld, %lld, %lld)",
		    cases[i].host,
		    cases[i].address ? cases[i].address : "no address",
		    (long long)manners->delay_ms,
		    (long long)manners->connections,
		    (long long)manners->ip_delay_ms);
		is_text(answer.clock, cases[i].clock,
		    "the clock of %s is called %s", cases[i].host,
		    cases[i].clock);
		is_text(pv_domains_clock(
			    &policy->domains, pv_str_of(cases[i].host)),
		    cases[i].clock, "also where only that is asked");
	}
}

static const struct {
	const char *host;
	const char *address;
	const char *path;
	const char *domain; /* NULL where no entry says it */
	unsigned line;      /* 0 for a default */
} origins[] = {
    {"docs.example.org", NULL, "politeness.delay", "docs.example.org", 3},
    {"docs.example.org", NULL, "politeness.connections", "*.example.org", 4},
    {"docs.example.org", NULL, "politeness.jitter", NULL, 1},
    {"docs.example.org", NULL, "politeness.max_delay", NULL, 0},
    {"x", "10.1.2.3", "politeness.ip_delay", "10.1.2.3", 12},
    {"x", "10.1.2.3", "politeness.delay", "10.0.0.0/8", 10},
    {"x", "10.1.2.3", "domains.*.robots", "10.1.2.3", 12},
    {"x", NULL, "domains.*.robots", NULL, 0},
    {"localhost", NULL, "fetch.tls.verify", "localhost", 15},
    {"x.c.blogs.example", NULL, "domains.*.share", "*.blogs.example", 6},
    {"x", NULL, "no.such.key", NULL, 0},
};

/* P4 */
static void test_origins(const struct pv_policy *policy)
{
	for (size_t i = 0; i < sizeof(origins) / sizeof(*origins); i++) {
		struct pv_host_manners answer;
		const char *domain;
		ask(policy, origins[i].host, origins[i].address, &answer);
		struct pv_origin origin =
		    pv_host_manners_origin(&answer, origins[i].path, &domain);
		is_text(pv_str_of(domain ? domain : "(none)"),
		    origins[i].domain ? origins[i].domain : "(none)",
		    "the %s of %s is said by its entry", origins[i].path,
		    origins[i].host);
		ok(origin.place.line == origins[i].line,
		    "the %s of %s stands on line %u (%u)", origins[i].path,
		    origins[i].host, origins[i].line, origin.place.line);
	}
}

/* Where each key stands is decided when it is written. */
static void test_fitting(void)
{
	static const struct {
		const char *policy;
		const char *part; /* of the problem; NULL for none */
	} fits[] = {
	    {"domains: {a.example: {robots: ignore}}", NULL},
	    {"domains: {10.0.0.0/8: {robots: ignore}}", NULL},
	    {"domains: {127.0.0.1: {robots: ignore}}", NULL},
	    {"domains: {192.0.2.1: {robots: ignore}}", NULL},
	    {"domains: {\"fc00::/7\": {robots: ignore}}", NULL},
	    {"domains: {\"*.example\": {robots: obey}}", NULL},
	    {"domains: {\"*.example\": {robots: ignore}}", "exact names"},
	    {"domains: {8.8.8.0/24: {robots: ignore}}", "exact names"},
	    {"domains: {0.0.0.0/0: {robots: ignore}}", "exact names"},
	    {"domains: {10.0.0.0/7: {robots: ignore}}", "exact names"},
	    {"domains: {\"::/0\": {robots: ignore}}", "exact names"},
	    {"domains: {\"*.example\": {share: true}}", NULL},
	    {"domains: {a.example: {share: false}}", NULL},
	    {"domains: {a.example: {share: true}}", "share a clock"},
	    {"domains: {10.0.0.0/8: {share: true}}", "share a clock"},
	    {"domains: {a.example: {}, A.example.: {}}", "same host"},
	    {"domains: {a.example: {max_size: 1MB}}", "unknown key"},
	    {"domains: {a.example: {rate: 1}}", "domain table"},
	    {"politeness: {share: true}", "unknown key"},
	};
	for (size_t i = 0; i < sizeof(fits) / sizeof(*fits); i++) {
		struct loaded loaded = load_text(fits[i].policy);
		struct pv_str problem = problem_of(&loaded, 0);
		ok(fits[i].part ? has_text(problem, fits[i].part)
				: !problem.len,
		    "%s is %s", fits[i].policy,
		    fits[i].part ? "refused" : "right");
		loaded_finish(&loaded);
	}
}

/* A reference that looks at each entry in turn, and needs no index. */

static bool matches(const struct pv_domain_entry *entry, struct pv_str host,
    const struct pv_address *address)
{
	struct pv_str name = pv_str_of(entry->name);
	if (entry->kind == PV_HOST_EXACT)
		return pv_str_equal(name, host);
	if (entry->kind == PV_HOST_BELOW) /* "*.a" ends in ".a" */
		return host.len >= name.len &&
		       pv_str_ends(host, pv_str_from(name, 1));
	return address && pv_network_holds(&entry->network, address);
}

static bool is_more_specific(
    const struct pv_domain_entry *a, const struct pv_domain_entry *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind;
	if (a->kind == PV_HOST_BELOW)
		return strlen(a->name) > strlen(b->name);
	return a->network.prefix > b->network.prefix;
}

static const struct pv_domain_setting *setting_of(
    const struct pv_domains *domains, struct pv_str host,
    const struct pv_address *address, const struct pv_option *option)
{
	const struct pv_domain_entry *best = NULL;
	for (size_t i = 0; i < domains->count; i++) {
		const struct pv_domain_entry *entry = &domains->entries[i];
		if (matches(entry, host, address) &&
		    pv_domain_entry_get(entry, option) &&
		    (!best || is_more_specific(entry, best)))
			best = entry;
	}
	return best ? pv_domain_entry_get(best, option) : NULL;
}

static void append_random_name(struct random *random, struct pv_buf *buf)
{
	size_t labels = 1 + random_below(random, 4);
	for (size_t i = 0; i < labels; i++)
		pv_buf_append_format(buf, "%s%c", i ? "." : "",
		    (char)('a' + random_below(random, 3)));
}

static void append_random_address(struct random *random, struct pv_buf *buf)
{
	unsigned last = (unsigned)random_below(random, 4);
	if (random_below(random, 2))
		pv_buf_append_format(buf, "10.%u.0.%u", last, last);
	else
		pv_buf_append_format(buf, "2001:db8:%u::%u", last, last);
}

static void append_random_pattern(struct random *random, struct pv_buf *buf)
{
	struct pv_buf text;
	struct pv_address address;
	pv_buf_init(&text, 256);
	switch (random_below(random, 4)) {
	case 0:
		append_random_name(random, buf);
		break;
	case 1:
		pv_buf_append_text(buf, "*.");
		append_random_name(random, buf);
		break;
	default:
		append_random_address(random, &text);
		pv_address_read(pv_buf_str(&text), &address);
		struct pv_network network = pv_network_of(
		    &address, (uint8_t)random_below(random, address.bits + 1u));
		pv_network_write(&network, buf);
		break;
	}
	pv_buf_finish(&text);
}

static struct loaded random_table(struct random *random)
{
	struct pv_buf text;
	struct pv_setting settings[64];
	size_t starts[64];
	size_t count = 1 + random_below(random, 64);
	pv_buf_init(&text, 65536);
	for (size_t i = 0; i < count; i++) {
		starts[i] = text.len;
		append_random_pattern(random, &text);
		pv_buf_append_char(&text, '\0');
		settings[i].assignment = i % 3 == 0   ? "delay=7s"
					 : i % 3 == 1 ? "delay=8s"
						      : "connections=9";
	}
	for (size_t i = 0; i < count; i++)
		settings[i].host = text.ptr + starts[i];
	struct pv_sources sources = {
	    .settings = settings, .setting_count = count};
	struct loaded loaded = load_sources(&sources);
	pv_buf_finish(&text);
	return loaded;
}

static bool is_answer_right(const struct pv_policy *policy, struct pv_str host,
    const struct pv_address *address)
{
	const struct pv_option *delay =
	    pv_option_get(PV_STR("delay"), &pv_names_of_domain);
	const struct pv_option *connections =
	    pv_option_get(PV_STR("connections"), &pv_names_of_domain);
	const struct pv_domain_setting *a =
	    setting_of(&policy->domains, host, address, delay);
	const struct pv_domain_setting *b =
	    setting_of(&policy->domains, host, address, connections);
	struct pv_host_manners answer;
	pv_policy_manners(policy, host, address, &answer);
	return answer.manners.delay_ms == (a ? a->value.count : 1000) &&
	       answer.manners.connections == (b ? b->value.count : 1);
}

static void test_reference(void)
{
	struct random random = random_of(11);
	unsigned right = 0;
	unsigned asked = 0;
	unsigned loads = 0;
	for (unsigned round = 0; round < 300; round++) {
		struct loaded loaded = random_table(&random);
		loads += !pv_why_has_problems(&loaded.why);
		for (unsigned i = 0; i < 50; i++, asked++) {
			struct pv_buf host;
			struct pv_buf text;
			struct pv_address address;
			pv_buf_init(&host, 256);
			pv_buf_init(&text, 256);
			append_random_name(&random, &host);
			append_random_address(&random, &text);
			pv_address_read(pv_buf_str(&text), &address);
			right += is_answer_right(loaded.policy,
			    pv_buf_str(&host), i % 3 ? &address : NULL);
			pv_buf_finish(&text);
			pv_buf_finish(&host);
		}
		loaded_finish(&loaded);
	}
	ok(loads == 300, "300 tables by chance are right (%u)", loads);
	ok(right == asked,
	    "%u of %u hosts are owed what a look at each entry says", right,
	    asked);
}

int main(void)
{
	struct loaded loaded = load_text(table);
	ok(is_right(&loaded), "the table is right");
	test_answers(loaded.policy);
	test_origins(loaded.policy);
	loaded_finish(&loaded);
	test_fitting();
	test_reference();
	return tap_done();
}
