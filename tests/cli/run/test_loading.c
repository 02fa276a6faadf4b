#include <sys/stat.h>

#include "cli/pseudo_terminal.h"

/* Who crawls other people's hosts is asked for a contact, once for all of their
 * crawls, and only where somebody is there to answer (P7). */

#define QUESTION "Your e-mail address, or a page about this crawler"
#define FOREIGN "mirror", "https://docs.example.org/"

/* Whether the configuration has that text; NULL: whether there is one. */
static bool is_kept(const char *text)
{
	char found[1000];
	FILE *file = fopen("config/pavane/config.yaml", "r");
	if (!file)
		return false;
	found[fread(found, 1, sizeof(found) - 1, file)] = '\0';
	fclose(file);
	return !text || strcmp(found, text) == 0;
}

static void write_config(const char *text)
{
	mkdir("config", 0755);
	mkdir("config/pavane", 0755);
	FILE *file = fopen("config/pavane/config.yaml", "w");
	fputs(text, file);
	fclose(file);
}

static void forget(void)
{
	ok(system("rm -rf config out") == 0, "nothing is known of anybody");
}

static bool is_asked(const struct scene *scene, size_t times)
{
	return terminal_count(&scene->terminal, QUESTION) == times;
}

static void test_answered(void)
{
	struct scene scene;
	forget();
	BEGIN(&scene, 200, 40, FOREIGN, "-o", "out");
	ok(watch_until(&scene, QUESTION), "P7: who has no contact is asked");
	ok(terminal_has(&scene.terminal,
	       "Site owners must be able to reach the person who crawls their "
	       "site."),
	    "P4: and told what for");
	type(&scene, "me@host.test\n");
	watch_to_the_end(&scene);
	ok(has_exited(&scene, 0), "with an answer the crawl is made");
	ok(terminal_has(&scene.terminal, "Saved in ") &&
		terminal_has(&scene.terminal, "config/pavane/config.yaml"),
	    "P4: it says where the answer is kept");
	ok(is_kept("identity:\n  contact: me@host.test\n"),
	    "and that is where it is");
	ok(is_asked(&scene, 1), "one question was enough");
	BEGIN(&scene, 200, 40, FOREIGN, "-o", "out", "--fresh", "--yes");
	watch_to_the_end(&scene);
	ok(has_exited(&scene, 0) && is_asked(&scene, 0),
	    "the next crawl asks nobody");
}

static void test_no_answer(const char *keys, size_t times, const char *claim)
{
	struct scene scene;
	forget();
	BEGIN(&scene, 200, 40, FOREIGN, "-o", "out");
	watch_until(&scene, QUESTION);
	type(&scene, keys);
	watch_to_the_end(&scene);
	ok(has_exited(&scene, 2) && is_asked(&scene, times),
	    "P7: %s is no contact, and no crawl is made", claim);
	ok(terminal_has(&scene.terminal, "for all your crawls, "),
	    "P4: it says where one can be written");
	ok(!is_kept(NULL) && access("out", F_OK) != 0, "nothing is kept");
}

static void test_empty_answer(void)
{
	struct scene scene;
	forget();
	BEGIN(&scene, 200, 40, FOREIGN, "-o", "out");
	watch_until(&scene, QUESTION);
	type(&scene, "\n");
	ok(watch_until(
	       &scene, "Without one no request is made; Ctrl+C ends pavane."),
	    "P4: after an empty answer it says what that means, and how to end "
	    "it");
	type(&scene, "me@host.test\n");
	watch_to_the_end(&scene);
	ok(has_exited(&scene, 0) && is_asked(&scene, 2) &&
		is_kept("identity:\n  contact: me@host.test\n"),
	    "and asks once more");
}

static void test_wrong_answers(void)
{
	struct scene scene;
	forget();
	BEGIN(&scene, 200, 40, FOREIGN, "-o", "out");
	ok(watch_until(&scene, QUESTION), "somebody is asked");
	type(&scene, "nobody\n");
	ok(watch_until(&scene, "mail address"), "a wrong answer is told");
	type(&scene, "me@host.test\n");
	watch_to_the_end(&scene);
	ok(has_exited(&scene, 0) && is_asked(&scene, 2) &&
		is_kept("identity:\n  contact: me@host.test\n"),
	    "and asked for once more");
	forget();
	BEGIN(&scene, 200, 40, FOREIGN, "-o", "out");
	type(&scene, "one\ntwo\nthree\nme@host.test\n");
	watch_to_the_end(&scene);
	ok(has_exited(&scene, 2) && is_asked(&scene, 3) && !is_kept(NULL),
	    "P7: after three wrong answers nobody is asked again, and no crawl "
	    "is made");
}

static void test_not_kept(void)
{
	struct scene scene;
	forget();
	write_config("identity: {agent: other/1.0}\n");
	BEGIN(&scene, 200, 40, FOREIGN, "-o", "out");
	watch_until(&scene, QUESTION);
	type(&scene, "me@host.test\n");
	ok(watch_until(&scene, "cannot insert the line: add "
			       "contact: me@host.test to identity yourself"),
	    "P4: an answer that cannot be kept is told, with what to do");
	type(&scene, "\n\n");
	watch_to_the_end(&scene);
	ok(has_exited(&scene, 2) && is_kept("identity: {agent: other/1.0}\n"),
	    "and what was there is as it was");
}

/* Where nobody can answer, or has to. */

static void is_not_asked(
    const char *const *arguments, int status, const char *claim)
{
	struct scene scene;
	forget();
	begin(&scene, 200, 40, arguments);
	watch_to_the_end(&scene);
	ok(has_exited(&scene, status) && is_asked(&scene, 0), "%s", claim);
	ok(!is_kept(NULL), "and nothing is kept");
}

#define NOT_ASKED(status, claim, ...) \
	is_not_asked(                 \
	    (const char *const[]){"pavane", __VA_ARGS__, NULL}, status, claim)

static void test_not_asked(void)
{
	NOT_ASKED(2, "with -q nobody is asked", FOREIGN, "-o", "out", "-q");
	NOT_ASKED(2, "nor with --json", FOREIGN, "-o", "out", "--json");
	NOT_ASKED(0, "nor who has said so already", FOREIGN, "-o", "out",
	    "--contact", "me@host.test");
	NOT_ASKED(0, "nor who crawls their own machine", "mirror", "localhost",
	    "-o", "out");
	NOT_ASKED(2, "nor where something else is wrong", FOREIGN, "-o", "out",
	    "--set", "rats=1");
}

/* What is typed is the policy then, and no answer. */
static void test_policy_is_typed(void)
{
	struct scene scene;
	forget();
	BEGIN(&scene, 200, 40, "crawl", "-", "-o", "out");
	type(&scene, "seeds: [\"https://docs.example.org/\"]\n\004");
	watch_to_the_end(&scene);
	ok(has_exited(&scene, 2) && is_asked(&scene, 0),
	    "nor who types the policy itself");
}

int main(void)
{
	char config[4096];
	if (!workplace_enter() || !getcwd(config, sizeof(config) - 8))
		return 99;
	strcat(config, "/config");
	setenv("XDG_CONFIG_HOME", config, 1);
	setenv("FAKE_PAGES", "3", 1);
	test_answered();
	test_no_answer("\n\n", 2, "nothing, twice,");
	test_no_answer("\004", 1, "the end of the input");
	test_empty_answer();
	test_wrong_answers();
	test_not_kept();
	test_not_asked();
	test_policy_is_typed();
	workplace_leave();
	return tap_done();
}
