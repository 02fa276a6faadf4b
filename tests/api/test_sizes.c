#include "pavane/pavane.h"

#include "scratch.h"
#include "tap.h"

/* What a program has not said the size of is neither read nor written. */

static void no_line(void *ctx, enum pavane_level level, const char *line)
{
	(void)level;
	(void)line;
	++*(unsigned *)ctx;
}

static void no_text(void *ctx, const char *text, size_t len)
{
	(void)text;
	(void)len;
	++*(unsigned *)ctx;
}

static struct pavane_policy *load(const char *address, size_t size)
{
	const char *const addresses[] = {address};
	const struct pavane_sources sources = {
	    .size = size, .addresses = addresses, .address_count = 1};
	return pavane_policy_load(&sources);
}

static void test_policy(void)
{
	struct pavane_policy *policy = load("http://127.0.0.1/", 0);
	struct pavane_problem problem = PAVANE_INIT(struct pavane_problem);
	struct pavane_problem unsized = {.line = 7};
	ok(pavane_policy_problem_count(policy) > 0 &&
		!pavane_policy_seed_count(policy),
	    "sources without their size are not read");
	ok(pavane_policy_problem(policy, 0, &problem) &&
		strstr(problem.sentence, "PAVANE_INIT"),
	    "the problem says what to do: %s", problem.sentence);
	ok(!pavane_policy_problem(policy, 0, &unsized) && unsized.line == 7,
	    "nor is a problem written into a struct without one");
	struct pavane_key key = {.name = NULL};
	ok(!pavane_key_get(PAVANE_KEYS_OF_POLICY, 0, &key) && !key.name,
	    "nor a key");
	pavane_policy_destroy(policy);
	policy = pavane_policy_load(NULL);
	ok(pavane_policy_problem_count(policy) > 0, "no sources are a problem");
	pavane_policy_destroy(policy);
	policy = load("http://127.0.0.1/", sizeof(struct pavane_sources) + 8);
	ok(!pavane_policy_problem_count(policy),
	    "sources may be longer than ours");
	pavane_policy_destroy(policy);
}

static void test_crawl(const char *directory)
{
	unsigned called = 0;
	struct pavane_policy *policy =
	    load("http://127.0.0.1/", sizeof(struct pavane_sources));
	ok(!pavane_crawl_open(policy,
	       &(struct pavane_crawl_options){
		   .directory = directory, .on_line = no_line, .ctx = &called}),
	    "a crawl is not opened");
	ok(!pavane_explainer_open(
	       policy, &(struct pavane_explain_options){.on_line = no_line,
			   .ctx = &called}),
	    "nor an explainer");
	ok(pavane_try(policy, &(struct pavane_try_options){.page = "/dev/null",
				  .write = no_text,
				  .on_line = no_line,
				  .ctx = &called}) == PAVANE_WRONG,
	    "nothing is tried");
	ok(!called, "and nothing is called");
	pavane_policy_destroy(policy);
}

static void test_directory(const char *directory)
{
	unsigned called = 0;
	const struct pavane_order order = {
	    .directory = directory, .on_line = no_line, .ctx = &called};
	const char *const assignments[] = {"rate.max_rate=1"};
	struct pavane_relinked relinked = PAVANE_INIT(struct pavane_relinked);
	struct pavane_fields_made made = PAVANE_INIT(struct pavane_fields_made);
	int64_t process = 0;
	ok(pavane_order_pause(&order) == PAVANE_WRONG &&
		pavane_order_resume(&order) == PAVANE_WRONG &&
		pavane_order_stop(&order, &process) == PAVANE_WRONG &&
		pavane_order_set(&order, assignments, 1) == PAVANE_WRONG,
	    "no order is given");
	ok(pavane_audit(&(struct pavane_audit_options){
	       .directory = directory, .on_line = no_line, .ctx = &called}) ==
		PAVANE_NO_AUDIT,
	    "no audit made");
	ok(!pavane_relink(
	       &(struct pavane_relink_options){
		   .directory = directory, .on_line = no_line, .ctx = &called},
	       &relinked) &&
		!pavane_fields(
		    &(struct pavane_fields_options){.directory = directory,
			.on_line = no_line,
			.ctx = &called},
		    &made),
	    "nothing linked, and no row made anew");
	ok(pavane_links_check(&(struct pavane_links_options){
	       .directory = directory, .on_line = no_line, .ctx = &called}) ==
		PAVANE_LINKS_UNKNOWN,
	    "no link checked");
	ok(pavane_inspect_sitemap(
	       &(struct pavane_sitemap_options){.file = "/dev/null",
		   .base = "http://127.0.0.1/",
		   .write = no_text,
		   .ctx = &called}) == PAVANE_WRONG,
	    "no sitemap read");
	ok(!called, "and nothing is called then, either");
}

int main(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	test_policy();
	test_crawl(scratch.path);
	test_directory(scratch.path);
	scratch_remove(&scratch);
	return tap_done();
}
