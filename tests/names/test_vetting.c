#include "names/vetting.h"

#include "policy/loaded.h"
#include "policy/values/private_list.h"
#include "scratch.h"
#include "tap.h"

/* One policy for each word of fetch.private, with the same hosts named. */
static const char policy_text[] = "version: 1\n"
				  "identity: {contact: bot@example.org}\n"
				  "domains:\n"
				  "  docs.test: {delay: 2s}\n"
				  "  \"*.below.test\": {delay: 2s}\n"
				  "  \"10.1.0.0/16\": {ip_delay: 1s}\n"
				  "  \"192.168.7.7\": {ip_delay: 1s}\n"
				  "  \"fd00:1::/32\": {ip_delay: 1s}\n"
				  "  \"0.0.0.0/0\": {ip_delay: 1s}\n"
				  "  \"::/0\": {ip_delay: 1s}\n"
				  "fetch:\n"
				  "  private: %s\n"
				  "  resolve:\n"
				  "    found.test: 127.0.0.1\n"
				  "    \"*.found.test\": 127.0.0.1\n"
				  "    \"192.0.2.80\": 127.0.0.1\n";

static const char never_text[] = "away.test\n"
				 "198.51.100.0/24\n"
				 "10.9.0.0/16\n"
				 "2001:db8:9::/48\n";

enum word { NAMED, ALL, NONE, WORDS };
static const char *const words[WORDS] = {"named", "all", "none"};

#define YES PV_VETTED_YES
#define NO_HOST PV_VETTED_NO_HOST
#define AWAY PV_VETTED_ASKED_AWAY
#define UNNAMED PV_VETTED_UNNAMED
#define FORBIDDEN PV_VETTED_NO_PRIVATE

