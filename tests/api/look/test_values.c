#include "pavane/pavane.h"

#include "base/buf.h"
#include "scratch.h"
#include "tap.h"

/* What a program gets in values: explanations, and what files say. */

static void note_entry(void *ctx, const char *word, const char *text)
{
	pv_buf_append_format(ctx, "%s=%s;", word, text);
}

static void note_text(void *ctx, const char *text, size_t len)
{
	pv_buf_append(ctx, (struct pv_str){text, len});
}

static const char *write_file(
    const struct scratch *scratch, const char *name, const char *text)
{
	const char *path = scratch_file(scratch, name);
	FILE *file = fopen(path, "w");
	fputs(text, file);
	fclose(file);
	return path;
}

/* Explanations */

static struct pavane_policy *load(void)
{
	const struct pavane_setting settings[] = {
	    {NULL, "identity.contact=ops@example.org"},
	    {NULL, "identity.product=ExampleBot"},
	    {NULL, "politeness.shared_clocks=false"},
	};
	const char *const addresses[] = {"http://a.test/"};
	const struct pavane_sources sources = {
	    .size = sizeof(struct pavane_sources),
	    .settings = settings,
	    .setting_count = 3,
	    .addresses = addresses,
	    .address_count = 1,
	};
	return pavane_policy_load(&sources);
}

static bool has_line(
    const struct pavane_explanation *explanation, const char *key)
{
	for (size_t i = 0; i < explanation->line_count; i++) {
		if (strcmp(explanation->lines[i].key, key) == 0)
			return true;
	}
	return false;
}

static void test_admitted(struct pavane_explainer *explainer)
{
	struct pavane_explanation explanation =
	    PAVANE_INIT(struct pavane_explanation);
	ok(pavane_explain_values(
	       explainer, "http://A.test/page#x", &explanation) == PAVANE_YES &&
		explanation.is_fetched,
	    "an address would be fetched");
	is_text(pv_str_of(explanation.address), "http://a.test/page",
	    "as a crawl asks for it");
	ok(!explanation.step[0] && !explanation.reason[0] &&
		!explanation.not_before_ms && !explanation.when[0],
	    "at once, and no step refuses it");
	ok(has_line(&explanation, "judged as") &&
		has_line(&explanation, "robots.txt"),
	    "each step is told");
}

static void test_refused(struct pavane_explainer *explainer)
{
	struct pavane_explanation explanation =
	    PAVANE_INIT(struct pavane_explanation);
	ok(pavane_explain_values(
	       explainer, "http://a.test/no/page", &explanation) == PAVANE_NO &&
		!explanation.is_fetched,
	    "another would not");
	is_text(pv_str_of(explanation.step), "robots", "robots.txt refuses it");
	ok(strcmp(explanation.word, "robots") == 0 && explanation.number == 2 &&
		!explanation.decided,
	    "by its second line, and by none of the policy");
	ok(strstr(explanation.reason, "robots.txt"), "in words: %s",
	    explanation.reason);
	ok(pavane_explain_values(explainer, "http://b.test/", &explanation) ==
		PAVANE_NO,
	    "a third is of another host");
	ok(explanation.step[0] && has_line(&explanation, explanation.step),
	    "the step that refuses it is the key of a line: %s",
	    explanation.step);
	ok(strcmp(explanation.word, "host") == 0 && !explanation.number &&
		explanation.decided &&
		strcmp(explanation.decided->key, explanation.step) == 0,
	    "which is given, and the word of the reason");
	ok(pavane_explain_values(explainer, "no address", &explanation) ==
		PAVANE_WRONG,
	    "what is no address is wrong");
	struct pavane_explanation unsized = {.reason = "as it was"};
	ok(pavane_explain_values(explainer, "http://a.test/", &unsized) ==
		    PAVANE_WRONG &&
		strcmp(unsized.reason, "as it was") == 0,
	    "nothing is written where the size was never set");
}

