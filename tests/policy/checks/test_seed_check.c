#include "policy/checks/seed_check.h"

#include "policy/loaded.h"

/* Whom seeds and scope may ask, before anybody is (P7). What is wrong with single
 * seeds is in mistakes.txt. */

#define CONTACT "identity: {contact: me@host.test}\n"
#define FOREIGN "is not your own host"
#define THOUSANDS "http://h{1..20001}.test/"
#define ALL_OURS "fetch: {resolve: {\"*.test\": 127.0.0.1}}\n"
#define NONE_PRIVATE \
	"fetch: {private: none, resolve: {\"*.test\": 127.0.0.1}}\n"

static const struct {
	const char *policy;
	const char *problem; /* NULL: none */
	const char *claim;
} cases[] = {
    {"seeds: [http://localhost/]\n", NULL, "this machine is our own"},
    {"seeds: [http://10.0.0.1/]\n", NULL, "so is a private network"},
    {"seeds: [http://a.test/]\n", FOREIGN, "a name is somebody else's"},
    {"seeds: [http://a.test/]\n" CONTACT, NULL, "whom a contact is told"},
    {"seeds: [http://a.test/]\n" ALL_OURS, NULL,
	"a name that leads to this machine is our own"},
    {"seeds: [http://localhost/]\n"
     "fetch: {resolve: {localhost: 93.184.216.34}}\n",
	FOREIGN, "one that leads away from it is not"},
    {"seeds: [http://0.0.0.0/]\n" CONTACT, "is not an address of a host",
	"nobody is at an address of no host"},
    {"seeds: [http://localhost/]\n" NONE_PRIVATE, "fetch.private: none",
	"what a policy forbids is no seed of it"},
    {"seeds: [http://localhost/]\nscope: {hosts: [224.0.0.1]}\n", FOREIGN,
	"an address of no host is not our own"},
    {"seeds: [http://localhost/]\nscope: {hosts: [\"*.a.test\"]}\n"
     "fetch: {resolve: {a.test: 127.0.0.1}}\n",
	NULL, "what is below a name is its owner's"},
    {"seeds: [\"http://h{1..20000}.test/\"]\n" ALL_OURS, NULL,
	"each of some thousand hosts is looked at"},
    {"seeds: [\"" THOUSANDS "\"]\n" ALL_OURS, "this seed " FOREIGN,
	"too many to be looked at are not known to be our own"},
    {"seeds: [\"" THOUSANDS "\"]\n" CONTACT, NULL,
	"whom a contact is told, too"},
    {"seeds: [\"" THOUSANDS
     "\", \"http://x{1..2}.test/\"]\n" CONTACT NONE_PRIVATE,
	NULL, "behind too many no template is looked at"},
    {"seeds: [\"http://localhost/{1..20001}\"]\n", NULL,
	"of too many addresses only the hosts are looked at"},
    {"seeds: [\"http://localhost/{1..15000}\", "
     "\"http://a.localhost/{1..15000}\", \"http://b.test/{1..15000}\"]\n",
	FOREIGN, "those of each seed"},
};

static void test_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct loaded loaded = load_text(cases[i].policy);
		bool is_so =
		    cases[i].problem
			? loaded.why.problems.count == 1 &&
			      has_text(problem_of(&loaded, 0), cases[i].problem)
			: is_right(&loaded);
		ok(is_so, "P7: %s", cases[i].claim);
		loaded_finish(&loaded);
	}
}

/* Whether a note says so, and nothing is wrong. */
static bool is_noted(const char *scope)
{
	char text[200];
	snprintf(text, sizeof(text),
	    "seeds: [http://localhost/]\nscope: {%s}\n", scope);
	struct loaded loaded = load_text(text);
	bool is_one = is_right(&loaded) && loaded.why.notes.count == 1 &&
		      strstr(loaded.why.notes.kept[0].text,
			  "links may lead to other people's hosts");
	loaded_finish(&loaded);
	return is_one;
}

static void test_notes(void)
{
	ok(is_noted("hosts: any"), "P7: links to anybody want a contact");
	ok(is_noted("hops: 1"), "P7: so do those that lead one page away");
	ok(!is_noted("hosts: same"), "but not those that stay");
}

int main(void)
{
	test_cases();
	test_notes();
	return tap_done();
}