static const struct {
	const char *host;
	const char *address;
	enum pv_vetted wanted[WORDS]; /* with named, all and none */
} cases[] = {
    /* Everybody's. */
    {"any.test", "192.0.2.1", {YES, YES, YES}},
    {"any.test", "8.8.8.8", {YES, YES, YES}},
    {"any.test", "2001:db8::1", {YES, YES, YES}},
    {"any.test", "2606:4700::1", {YES, YES, YES}},
    {"8.8.8.8", "8.8.8.8", {YES, YES, YES}},

    /* This machine's and private ones, of a host that nobody named. */
    {"any.test", "127.0.0.1", {UNNAMED, YES, FORBIDDEN}},
    {"any.test", "127.255.255.254", {UNNAMED, YES, FORBIDDEN}},
    {"any.test", "::1", {UNNAMED, YES, FORBIDDEN}},
    {"any.test", "10.0.0.1", {UNNAMED, YES, FORBIDDEN}},
    {"any.test", "172.16.0.1", {UNNAMED, YES, FORBIDDEN}},
    {"any.test", "172.31.255.255", {UNNAMED, YES, FORBIDDEN}},
    {"any.test", "172.32.0.1", {YES, YES, YES}},
    {"any.test", "192.168.0.1", {UNNAMED, YES, FORBIDDEN}},
    {"any.test", "169.254.169.254", {UNNAMED, YES, FORBIDDEN}},
    {"any.test", "100.64.0.1", {UNNAMED, YES, FORBIDDEN}},
    {"any.test", "198.18.0.1", {UNNAMED, YES, FORBIDDEN}},
    {"any.test", "fc00::1", {UNNAMED, YES, FORBIDDEN}},
    {"any.test", "fdff::1", {UNNAMED, YES, FORBIDDEN}},
    {"any.test", "fe80::1", {UNNAMED, YES, FORBIDDEN}},
    {"localhost", "127.0.0.1", {UNNAMED, YES, FORBIDDEN}},
    {"127.0.0.1", "127.0.0.1", {UNNAMED, YES, FORBIDDEN}},
    {"[::1]", "::1", {UNNAMED, YES, FORBIDDEN}},

    /* IPv4 within IPv6. */
    {"any.test", "::ffff:127.0.0.1", {UNNAMED, YES, FORBIDDEN}},
    {"any.test", "::ffff:10.0.0.1", {UNNAMED, YES, FORBIDDEN}},
    {"any.test", "2002:7f00:1::1", {UNNAMED, YES, FORBIDDEN}},
    {"any.test", "2002:a00:1::", {UNNAMED, YES, FORBIDDEN}},
    {"any.test", "64:ff9b::a9fe:a9fe", {UNNAMED, YES, FORBIDDEN}},
    {"any.test", "64:ff9b::808:808", {YES, YES, YES}},
    {"any.test", "::ffff:8.8.8.8", {YES, YES, YES}},
    {"any.test", "::ffff:0.0.0.0", {NO_HOST, NO_HOST, NO_HOST}},
    {"any.test", "2002:e000:1::1", {NO_HOST, NO_HOST, NO_HOST}},

    /* Nobody's. */
    {"any.test", "0.0.0.0", {NO_HOST, NO_HOST, NO_HOST}},
    {"any.test", "0.1.2.3", {NO_HOST, NO_HOST, NO_HOST}},
    {"any.test", "224.0.0.1", {NO_HOST, NO_HOST, NO_HOST}},
    {"any.test", "255.255.255.255", {NO_HOST, NO_HOST, NO_HOST}},
    {"any.test", "240.0.0.1", {NO_HOST, NO_HOST, NO_HOST}},
    {"any.test", "::", {NO_HOST, NO_HOST, NO_HOST}},
    {"any.test", "::127.0.0.1", {NO_HOST, NO_HOST, NO_HOST}},
    {"any.test", "ff02::1", {NO_HOST, NO_HOST, NO_HOST}},
    {"docs.test", "0.0.0.0", {NO_HOST, NO_HOST, NO_HOST}},
    {"seed.test", "ff02::1", {NO_HOST, NO_HOST, NO_HOST}},

    /* Named among the seeds. */
    {"seed.test", "127.0.0.1", {YES, YES, FORBIDDEN}},
    {"seed.test.", "10.0.0.1", {YES, YES, FORBIDDEN}},
    {"seed.test", "169.254.169.254", {YES, YES, FORBIDDEN}},
    {"www.seed.test", "10.0.0.1", {UNNAMED, YES, FORBIDDEN}},
    {"notseed.test", "10.0.0.1", {UNNAMED, YES, FORBIDDEN}},
    {"127.0.0.2", "127.0.0.2", {YES, YES, FORBIDDEN}},
    {"any.test", "127.0.0.2", {UNNAMED, YES, FORBIDDEN}},
    {"[fd00::2]", "fd00::2", {YES, YES, FORBIDDEN}},
    {"dot.test", "10.0.0.1", {YES, YES, FORBIDDEN}},

    /* In the domain table. */
    {"docs.test", "127.0.0.1", {YES, YES, FORBIDDEN}},
    {"docs.test.", "127.0.0.1", {YES, YES, FORBIDDEN}},
    {"a.docs.test", "127.0.0.1", {UNNAMED, YES, FORBIDDEN}},
    {"a.below.test", "10.0.0.1", {YES, YES, FORBIDDEN}},
    {"a.b.below.test", "10.0.0.1", {YES, YES, FORBIDDEN}},
    {"below.test", "10.0.0.1", {UNNAMED, YES, FORBIDDEN}},
    {"any.test", "10.1.2.3", {YES, YES, FORBIDDEN}},
    {"10.1.2.3", "10.1.2.3", {YES, YES, FORBIDDEN}},
    {"any.test", "::ffff:10.1.2.3", {YES, YES, FORBIDDEN}},
    {"any.test", "10.2.0.1", {UNNAMED, YES, FORBIDDEN}},
    {"any.test", "192.168.7.7", {YES, YES, FORBIDDEN}},
    {"any.test", "192.168.7.8", {UNNAMED, YES, FORBIDDEN}},
    {"any.test", "fd00:1::5", {YES, YES, FORBIDDEN}},
    {"any.test", "fd00:2::5", {UNNAMED, YES, FORBIDDEN}},

    /* In fetch.resolve. */
    {"found.test", "127.0.0.1", {YES, YES, FORBIDDEN}},
    {"a.found.test", "127.0.0.1", {YES, YES, FORBIDDEN}},
    {"192.0.2.80", "127.0.0.1", {YES, YES, FORBIDDEN}},

    /* never.txt is above all that. */
    {"any.test", "198.51.100.7", {AWAY, AWAY, AWAY}},
    {"seed.test", "198.51.100.7", {AWAY, AWAY, AWAY}},
    {"docs.test", "10.9.0.1", {AWAY, AWAY, AWAY}},
    {"198.51.100.8", "127.0.0.1", {AWAY, AWAY, AWAY}},
    {"any.test", "2001:db8:9::1", {AWAY, AWAY, AWAY}},
    {"any.test", "::ffff:198.51.100.7", {AWAY, AWAY, AWAY}},
    {"away.test", "192.0.2.1", {AWAY, AWAY, AWAY}},
    {"www.away.test", "192.0.2.1", {AWAY, AWAY, AWAY}},
};

static struct loaded load(enum word word)
{
	struct pv_buf text;
	pv_buf_init(&text, 65536);
	pv_buf_append_format(&text, policy_text, words[word]);
	struct loaded loaded = load_str(pv_buf_str(&text));
	ok(is_right(&loaded), "a policy with private: %s", words[word]);
	pv_buf_finish(&text);
	return loaded;
}

static void read_never(struct loaded *loaded, const struct scratch *scratch)
{
	const char *path = scratch_file(scratch, "never\x1b.txt");
	FILE *file = fopen(path, "w");
	ok(file && fputs(never_text, file) >= 0 && fclose(file) == 0,
	    "a never.txt");
	pv_never_read(&loaded->policy->never, path, &loaded->why);
	ok(is_right(loaded), "it is right");
}

