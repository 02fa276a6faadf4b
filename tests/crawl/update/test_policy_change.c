#include "crawl/update/policy_change.h"

#include "crawl/conductor.h"
#include "crawl/run/crawl.h"
#include "crawl/run/running.h"
#include "crawl/world.h"
#include "random.h"
#include "record/state.h"
#include "store/statement.h"

/* A crawl that goes on by another policy comes to the end that this policy alone
 * leads to, but for what has been asked already: what it would not ask for is
 * dropped, what it admits is asked for, nothing twice (P3, P4).
 *
 * Webs by chance, of which what an address answers depends on the seed alone.
 * PAVANE_WEBS says how many, PAVANE_WEB which one comes first. Of a thousand webs
 * five come to another end: pages that a rule admits below scope.depth, or that
 * were found nearer to a seed only after their links had been taken.
 */
#define HOSTS 5
#define PAGES 12 /* of a host */
#define WEBS 40

static uint64_t web;
static unsigned answers; /* how often somebody was asked */
static unsigned stop_at; /* that answer, counted from 1; 0: never */

static uint64_t draw(const char *what, const char *name)
{
	struct pv_hash_key key = {{web, 1}};
	struct pv_hash_key other = {{pv_hash(&key, pv_str_of(what)), 2}};
	return pv_hash(&other, pv_str_of(name));
}

static size_t chance(const char *what, const char *name, size_t limit)
{
	return (size_t)(draw(what, name) % limit);
}

static void write_url(char *text, size_t size, uint64_t number)
{
	static const char *const paths[] = {"", "a/", "a/b/"};
	snprintf(text, size, "http://h%zu.test/%s%zu", (size_t)(number % HOSTS),
	    paths[number / 5 % 3], (size_t)(number / 15 % PAGES));
}

static struct reply body_of(const char *url)
{
	static char body[4096];
	size_t len = 0, count = chance("links", url, 6);
	for (size_t i = 0; i < count; i++) {
		char target[64], name[96];
		snprintf(name, sizeof(name), "%s %zu", url, i);
		uint64_t number = draw("target", name);
		write_url(target, sizeof(target), number >> 8);
		len += (size_t)snprintf(body + len, sizeof(body) - len,
		    number % 5 == 0   ? "<img src=%s>\n"
		    : number % 7 == 0 ? "<a rel=nofollow href=%s>\n"
				      : "<a href=%s>\n",
		    target);
	}
	return (struct reply){.body = count ? body : "x"};
}

/* Where a seed leads is in scope from then on: what is refused before depends on
 * the order of the answers. */
static bool is_seed(const char *url)
{
	return strcmp(url, "http://h0.test/0") == 0 ||
	       strcmp(url, "http://h1.test/a/1") == 0;
}

static struct reply answer(const char *url, unsigned nth)
{
	static char target[64];
	(void)nth;
	if (++answers == stop_at)
		pv_crawl_stop(world.crawl);
	if (strstr(url, "/robots.txt"))
		return chance("robots", url, 4)
			   ? (struct reply){.http_status = 404}
			   : (struct reply){.body = "User-agent: *\n"
						    "Disallow: /3\n"};
	switch (is_seed(url) ? 2 : chance("page", url, 10)) {
	case 0:
		return (struct reply){.http_status = 404};
	case 1:
		write_url(target, sizeof(target), draw("moved", url));
		return (struct reply){.http_status = 302, .location = target};
	default:
		return body_of(url);
	}
}

/* Policies */

/* Each key has its choices, the first of which stands where it is not what is
 * tried. */
enum key { HOSTS_KEY, DEPTH, HOPS, BELOW, REQUISITES, RULES, NOFOLLOW, KEYS };

#define CHOICES 6

static const char *const choices[KEYS][CHOICES] = {
    [HOSTS_KEY] = {"same", "[h0.test]", "any", "[h1.test, h2.test]", "site"},
    [DEPTH] = {"none", "0", "1", "2", "3", "4"},
    [HOPS] = {"0", "1", "2"},
    [BELOW] = {"false", "true"},
    [REQUISITES] = {"true", "false"},
    [RULES] = {"", "{deny: {path: \"/a/*\"}}", "{allow: {path: \"/a/b/*\"}}",
	"{deny: {host: h2.test}}"},
    [NOFOLLOW] = {"true", "false"},
};

struct terms {
	const char *values[KEYS];
	char text[400];
};

static const char *choose(enum key key, struct random *random)
{
	size_t count = 0;
	while (count < CHOICES && choices[key][count])
		count++;
	return choices[key][random_below(random, count)];
}

