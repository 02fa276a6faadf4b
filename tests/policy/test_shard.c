#include "policy/shard.h"

#include "policy/loaded.h"

/* Which machine asks which host, where several share a crawl. */

static const struct {
	const char *text;
	uint32_t number; /* 0: it is none */
	uint32_t count;
} texts[] = {
    {"1/1", 1, 1},
    {"2/4", 2, 4},
    {"1000/1000", 1000, 1000},
    {"0/4", 0, 0},
    {"5/4", 0, 0},
    {"1/1001", 0, 0},
    {"1/0", 0, 0},
    {"1", 0, 0},
    {"1/", 0, 0},
    {"/4", 0, 0},
    {"", 0, 0},
    {" 1/4", 0, 0},
    {"1/4 ", 0, 0},
    {"-1/4", 0, 0},
    {"+1/4", 0, 0},
    {"1/4/4", 0, 0},
    {"99999999999999999999/99999999999999999999", 0, 0},
};

static void test_texts(void)
{
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct pv_shard shard = {7, 9};
		bool is_read = pv_shard_read(pv_str_of(texts[i].text), &shard);
		uint32_t number = texts[i].number ? texts[i].number : 7;
		uint32_t count = texts[i].number ? texts[i].count : 9;
		ok(is_read == (texts[i].number != 0) &&
			shard.number == number && shard.count == count,
		    "\"%s\" is %s", texts[i].text,
		    texts[i].number ? "a shard" : "none, and changes nothing");
	}
}

static const char table[] = "politeness: {delay: 3s}\n"
			    "domains:\n"
			    "  \"*.blogs.example\": {share: true}\n"
			    "  own.blogs.example: {share: false}\n"
			    "  \"10.0.0.0/8\": {delay: 6s}\n";

static uint32_t of(
    const struct pv_policy *policy, uint32_t count, const char *host)
{
	return pv_shard_of(policy, count, pv_str_of(host));
}

/* Machines of other versions and kinds must come to the same. */
static void test_same(const struct pv_policy *policy)
{
	static const struct {
		const char *host;
		uint32_t of_four;
		uint32_t of_seven;
	} hosts[] = {
	    {"docs.example.org", 2, 3},
	    {"example.org", 1, 3},
	    {"h1.test", 3, 1},
	    {"10.1.2.3", 4, 5},
	};
	for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts); i++) {
		uint32_t four = of(policy, 4, hosts[i].host);
		uint32_t seven = of(policy, 7, hosts[i].host);
		ok(four == hosts[i].of_four && seven == hosts[i].of_seven,
		    "%s is of shard %u of 4 and %u of 7 for ever",
		    hosts[i].host, (unsigned)four, (unsigned)seven);
	}
}

static void test_clocks(const struct pv_policy *policy)
{
	uint32_t shared = of(policy, 1000, "a.blogs.example");
	bool is_one = true, is_apart = false;
	for (unsigned i = 0; i < 100; i++) {
		char host[32];
		snprintf(host, sizeof(host), "b%u.blogs.example", i);
		is_one = is_one && of(policy, 1000, host) == shared;
		snprintf(host, sizeof(host), "b%u.other.example", i);
		is_apart = is_apart || of(policy, 1000, host) != shared;
	}
	ok(is_one && is_apart,
	    "P1: hosts that share a clock are of one shard, and others of any");
	ok(of(policy, 1000, "own.blogs.example") != shared,
	    "one that the table excepts is not");
	ok(of(policy, 1000, "a.blogs.example.") == shared &&
		of(policy, 7, "h1.test.") == of(policy, 7, "h1.test"),
	    "P1: a dot at the end makes no other host");
}

static void test_parts(const struct pv_policy *policy)
{
	unsigned counts[5] = {0};
	for (unsigned i = 0; i < 4000; i++) {
		char host[32];
		snprintf(host, sizeof(host), "h%u.test", i);
		uint32_t shard = of(policy, 4, host);
		counts[shard <= 4 ? shard : 0]++;
	}
	ok(!counts[0] && counts[1] > 850 && counts[2] > 850 &&
		counts[3] > 850 && counts[4] > 850,
	    "each of four has about a quarter (%u, %u, %u, %u)", counts[1],
	    counts[2], counts[3], counts[4]);
	ok(of(policy, 1, "h1.test") == 1, "the only one has all");
}

static void test_elsewhere(const struct pv_policy *policy)
{
	uint32_t owner = of(policy, 4, "h1.test");
	const struct pv_shard ours = {owner, 4}, whole = {0, 0};
	const struct pv_shard other = {owner % 4 + 1, 4};
	struct pv_str host = PV_STR("h1.test");
	ok(pv_shard_elsewhere(policy, &ours, host) == 0 &&
		pv_shard_elsewhere(policy, &other, host) == owner,
	    "a host is elsewhere for all shards but its own");
	ok(pv_shard_elsewhere(policy, &whole, host) == 0,
	    "and never where the crawl is not divided");
}

int main(void)
{
	struct loaded loaded = load_str(PV_STR(table));
	test_texts();
	test_same(loaded.policy);
	test_clocks(loaded.policy);
	test_parts(loaded.policy);
	test_elsewhere(loaded.policy);
	loaded_finish(&loaded);
	return tap_done();
}