static void name_seeds(struct pv_vetting *vetting)
{
	pv_vetting_add_named(vetting, PV_STR("seed.test"));
	pv_vetting_add_named(vetting, PV_STR("seed.test"));
	pv_vetting_add_named(vetting, PV_STR("dot.test."));
	pv_vetting_add_named(vetting, PV_STR("127.0.0.2"));
	pv_vetting_add_named(vetting, PV_STR("[fd00::2]"));
}

static struct pv_address address_of(const char *text)
{
	struct pv_address address = {0};
	if (!pv_address_read(pv_str_of(text), &address))
		ok(false, "%s is an address", text);
	return address;
}

static void test_cases(const struct pv_vetting *vetting, enum word word)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_address address = address_of(cases[i].address);
		enum pv_vetted vetted = pv_vetting_judge(
		    vetting, pv_str_of(cases[i].host), &address);
		if (!ok(vetted == cases[i].wanted[word],
			"with private: %s, %s at %s", words[word],
			cases[i].host, cases[i].address))
			printf("# found %d, wanted %d\n", (int)vetted,
			    (int)cases[i].wanted[word]);
	}
}

static void is_explained(const struct pv_vetting *vetting, const char *host,
    const char *text, const char *wanted)
{
	struct pv_buf why;
	struct pv_address address = address_of(text);
	pv_buf_init(&why, 1024);
	pv_vetting_explain(vetting, pv_str_of(host), &address, &why);
	ok(has_text(pv_buf_str(&why), text) &&
		has_text(pv_buf_str(&why), wanted),
	    "%s at %s: %s", host, text, wanted);
	printf("# %s\n", pv_buf_text(&why));
	pv_buf_finish(&why);
}

static void test_explained(const struct pv_vetting *vetting, enum word word)
{
	is_explained(vetting, "any.test", "192.0.2.1", "may be reached");
	is_explained(
	    vetting, "any.test", "ff02::1", "no address that a host can have");
	is_explained(vetting, "any.test", "198.51.100.1", "asked us away");
	is_explained(vetting, "any.test", "198.51.100.1", "line 2 of");
	is_explained(vetting, "any.test", "198.51.100.1", "never\\x1b.txt");
	if (word == NAMED)
		is_explained(vetting, "any.test", "10.0.0.1",
		    "neither seeds nor domains nor fetch.resolve name");
	if (word == NONE)
		is_explained(vetting, "seed.test", "10.0.0.1",
		    "fetch.private: none forbids");
}

/* Of a policy that a stranger has handed in. */
static void test_stranger(void)
{
	static const struct {
		const char *host;
		const char *address;
		enum pv_vetted wanted;
	} strangers[] = {
	    {"any.test", "192.0.2.1", YES},
	    {"seed.test", "10.0.0.1", UNNAMED},
	    {"own.test", "10.0.0.1", UNNAMED},
	    {"docs.test", "10.0.0.1", YES},
	    {"any.test", "10.1.2.3", YES},
	    {"any.test", "127.0.0.1", YES},
	    {"any.test", "127.1.0.1", UNNAMED},
	    {"any.test", "169.254.169.254", UNNAMED},
	};
	struct loaded owner = load(NAMED);
	struct loaded guest =
	    load_text("version: 1\nidentity: {contact: bot@example.org}\n"
		      "domains: {own.test: {delay: 9s}}\n");
	struct pv_private_list lent;
	struct pv_resolve_table resolve;
	struct pv_vetting vetting;
	pv_private_list_init(&lent);
	pv_private_list_add(&lent, PV_STR("127.0.0.0/16"));
	guest.policy->owner = owner.policy;
	guest.policy->lent = &lent;
	pv_resolve_table_init(&resolve, &guest.policy->fetch.resolve);
	pv_vetting_init(&vetting, guest.policy, &resolve);
	name_seeds(&vetting);
	for (size_t i = 0; i < sizeof(strangers) / sizeof(*strangers); i++) {
		struct pv_address address = address_of(strangers[i].address);
		ok(pv_vetting_judge(&vetting, pv_str_of(strangers[i].host),
		       &address) == strangers[i].wanted,
		    "P7: handed in by a stranger, %s at %s", strangers[i].host,
		    strangers[i].address);
	}
	pv_vetting_finish(&vetting);
	pv_resolve_table_finish(&resolve);
	pv_private_list_finish(&lent);
	loaded_finish(&guest);
	loaded_finish(&owner);
}

int main(void)
{
	struct scratch scratch;
	ok(scratch_make(&scratch), "a directory");
	for (enum word word = NAMED; word < WORDS; word++) {
		struct loaded loaded = load(word);
		struct pv_resolve_table resolve;
		struct pv_vetting vetting;
		read_never(&loaded, &scratch);
		pv_resolve_table_init(&resolve, &loaded.policy->fetch.resolve);
		pv_vetting_init(&vetting, loaded.policy, &resolve);
		name_seeds(&vetting);
		test_cases(&vetting, word);
		test_explained(&vetting, word);
		pv_vetting_finish(&vetting);
		pv_resolve_table_finish(&resolve);
		loaded_finish(&loaded);
	}
	test_stranger();
	scratch_remove(&scratch);
	return tap_done();
}