/* The seeds stay the same. */
static void write_terms(struct terms *terms)
{
	const char *const *values = terms->values;
	snprintf(terms->text, sizeof(terms->text),
	    "seeds: [\"http://h0.test/0\", \"http://h1.test/a/1\"]\n"
	    "scope: {hosts: %s, depth: %s, hops: %s, below: %s, "
	    "requisites: %s, rules: [%s]}\n"
	    "robots: {nofollow: %s}\n",
	    values[HOSTS_KEY], values[DEPTH], values[HOPS], values[BELOW],
	    values[REQUISITES], values[RULES], values[NOFOLLOW]);
}

/* In each second web one key is another after the change; in the others all may
 * be, but for hops: of an address only the first page is known that led there,
 * and which of them lie off scope changes with all else. Whether nothing is to be
 * asked twice: what was a part of a page may be a page by other hosts. */
static bool draw_terms(
    struct random *random, struct terms *before, struct terms *after)
{
	enum key one = (enum key)random_below(random, KEYS);
	bool is_one = web % 2;
	for (int key = 0; key < KEYS; key++) {
		bool is_free = key != HOPS || (is_one && one == HOPS);
		before->values[key] =
		    is_free ? choose((enum key)key, random) : choices[key][0];
		after->values[key] = before->values[key];
		if (is_one ? key == (int)one : is_free)
			after->values[key] = choose((enum key)key, random);
	}
	write_terms(before);
	write_terms(after);
	return is_one && (one == DEPTH || one == BELOW || one == NOFOLLOW);
}

static void take_policy(const struct terms *terms)
{
	struct pv_why why;
	struct pv_buf text;
	pv_why_init(&why);
	pv_buf_init(&text, 4096);
	pv_buf_append_text(&text, terms->text);
	pv_buf_append_text(&text, WORLD_POLICY);
	pv_policy_destroy(world.policy);
	world.policy =
	    pv_policy_load_text("policy.yaml", pv_buf_str(&text), &why);
	world.policy->scope.sitemaps = false;
	pv_buf_finish(&text);
	pv_why_finish(&why);
}

/* What came of each address */

#define ENDS_MAX (HOSTS * PAGES * 3)

struct ends {
	struct {
		char url[64];
		int64_t state;
		int64_t use;
		int64_t reason;
	} items[ENDS_MAX];
	size_t count;
};

static void take_ends(struct ends *ends)
{
	struct pv_database *database =
	    pv_database_look(scratch_file(&world.scratch, "state.db"));
	struct pv_statement *statement = pv_statement_create(
	    database, "SELECT url, state, use, reason FROM addresses");
	ends->count = 0;
	while (ends->count < ENDS_MAX && pv_statement_step(statement)) {
		snprintf(ends->items[ends->count].url, 64, "%.*s",
		    PV_STR_ARG(pv_statement_text(statement, 0)));
		ends->items[ends->count].state =
		    pv_statement_number(statement, 1);
		ends->items[ends->count].use =
		    pv_statement_number(statement, 2);
		ends->items[ends->count++].reason =
		    pv_statement_number(statement, 3);
	}
	pv_statement_destroy(statement);
	pv_database_close(database);
}

/* The number of that address; SIZE_MAX if it is not known. */
static size_t find(const struct ends *ends, const char *url)
{
	for (size_t i = 0; i < ends->count; i++) {
		if (strcmp(ends->items[i].url, url) == 0)
			return i;
	}
	return SIZE_MAX;
}

static bool is_done(const struct ends *ends, size_t i)
{
	return i != SIZE_MAX && ends->items[i].state == PV_STATE_DONE;
}

static bool is_asked(const char *url, size_t first)
{
	for (size_t i = first; i < world.request_count; i++) {
		if (strcmp(world.requests[i].url, url) == 0)
			return true;
	}
	return false;
}

/* What it lies too deep for, and a link that says nofollow, another page may make
 * good, one of those that the policy before had admitted; so may what needs it as a
 * part. */
static bool is_kept_out(const struct ends *alone, const char *url, int64_t use)
{
	size_t i = find(alone, url);
	if (i == SIZE_MAX || alone->items[i].state != PV_STATE_REFUSED)
		return false;
	int64_t reason = alone->items[i].reason;
	return use == PV_PAGE && reason != PV_REASON_DEPTH &&
	       reason != PV_REASON_HOPS && reason != PV_REASON_NOFOLLOW;
}

/* What was asked for as a part of a page is not read as a page by another policy,
 * nor is what only that page leads to. */
static bool has_part_for_page(
    const struct ends *alone, const struct ends *changed)
{
	for (size_t i = 0; i < alone->count; i++) {
		size_t now = find(changed, alone->items[i].url);
		if (is_done(alone, i) && is_done(changed, now) &&
		    alone->items[i].use == PV_PAGE &&
		    changed->items[now].use == PV_RESOURCE)
			return true;
	}
	return false;
}

