#include "record/fingerprint.h"

#include "tap.h"

static const struct pv_hash_key key = {{11, 13}};

static struct pv_fingerprint of(const char *identity)
{
	return pv_fingerprint_of(&key, pv_str_of(identity));
}

static const struct {
	const char *claim;
	const char *one;
	const char *other;
	bool share_origin;
} pairs[] = {
    {"pages of a host stand together", "https://a.example/",
	"https://a.example/x/y?z=1", true},
    {"also where a query names another host",
	"https://a.example/?u=http://b.example/",
	"https://a.example/?u=http://c.example/", true},
    {"hosts stand apart", "https://a.example/x", "https://b.example/x", false},
    {"ports do", "https://a.example/x", "https://a.example:8443/x", false},
    {"schemes do", "http://a.example/x", "https://a.example/x", false},
    {"a host is no beginning of another", "http://a.example/",
	"http://a.example.org/", false},
    {"what has no path is its own origin", "http://a.example",
	"http://b.example", false},
    {"what is hardly anything is, too", "a:", "b:", false},
};

static void test_origins(void)
{
	for (size_t i = 0; i < sizeof(pairs) / sizeof(*pairs); i++) {
		struct pv_fingerprint one = of(pairs[i].one);
		struct pv_fingerprint other = of(pairs[i].other);
		ok((one.origin == other.origin) == pairs[i].share_origin &&
			one.address != other.address &&
			one.origin <= INT32_MAX && other.origin <= INT32_MAX,
		    "%s", pairs[i].claim);
	}
	ok(of("").origin == of("").origin, "nothing at all has one as well");
}

static void test_key(void)
{
	static const struct pv_hash_key other_key = {{11, 14}};
	struct pv_str identity = PV_STR("https://a.example/");
	struct pv_fingerprint one = pv_fingerprint_of(&key, identity);
	struct pv_fingerprint other = pv_fingerprint_of(&other_key, identity);
	ok(one.address != other.address && one.origin != other.origin,
	    "nobody knows either without the crawl's key");
}

static void test_order(void)
{
	static const struct pv_fingerprint sorted[] = {
	    {.origin = 1, .address = UINT64_MAX},
	    {.origin = 1, .address = 0},
	    {.origin = 1, .address = INT64_MAX},
	    {.origin = 2, .address = (uint64_t)INT64_MIN},
	    {.origin = 2, .address = 5},
	};
	for (size_t i = 0; i < 5; i++)
		for (size_t j = 0; j < 5; j++) {
			int order =
			    pv_fingerprint_compare(&sorted[i], &sorted[j]);
			ok((order > 0) == (i > j) && (order < 0) == (i < j),
			    "the order is that of SQLite's integers: %zu, %zu",
			    i, j);
		}
}

int main(void)
{
	test_origins();
	test_key();
	test_order();
	return tap_done();
}
