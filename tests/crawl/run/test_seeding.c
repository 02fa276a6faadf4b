#include "crawl/run/seeding.h"

#include "crawl/conductor.h"
#include "crawl/world.h"

static struct reply page(const char *url, unsigned nth)
{
	(void)nth;
	return strstr(url, "/robots.txt")
		   ? (struct reply){.http_status = 404}
		   : (struct reply){.body = "<a href=/link>"};
}

static void write_file(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");
	fputs(text, file);
	fclose(file);
}

/* A batch is 500. */
static void test_many(void)
{
	world_open(page, "seeds: [\"http://a.test/{1..1201}\"]\n");
	ok(world_run() == PAVANE_FINISHED && world_is_settled() &&
		world_finals() == 1202,
	    "P3: seeds come in batches, and all of them");
	ok(world_number("SELECT count(*) FROM addresses WHERE via = 0") == 1201,
	    "nobody led to them");
	world_close();
}

static void test_depth_and_tag(void)
{
	world_open(
	    page, "seeds: [{url: \"http://a.test/\", depth: 0, tag: shop}]\n");
	ok(world_run() == PAVANE_FINISHED && world_is_settled(),
	    "a seed may be all that is asked for");
	ok(world_number("SELECT count(*) FROM refused WHERE "
			"reason = 'depth' AND tag = 'shop'") == 1,
	    "P4: and what it leads to is refused, under its tag");
	world_close();
}

/* A line that is none, one that is twice, and one that is of another file. */
static void test_file(void)
{
	write_file("seeding.seeds",
	    "# a list\nhttp://a.test/1\n\nno address\nhttp://a.test/2\n"
	    "http://a.test/1\nftp://a.test/3\n");
	world_open(page, "seeds: [http://a.test/1]\n");
	pv_policy_destroy(world.policy);
	struct pv_why why;
	pv_why_init(&why);
	world.policy = pv_policy_load_text("policy.yaml",
	    PV_STR("seeds: [{file: seeding.seeds}]\n" WORLD_POLICY), &why);
	pv_why_finish(&why);
	world.policy->scope.sitemaps = false;
	ok(world_run() == PAVANE_FINISHED && world_is_settled() &&
		world_finals() == 3,
	    "a file of seeds is walked through");
	is_text(pv_str_of(world.warning),
	    "seeds: 2 lines are not web addresses and are left out",
	    "P4: lines that are no address are counted");
	write_file("seeding.seeds", "no address\nhttp://a.test/1\n");
	world_run();
	is_text(pv_str_of(world.warning),
	    "seeds: 1 line is not a web address and is left out",
	    "P4: the sentence agrees with a single one");
	unlink("seeding.seeds");
	ok(world_run() == PAVANE_FINISHED && world.levels[PAVANE_WARNING] >= 1,
	    "P4: one that has gone is told, and does not keep the rest from "
	    "going on");
	world_close();
}

/* The next run's policy has one more. */
static void test_more(void)
{
	struct pv_why why;
	world_open(page, "seeds: [\"http://a.test/\"]\n");
	world_run();
	size_t before = world_finals();
	pv_policy_destroy(world.policy);
	pv_why_init(&why);
	world.policy = pv_policy_load_text("policy.yaml",
	    PV_STR(
		"seeds: [\"http://a.test/\", \"http://b.test/\"]\n" WORLD_POLICY),
	    &why);
	pv_why_finish(&why);
	world.policy->scope.sitemaps = false;
	world_forget_requests();
	ok(world_run() == PAVANE_FINISHED && world_is_settled() &&
		world_finals() == before + 2,
	    "a seed that is named later is fetched in the next run");
	ok(world_sent_at("http://a.test/", 0) < 0,
	    "P3: and what is known is not asked for again");
	world_close();
}

/* Secrets go to those whom a person named. */
static struct reply elsewhere(const char *url, unsigned nth)
{
	(void)nth;
	if (strcmp(url, "http://a.test/") == 0)
		return (struct reply){
		    .body = "<img src=http://b.test/i><img src=/i>"
			    "<img src=http://a.test:81/i>"};
	return page(url, nth);
}

static void test_secrets(void)
{
	bool is_right = true;
	world_open(elsewhere, "seeds: [\"http://a.test/\"]\n");
	ok(world_run() == PAVANE_FINISHED && world_is_settled(),
	    "a page has parts elsewhere");
	for (size_t i = 0; i < world.request_count; i++) {
		const struct world_request *request = &world.requests[i];
		bool is_named =
		    strncmp(request->url, "http://a.test/", 14) == 0;
		is_right = is_right && request->has_secrets == is_named;
	}
	ok(is_right && world.request_count == 7,
	    "P7: what is said in confidence goes to the seed's origin alone");
	world_close();
}

/* Nobody is visited before all of a small list are known: so the order of the
 * answers does not matter. */
static struct reply looking(const char *url, unsigned nth)
{
	if (!world.request_count)
		world.stops =
		    (unsigned)world_number("SELECT count(*) FROM addresses");
	return page(url, nth);
}

static void test_before_all(void)
{
	world_open(looking, "seeds: [\"http://a.test/{1..2000}\"]\n"
			    "limits: {pages: 1}\n");
	world_run();
	ok(world.stops == 2000, "all seeds are known before the first visit");
	world_close();
}

/* A host that wants nobody, so that few are asked for. The numbers of addresses
 * are given in the order in which they are found. */
static struct reply closed(const char *url, unsigned nth)
{
	if (strcmp(url, "http://a.test/robots.txt") == 0)
		return (struct reply){.body = "User-agent: *\nDisallow: /\n"};
	return page(url, nth);
}

static void test_giant(void)
{
	world_open(closed,
	    "seeds: [\"http://a.test/{1..20100}\", \"http://b.test/\"]\n");
	ok(world_run() == PAVANE_NOT_BEGUN && world_is_settled(),
	    "a seed may stand for very many");
	ok(world_number("SELECT id FROM addresses WHERE "
			"url = 'http://b.test/'") == 20001,
	    "it lets the others go first, once it has had its turn");
	ok(world_number("SELECT count(*) FROM addresses WHERE via = 0") ==
		20101,
	    "P3: and all of its own come, too");
	world_close();
}

/* Each has a login for its own directory. */
static void test_logins(void)
{
	world_open(page, "seeds: [\"http://u:p@a.test/{1..10003}/\"]\n"
			 "limits: {pages: 1}\n");
	ok(world_run() == PAVANE_LIMITED && world.levels[PAVANE_WARNING] == 1,
	    "P4: logins that there is no room for are told of, once (%u)",
	    world.levels[PAVANE_WARNING]);
	world_close();
}

int main(void)
{
	test_logins();
	test_many();
	test_depth_and_tag();
	test_file();
	test_more();
	test_secrets();
	test_before_all();
	test_giant();
	return tap_done();
}
