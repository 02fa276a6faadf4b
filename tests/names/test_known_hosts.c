#include "names/known_hosts.h"

#include "names/shown.h"
#include "policy/loaded.h"
#include "scratch.h"

static const char policy_text[] = "version: 1\n"
				  "identity: {contact: bot@example.org}\n"
				  "fetch:\n"
				  "  resolve:\n"
				  "    here.test: \"192.0.2.10:8080\"\n"
				  "    \"*.here.test\": \"[2001:db8::10]:81\"\n"
				  "    both.test: 192.0.2.11\n"
				  "    \"192.0.2.12\": 192.0.2.13\n"
				  "    away.localhost: 192.0.2.14\n"
				  "    \"*.onion\": \"127.0.0.1:9050\"\n";

static const char hosts_text[] = "192.0.2.20 table.test both.test\n"
				 "2001:db8::20 table.test\n"
				 "192.0.2.21 192.0.2.22 localhost\n"
				 "0.0.0.0 blocked.test\n"
				 "127.0.1.1 machine a.invalid\n";

static const struct {
	const char *host;
	const char *wanted; /* NULL: a name server has to be asked */
	const char *claim;
} cases[] = {
    {"here.test", "192.0.2.10 port 8080", "fetch.resolve finds it"},
    {"here.test.", "192.0.2.10 port 8080", "with a dot behind"},
    {"a.here.test", "2001:db8::10 port 81", "by a star"},
    {"both.test", "192.0.2.11", "fetch.resolve comes before the table"},
    {"192.0.2.12", "192.0.2.13", "fetch.resolve comes before the address"},
    {"away.localhost", "192.0.2.14", "and before this machine"},
    {"x.onion", "127.0.0.1 port 9050", "and before what is never asked"},
    {"192.0.2.21", "192.0.2.21", "an address is itself"},
    {"192.0.2.22", "192.0.2.22", "whatever the table says of it"},
    {"[2001:db8::1]", "2001:db8::1", "an address is itself"},
    {"localhost", "127.0.0.1 ::1", "this machine, whatever the table says"},
    {"a.localhost", "127.0.0.1 ::1", "all below it"},
    {"localhost.", "127.0.0.1 ::1", "with a dot behind"},
    {"table.test", "192.0.2.20 2001:db8::20", "the table has it"},
    {"table.test.", "192.0.2.20 2001:db8::20", "with a dot behind"},
    {"blocked.test", "forbidden: 0.0.0.0 is no address that a host can have",
	"the table keeps one from it"},
    {"machine", "127.0.1.1", "a name that stands in the table only"},
    {"a..test", "unknown: the name has an empty part between two dots",
	"no such name can be"},
    {"", "unknown: the name is empty", "no such name can be"},
    {"a.invalid", "unknown: names below .invalid do not exist (RFC 6761)",
	"no such name can be"},
    {"any.test", NULL, "nobody knows it"},
    {"a.table.test", NULL, "nobody knows it"},
    {"notlocalhost", NULL, "nobody knows it"},
};

static void test_cases(
    const struct pv_known_hosts *known, const struct pv_vetting *vetting)
{
	struct pv_buf text;
	pv_buf_init(&text, 4096);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_gathering gathering;
		struct pv_name_answer answer = {0};
		pv_gathering_init(
		    &gathering, vetting, pv_str_of(cases[i].host), NULL);
		bool is_known =
		    pv_known_hosts_answer(known, &gathering, &answer);
		ok(is_known == (cases[i].wanted != NULL), "\"%s\" is%s known",
		    cases[i].host, cases[i].wanted ? "" : " not");
		if (is_known)
			is_text(shown(&answer, &text),
			    cases[i].wanted ? cases[i].wanted : "",
			    "\"%s\": %s", cases[i].host, cases[i].claim);
	}
	pv_buf_finish(&text);
}

int main(void)
{
	struct loaded loaded = load_text(policy_text);
	struct pv_known_hosts known;
	struct pv_vetting vetting;
	struct scratch scratch;
	ok(is_right(&loaded) && scratch_make(&scratch), "a policy");
	const char *path = scratch_file(&scratch, "hosts");
	FILE *file = fopen(path, "w");
	ok(file && fputs(hosts_text, file) >= 0 && fclose(file) == 0,
	    "a table of hosts");
	pv_known_hosts_init(&known, loaded.policy, path);
	pv_vetting_init(&vetting, loaded.policy, &known.resolve);
	pv_vetting_add_named(&vetting, PV_STR("localhost"));
	pv_vetting_add_named(&vetting, PV_STR("a.localhost"));
	pv_vetting_add_named(&vetting, PV_STR("machine"));
	test_cases(&known, &vetting);
	pv_vetting_finish(&vetting);
	pv_known_hosts_finish(&known);
	scratch_remove(&scratch);
	loaded_finish(&loaded);
	return tap_done();
}
