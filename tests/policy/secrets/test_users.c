#include "policy/secrets/users.h"

#include <stdlib.h>

#include "policy/loaded.h"
#include "policy/option.h"
#include "policy/policy.h"
#include "policy/scratch.h"
#include "policy/secrets/shown.h"

/* As whom a host is asked, from wherever that stands; and what a policy is told
 * that says it wrongly. */

static const char *value_of(const struct pv_users *users,
    const struct pv_policy *policy, const char *host)
{
	struct pv_host_manners manners;
	pv_policy_manners(policy, pv_str_of(host), NULL, &manners);
	return pv_users_find(users, manners.manners.user, pv_str_of(host));
}

static void is_value(const struct pv_users *users,
    const struct pv_policy *policy, const char *host, const char *wanted,
    const char *claim)
{
	const char *value = value_of(users, policy, host);
	if (!ok(wanted ? value && strcmp(value, wanted) == 0 : !value, "%s",
		claim))
		printf("# %s\n", value ? value : "none");
}

static void test_sources(struct scratch *scratch)
{
	struct pv_users users;
	struct pv_buf text;
	setenv("TEST_LOGIN", "anna:se:cret", 1);
	setenv("TEST_WORD", "secret", 1);
	scratch_write(scratch, "token", PV_STR("abc.def\n"));
	scratch_write(scratch, "login", PV_STR("anna:secret\r\n"));
	scratch_write(scratch, "netrc",
	    PV_STR("machine n.test login anna password secret\n"));
	pv_buf_init(&text, SIZE_MAX);
	pv_buf_append_format(&text,
	    "domains:\n"
	    "  a.test: {user: \"anna:secret\"}\n"
	    "  b.test: {user: \"anna:${TEST_WORD}\"}\n"
	    "  c.test: {user: \"basic ${TEST_LOGIN}\"}\n"
	    "  d.test: {user: \"bearer ${TEST_WORD}\"}\n"
	    "  e.test: {user: bearer %s/token}\n"
	    "  f.test: {user: basic %s/login}\n"
	    "  \"*.test\": {user: netrc %s/netrc}\n"
	    "  g.test: {user: none}\n"
	    "  \"*.h.test\": {user: \"anna:secret\"}\n",
	    scratch->dir, scratch->dir, scratch->dir);
	struct loaded loaded = load_text(pv_buf_text(&text));
	pv_users_init(&users);
	ok(is_right(&loaded) && pv_users_read(&users, loaded.policy, true,
				    &loaded.why),
	    "users of all kinds are read");
	is_value(&users, loaded.policy, "a.test", "Basic YW5uYTpzZWNyZXQ=",
	    "a name and a password");
	is_value(&users, loaded.policy, "b.test", "Basic YW5uYTpzZWNyZXQ=",
	    "a name, and the password in the environment");
	is_value(&users, loaded.policy, "c.test", "Basic YW5uYTpzZTpjcmV0",
	    "both in the environment: the first colon divides them");
	is_value(&users, loaded.policy, "d.test", "Bearer secret",
	    "a token in the environment");
	is_value(&users, loaded.policy, "e.test", "Bearer abc.def",
	    "a token in a file, without the end of its line");
	is_value(&users, loaded.policy, "f.test", "Basic YW5uYTpzZWNyZXQ=",
	    "both in a file");
	is_value(&users, loaded.policy, "n.test", "Basic YW5uYTpzZWNyZXQ=",
	    "a host of a netrc");
	is_value(&users, loaded.policy, "o.test", NULL,
	    "one that the netrc does not have");
	is_value(&users, loaded.policy, "g.test", NULL,
	    "the nearer entry takes it back");
	is_value(&users, loaded.policy, "x.h.test", "Basic YW5uYTpzZWNyZXQ=",
	    "all hosts below a name");
	is_value(&users, loaded.policy, "a.example", NULL, "no other host");
	ok(users.count == 7, "what two say alike is read once (%zu)",
	    users.count);
	pv_users_finish(&users);
	loaded_finish(&loaded);
	pv_buf_finish(&text);
}

/* Read from the policy's text alone. */
static const struct {
	const char *user;
	const char *part;
} wrong[] = {
    {"hidden", "expected NAME:PASSWORD"},
    {":hidden", "expected NAME:PASSWORD"},
    {"anna:", "the password is missing"},
    {"bearer hidden", "put it into a variable"},
    {"basic hidden:x", "put it into a variable"},
    {"bearer ${hid-den}", "put it into a variable"},
    {"bearer ./hidden/none", "its file cannot be read"},
    {"netrc ${HIDDEN}", "a netrc is a file"},
};

static void test_wrong(void)
{
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		char text[200];
		snprintf(text, sizeof(text),
		    "domains: {a.test: {user: \"%s\"}}\n", wrong[i].user);
		struct loaded loaded = load_text(text);
		struct pv_str problem = problem_of(&loaded, 0);
		if (!ok(loaded.why.problems.count == 1 &&
			    has_text(problem, wrong[i].part),
			"wrong: %s", wrong[i].part))
			printf("# %.*s\n", PV_STR_ARG(problem));
		ok(!has_text(problem, "hid") && !has_text(problem, "HID"),
		    "P7: and not quoted");
		loaded_finish(&loaded);
	}
}