/* A rule that stands in a file. */
static void test_rule(const struct scratch *scratch)
{
	char path[300];
	snprintf(path, sizeof(path), "%s",
	    write_file(scratch, "rules.yaml",
		"version: 1\nidentity: {contact: ops@example.org}\n"
		"seeds: [\"http://a.test/\"]\nscope:\n  rules:\n"
		"    - allow: {path: /ok/**}\n    - deny: {path: /no/**}\n"));
	struct pavane_sources sources = PAVANE_INIT(struct pavane_sources);
	struct pavane_explain_options options =
	    PAVANE_INIT(struct pavane_explain_options);
	struct pavane_explanation explanation =
	    PAVANE_INIT(struct pavane_explanation);
	sources.file = path;
	struct pavane_policy *policy = pavane_policy_load(&sources);
	struct pavane_explainer *explainer =
	    pavane_explainer_open(policy, &options);
	if (ok(explainer &&
		    pavane_explain_values(explainer, "http://a.test/no/x",
			&explanation) == PAVANE_NO,
		"a rule refuses an address"))
		ok(strcmp(explanation.word, "rule") == 0 &&
			explanation.number == 2 && explanation.decided &&
			strcmp(explanation.decided->file, path) == 0 &&
			explanation.decided->line == 7,
		    "which of them, in which line of which file");
	pavane_explainer_close(explainer);
	pavane_policy_destroy(policy);
}

static void test_explain(const struct scratch *scratch)
{
	char robots[300];
	snprintf(robots, sizeof(robots), "%s",
	    write_file(
		scratch, "robots.txt", "User-agent: *\nDisallow: /no/\n"));
	const struct pavane_explain_options options = {
	    .size = sizeof(struct pavane_explain_options),
	    .robots = robots,
	};
	struct pavane_policy *policy = load();
	struct pavane_explainer *explainer =
	    pavane_explainer_open(policy, &options);
	if (ok(explainer, "an explainer opens")) {
		test_admitted(explainer);
		test_refused(explainer);
	}
	pavane_explainer_close(explainer);
	pavane_policy_destroy(policy);
	test_rule(scratch);
}

/* Files */

static void test_robots(const struct scratch *scratch)
{
	struct pv_buf got;
	const char *file = write_file(scratch, "r.txt",
	    "User-agent: *\nDisallow: /a\nCrawl-delay: 2\n"
	    "Sitemap: http://a.test/s.xml\n");
	pv_buf_init(&got, 10000);
	ok(pavane_inspect_robots_values(file, "x", NULL, note_entry, &got) ==
		PAVANE_YES,
	    "robots.txt is read");
	is_text(pv_buf_str(&got), "delay=2;sitemap=http://a.test/s.xml;",
	    "its delay and its sitemaps come one by one");
	pv_buf_clear(&got);
	ok(pavane_inspect_robots_values(file, "x", "/a/b", note_entry, &got) ==
		PAVANE_NO,
	    "of an address it says no");
	is_text(pv_buf_str(&got), "disallow=Disallow: /a;",
	    "with the line that decides");
	pv_buf_clear(&got);
	pavane_inspect_robots(file, "x", "/a/b", note_text, &got);
	is_text(pv_buf_str(&got), "disallow\tDisallow: /a\n",
	    "as text it is the same");
	ok(pavane_inspect_robots_values(scratch_file(scratch, "none"), "x",
	       NULL, note_entry, &got) == PAVANE_UNREADABLE,
	    "a file that is not there cannot be read");
	pv_buf_finish(&got);
}

static void test_links(const struct scratch *scratch)
{
	struct pv_buf got;
	const char *file = write_file(scratch, "page.html",
	    "<a href=b>b</a><img src='c d.png'><a href=b#again>b</a>");
	pv_buf_init(&got, 10000);
	ok(pavane_inspect_links_values(
	       file, "http://a.test/x/", NULL, note_entry, &got) == PAVANE_YES,
	    "a page is read");
	is_text(pv_buf_str(&got),
	    "page=http://a.test/x/b;resource=http://a.test/x/c%20d.png;",
	    "each of its links comes once");
	ok(pavane_inspect_links_values(file, "http://a.test/", "audio/ogg",
	       note_entry, &got) == PAVANE_OTHER_TYPE,
	    "of another type there are none");
	pv_buf_finish(&got);
}

static void test_sitemap(const struct scratch *scratch)
{
	struct pv_buf got;
	const struct pavane_sitemap_options options = {
	    .size = sizeof(struct pavane_sitemap_options),
	    .file = write_file(
		scratch, "s.txt", "http://a.test/1\nhttp://a.test/2\n"),
	    .base = "http://a.test/s.txt",
	    .ctx = &got,
	    .entry = note_entry,
	};
	pv_buf_init(&got, 10000);
	ok(pavane_inspect_sitemap(&options) == PAVANE_YES, "a sitemap is read");
	is_text(pv_buf_str(&got), "page=http://a.test/1;page=http://a.test/2;",
	    "each of its entries comes once");
	pv_buf_finish(&got);
}

int main(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	test_explain(&scratch);
	test_robots(&scratch);
	test_links(&scratch);
	test_sitemap(&scratch);
	scratch_remove(&scratch);
	return tap_done();
}