struct faults {
	unsigned open;      /* not done with, or of another end */
	unsigned missing;   /* what the policy asks for, and nobody has */
	unsigned forbidden; /* what it does not, asked for under it */
	unsigned twice;
};

static void judge_ends(const struct ends *alone, const struct ends *changed,
    size_t first, struct faults *faults)
{
	bool is_whole = !has_part_for_page(alone, changed);
	for (size_t i = 0; is_whole && i < alone->count; i++) {
		const char *url = alone->items[i].url;
		if (is_done(alone, i) &&
		    !is_done(changed, find(changed, url))) {
			faults->missing++;
			printf("# %s is missing\n", url);
		}
	}
	for (size_t i = 0; i < changed->count; i++) {
		const char *url = changed->items[i].url;
		faults->open += changed->items[i].state < PV_STATE_DONE;
		if (is_asked(url, first) &&
		    is_kept_out(alone, url, changed->items[i].use)) {
			faults->forbidden++;
			printf("# %s was asked for\n", url);
		}
	}
}

/* What was a part of a page before may be a page now. */
static void judge_requests(
    const struct ends *middle, size_t first, struct faults *faults)
{
	for (size_t i = first; i < world.request_count; i++) {
		const char *url = world.requests[i].url;
		size_t before = find(middle, url);
		if (before == SIZE_MAX || middle->items[before].use != PV_PAGE)
			continue;
		for (size_t j = 0; j < i; j++) {
			if (strcmp(url, world.requests[j].url) == 0) {
				faults->twice++;
				printf("# %s was asked for twice\n", url);
			}
		}
	}
}

/* By the one policy until some moment or the end, then by the other; from which
 * request on. */
static size_t change(const struct terms *before, const struct terms *after,
    unsigned at, struct ends *middle)
{
	world_open(answer, before->text);
	answers = 0;
	stop_at = at;
	world_run();
	size_t first = world.request_count;
	take_ends(middle);
	stop_at = 0;
	take_policy(after);
	world_run();
	return first;
}

static void try_web(void)
{
	static struct ends alone, middle, changed;
	struct random random = random_of(web);
	struct terms before, after;
	struct faults faults = {0};
	bool is_once = draw_terms(&random, &before, &after);
	world_open(answer, after.text);
	world_run();
	take_ends(&alone);
	size_t requests = world.request_count;
	world_close();

	unsigned at = 1 + (unsigned)random_below(&random, requests);
	size_t first = change(&before, &after, at, &middle);
	take_ends(&changed);
	judge_ends(&alone, &changed, first, &faults);
	judge_requests(&middle, first, &faults);
	bool is_right = ok(!faults.open && !faults.missing,
	    "P3: web %llu: whatever the new policy asks for is asked for",
	    (unsigned long long)web);
	is_right = ok(!faults.forbidden, "P4: and nothing that it keeps out") &&
		   is_right;
	is_right = ok(!is_once || !faults.twice,
		       "and nothing twice, where it is the same use") &&
		   is_right;
	if (!is_right)
		printf("# before:\n# %.400s# after:\n# %.400s", before.text,
		    after.text);
	world_close();
}

static size_t setting(const char *name, size_t usual)
{
	const char *text = getenv(name);
	return text ? (size_t)strtoul(text, NULL, 10) : usual;
}

/* A row of redirects, of which a policy follows so many. */
static struct reply lead_on(const char *url, unsigned nth)
{
	static char target[64];
	(void)nth;
	if (strstr(url, "/robots.txt"))
		return (struct reply){.http_status = 404};
	snprintf(target, sizeof(target), "http://a.test/%d",
	    atoi(url + strlen("http://a.test/")) + 1);
	return (struct reply){.http_status = 302, .location = target};
}

static void test_redirects(void)
{
	world_open(lead_on, "seeds: [\"http://a.test/1\"]\n"
			    "fetch: {redirects: 2}\n");
	world_run();
	ok(world_sent_at("http://a.test/3", 0) >= 0 &&
		world_sent_at("http://a.test/4", 0) < 0,
	    "a row of redirects is followed as far as the policy says");
	world_policy("seeds: [\"http://a.test/1\"]\n"
		     "fetch: {redirects: 3}\n");
	world_run();
	ok(world_sent_at("http://a.test/4", 0) >= 0 &&
		world_sent_at("http://a.test/5", 0) < 0,
	    "P4: one step further by a policy that allows one more");
	world_close();
}

int main(void)
{
	uint64_t first = setting("PAVANE_WEB", 1);
	uint64_t end = first + setting("PAVANE_WEBS", WEBS);
	for (web = first; web < end; web++)
		try_web();
	test_redirects();
	return tap_done();
}
