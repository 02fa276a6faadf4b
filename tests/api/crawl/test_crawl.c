#include "pavane/pavane.h"

#include <sys/stat.h>

#include "scratch.h"
#include "tap.h"

/* The first line that was given. */
struct heard {
	size_t lines;
	char text[256];
	enum pavane_level level;
};

static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	struct heard *heard = ctx;
	if (!heard->lines++) {
		heard->level = level;
		snprintf(heard->text, sizeof(heard->text), "%s", line);
	}
}

static struct pavane_policy *load(const char *assignment)
{
	struct pavane_setting setting = {NULL, assignment};
	const char *const addresses[] = {"http://localhost:9/"};
	struct pavane_sources sources = {
	    .size = sizeof(struct pavane_sources),
	    .settings = &setting,
	    .setting_count = 1,
	    .addresses = addresses,
	    .address_count = 1,
	};
	return pavane_policy_load(&sources);
}

/* Whether there is such a file in the crawl's directory. */
static bool has(const struct scratch *scratch, const char *name)
{
	struct stat state;
	return stat(scratch_file(scratch, name), &state) == 0;
}

static struct pavane_crawl *open_by(const struct pavane_policy *policy,
    const struct scratch *scratch, struct heard *heard)
{
	struct pavane_crawl_options options = {
	    .size = sizeof(struct pavane_crawl_options),
	    .directory = scratch->path,
	    .state_dir = scratch->path,
	    .on_line = on_line,
	    .ctx = heard,
	};
	return pavane_crawl_open(policy, &options);
}

static void test_wrong_policy(const struct scratch *scratch)
{
	struct heard heard = {0};
	struct pavane_policy *policy = load("rate.max_rat=1");
	ok(pavane_policy_problem_count(policy) == 1, "a policy has a problem");
	ok(!open_by(policy, scratch, &heard), "no crawl is opened by it");
	ok(heard.lines == 1 && heard.level == PAVANE_ERROR &&
		strstr(heard.text, "rate.max_rat"),
	    "the problem is the reason that is given");
	ok(!has(scratch, "state.db"), "and no state is made");
	pavane_policy_destroy(policy);
}

static void test_right_policy(const struct scratch *scratch)
{
	struct heard heard = {0};
	struct pavane_policy *policy = load("rate.max_rate=1");
	struct pavane_crawl *crawl = open_by(policy, scratch, &heard);
	ok(crawl && has(scratch, "state.db"),
	    "by a right policy a crawl is opened");
	pavane_crawl_close(crawl);
	pavane_policy_destroy(policy);
}

int main(void)
{
	struct scratch scratch;
	ok(scratch_make(&scratch), "there is a directory to work in");
	test_wrong_policy(&scratch);
	test_right_policy(&scratch);
	rmdir(scratch_file(&scratch, "site"));
	scratch_remove(&scratch);
	return tap_done();
}
