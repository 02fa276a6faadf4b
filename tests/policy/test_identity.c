#include "policy/identity.h"

#include "policy/policy.h"
#include "tap.h"

/* P7: a true User-Agent with a contact. */

static const struct {
	struct pv_identity identity;
	const char *product;
	const char *agent;
} cases[] = {
    {{"pavane/0.1", NULL, NULL}, "pavane", "pavane/0.1"},
    {{"examplebot", "a@b.example", NULL}, "examplebot",
	"examplebot (+a@b.example)"},
    {{"examplebot/1.2", "https://b.example/bot", "a@b.example"}, "examplebot",
	"examplebot/1.2 (+https://b.example/bot)"},
};

static const struct {
	const char *contact;
	bool is_example;
} contacts[] = {
    {"https://example.org/bot", true},
    {"https://www.EXAMPLE.com/", true},
    {"bot@example.net", true},
    {"bot@mail.example.net", true},
    {"bot@anything.example", true},
    {"https://bot.invalid/", true},
    {"https://example.org.evil.test/", false},
    {"https://notexample.org/", false},
    {"bot@myexample.com", false},
    {"https://host.test/example.org", false},
    {"https://host.test/?a=b@example.org", false},
    {"bot@example.de", false},
};

int main(void)
{
	struct pv_buf agent;
	pv_buf_init(&agent, 4096);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		pv_buf_clear(&agent);
		pv_identity_write_agent(&cases[i].identity, &agent);
		is_text(pv_buf_str(&agent), cases[i].agent,
		    "we say who we are: %s", cases[i].agent);
		is_text(pv_identity_product(&cases[i].identity),
		    cases[i].product, "robots.txt is matched with %s",
		    cases[i].product);
	}
	for (size_t i = 0; i < sizeof(contacts) / sizeof(*contacts); i++)
		ok(pv_contact_is_example(contacts[i].contact) ==
			contacts[i].is_example,
		    "%s is %s", contacts[i].contact,
		    contacts[i].is_example ? "nobody's" : "somebody's");
	pv_buf_finish(&agent);
	return tap_done();
}