/* Found when the sources are read. */
static void is_unread(const char *user, bool is_starting, const char *part,
    const char *claim)
{
	char text[400];
	struct pv_users users;
	snprintf(text, sizeof(text), "domains: {a.test: {user: \"%s\"}}\n",
	    user);
	struct loaded loaded = load_text(text);
	struct pv_why why;
	pv_why_init(&why);
	pv_users_init(&users);
	bool is_read = pv_users_read(&users, loaded.policy, is_starting, &why);
	const struct pv_problems *told = is_starting || why.problems.count
					     ? &why.problems
					     : &why.notes;
	ok(told->count == 1 && strstr(told->kept[0].text, part) &&
		strstr(told->kept[0].key, "a.test") &&
		!strstr(told->kept[0].text, "hidden") &&
		is_read == (told == &why.notes),
	    "%s", claim);
	ok(!pv_users_find(&users, user, PV_STR("a.test")),
	    "and nothing is said");
	pv_users_finish(&users);
	pv_why_finish(&why);
	loaded_finish(&loaded);
}

static void test_unread(struct scratch *scratch)
{
	char user[200];
	unsetenv("TEST_NONE");
	setenv("TEST_WORD", "hidden", 1);
	setenv("TEST_LINES", "hidden\nX-Other: 1", 1);
	is_unread("bearer ${TEST_NONE}", true, "TEST_NONE is not set",
	    "a crawl does not start without its variable");
	is_unread("bearer ${TEST_NONE}", false, "TEST_NONE is not set",
	    "a check only says so");
	is_unread("basic ${TEST_WORD}", true, "NAME:PASSWORD",
	    "a login has a colon");
	is_unread("bearer ${TEST_LINES}", true, "one line",
	    "P7: no second header comes in");
	scratch_write(scratch, "empty", PV_STR("\n"));
	snprintf(user, sizeof(user), "bearer %s/empty", scratch->dir);
	is_unread(user, true, "one line", "an empty file has no token");
	scratch_write(scratch, "wrong", PV_STR("hidden"));
	snprintf(user, sizeof(user), "netrc %s/wrong", scratch->dir);
	struct loaded loaded;
	char text[300];
	snprintf(text, sizeof(text), "domains: {a.test: {user: %s}}\n", user);
	loaded = load_text(text);
	ok(loaded.why.problems.count == 1 &&
		strstr(loaded.why.problems.kept[0].file, "/wrong"),
	    "a netrc that is none is told with its name");
	loaded_finish(&loaded);
}

static void test_shown(void)
{
	struct loaded loaded = load_text(
	    "seeds: [\"http://me:hidden@a.test/\"]\n"
	    "fetch: {headers: {X-Key: hidden, Accept-Language: en}, "
	    "proxy: \"http://me:hidden@p.test:3128\"}\n"
	    "domains:\n"
	    "  a.test: {headers: {X-Member: hidden}, delay: 2s}\n"
	    "  b.test: {user: \"anna:hidden\"}\n"
	    "  c.test: {user: \"bearer ${TEST_NONE}\"}\n");
	struct pv_arena arena;
	struct pv_buf text;
	pv_arena_init(&arena);
	pv_buf_init(&text, SIZE_MAX);
	struct pv_policy shown = pv_policy_shown(loaded.policy, &arena);
	pv_effective_write(&shown, &text);
	ok(!has_text(pv_buf_str(&text), "hidden"),
	    "P7: what is shown of a policy has no secret");
	ok(has_text(pv_buf_str(&text), "bearer ${TEST_NONE}") &&
		has_text(pv_buf_str(&text), "Accept-Language") &&
		has_text(pv_buf_str(&text), "delay: 2s") &&
		has_text(pv_buf_str(&text), "p.test:3128"),
	    "but all else");
	pv_buf_finish(&text);
	pv_arena_finish(&arena);
	loaded_finish(&loaded);
}

static void is_shown(
    struct loaded *loaded, const char *host, const char *key, const char *text)
{
	const struct pv_option *option =
	    pv_option_get(pv_str_of(key), &pv_names_of_domain);
	struct pv_host_manners manners;
	struct pv_buf value;
	pv_buf_init(&value, SIZE_MAX);
	pv_policy_manners(loaded->policy, pv_str_of(host), NULL, &manners);
	pv_shown_write(option,
	    (const char *)&manners.manners + option->offset -
		offsetof(struct pv_policy, manners),
	    &value);
	is_text(pv_buf_str(&value), text, "P7: %s of %s is told by name", key,
	    host);
	pv_buf_finish(&value);
}

static void test_values(void)
{
	struct loaded loaded = load_text(
	    "domains:\n"
	    "  a.test: {headers: {X-Member: hidden, X-Key: hidden}, user: "
	    "\"anna:hidden\", proxy: [\"http://me:hidden@p.test:1\", "
	    "\"http://${LOGIN}@q.test:2\"], delay: 2s}\n"
	    "  b.test: {user: \"anna:${WORD}\"}\n");
	is_shown(&loaded, "a.test", "headers", "X-Member, X-Key");
	is_shown(&loaded, "b.test", "headers", "none");
	is_shown(&loaded, "a.test", "user", "anna, with a password");
	is_shown(&loaded, "b.test", "user", "\"anna:${WORD}\"");
	is_shown(&loaded, "c.test", "user", "none");
	is_shown(&loaded, "a.test", "proxy",
	    "[http://p.test:1, \"http://${LOGIN}@q.test:2\"]");
	is_shown(&loaded, "a.test", "delay", "2s");
	loaded_finish(&loaded);
}

int main(void)
{
	struct scratch scratch;
	scratch_open(&scratch);
	test_sources(&scratch);
	test_wrong();
	test_unread(&scratch);
	test_shown();
	test_values();
	scratch_close(&scratch);
	return tap_done();
}
