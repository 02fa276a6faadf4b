#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/run/command.h"
#include "cli/run/loading.h"

/* Each subject reads its arguments, which are as many as it says. */

static enum pavane_answer inspect_url(
    const struct pv_options *options, const char *const *arguments)
{
	return pavane_inspect_url(arguments[0], arguments[1], options->encoding,
	    pv_write_out, stdout);
}

static enum pavane_answer inspect_robots(
    const struct pv_options *options, const char *const *arguments)
{
	(void)options;
	return pavane_inspect_robots(
	    arguments[0], arguments[1], arguments[2], pv_write_out, stdout);
}

static enum pavane_answer inspect_links(
    const struct pv_options *options, const char *const *arguments)
{
	(void)options;
	return pavane_inspect_links(
	    arguments[0], arguments[1], arguments[2], pv_write_out, stdout);
}

static void tell_line(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)level;
	fprintf(stderr, "pavane: %s\n", line);
}

static enum pavane_answer inspect_sitemap(
    const struct pv_options *options, const char *const *arguments)
{
	const struct pavane_sitemap_options sitemap = {
	    .size = sizeof(struct pavane_sitemap_options),
	    .file = arguments[0],
	    .base = arguments[1],
	    .type = arguments[2],
	    .write = pv_write_out,
	    .on_line = tell_line,
	    .ctx = stdout,
	};
	(void)options;
	return pavane_inspect_sitemap(&sitemap);
}

static const struct subject {
	const char *name;
	struct pv_argument arguments[PV_ARGUMENTS_MAX + 1];
	size_t least;
	size_t most;
	const char *types; /* the media types that are read; NULL: any */
	enum pavane_answer (*inspect)(
	    const struct pv_options *, const char *const *);
	const char *sentence;
} subjects[] = {
    {"url", {{"BASE", PV_IS_TEXT, NULL}, {"REF", PV_IS_TEXT, NULL}}, 2, 2, NULL,
	inspect_url, "print the absolute address; exit with 1 if none"},
    {"robots",
	{{"FILE", PV_IS_FILE, NULL}, {"AGENT", PV_IS_TEXT, NULL},
	    {"[URL]", PV_IS_TEXT, NULL}},
	2, 3, NULL, inspect_robots,
	"print allow or disallow, and the line: exit 0 or 1"},
    {"links",
	{{"FILE", PV_IS_FILE, NULL}, {"BASE", PV_IS_TEXT, NULL},
	    {"[TYPE]", PV_IS_TEXT, NULL}},
	2, 3, "pages, style sheets, drawings, feeds and manifests",
	inspect_links, "print the kind and address of each link"},
    {"sitemap",
	{{"FILE", PV_IS_FILE, NULL}, {"BASE", PV_IS_TEXT, NULL},
	    {"[TYPE]", PV_IS_TEXT, NULL}},
	2, 3, "sitemaps, in XML or plain text, and feeds", inspect_sitemap,
	"print the kind and address of each entry"},
};

#define SUBJECT_COUNT (sizeof(subjects) / sizeof(*subjects))

static const struct subject *find_subject(const char *name)
{
	const char *names[SUBJECT_COUNT + 1] = {NULL};
	for (size_t i = 0; i < SUBJECT_COUNT; i++) {
		names[i] = subjects[i].name;
		if (strcmp(names[i], name) == 0)
			return &subjects[i];
	}
	const char *nearest = pavane_nearest_word(name, names);
	fprintf(stderr, "pavane: inspect has no subject %s", name);
	if (nearest)
		fprintf(stderr, ": did you mean %s?", nearest);
	fprintf(stderr, "\n");
	return NULL;
}

static int tell(const struct subject *subject, enum pavane_answer answer,
    const char *const *arguments)
{
	bool is_robots = strcmp(subject->name, "robots") == 0;
	switch (answer) {
	case PAVANE_YES:
		return EXIT_FINISHED;
	case PAVANE_NO:
		return EXIT_FAILED;
	case PAVANE_WRONG:
		fprintf(stderr, "pavane: %s is not a web address\n",
		    arguments[is_robots ? 2 : 1]);
		return EXIT_WRONG;
	case PAVANE_UNREADABLE:
		fprintf(stderr, "pavane: cannot read %s: %s\n", arguments[0],
		    errno == ENXIO ? "no process writes to this pipe"
				   : strerror(errno));
		return EXIT_FAILED;
	case PAVANE_OTHER_TYPE:
		fprintf(stderr, "pavane: inspect %s reads only %s\n",
		    subject->name, subject->types);
		return EXIT_FAILED;
	default:
		return EXIT_FAILED;
	}
}

static int run(const struct pv_options *options)
{
	const char *arguments[4] = {NULL};
	size_t count =
	    options->argument_count < 2 ? 0 : options->argument_count - 2;
	if (options->argument_count < 2) {
		fprintf(stderr, "pavane: inspect needs one of url, robots, "
				"links and sitemap\n");
		return EXIT_WRONG;
	}
	const struct subject *subject = find_subject(options->arguments[1]);
	if (!subject)
		return EXIT_WRONG;
	if (count < subject->least || count > subject->most) {
		char usage[64];
		pv_arguments_write(subject->arguments, usage, sizeof(usage));
		fprintf(stderr, "usage: pavane inspect %s %s\n", subject->name,
		    usage);
		return EXIT_WRONG;
	}
	for (size_t i = 0; i < count; i++)
		arguments[i] = options->arguments[i + 2];
	return tell(subject, subject->inspect(options, arguments), arguments);
}

static bool get_subject(size_t index, struct pv_word *word)
{
	if (index >= SUBJECT_COUNT)
		return false;
	*word = (struct pv_word){
	    .name = subjects[index].name,
	    .sentence = subjects[index].sentence,
	    .arguments = subjects[index].arguments,
	};
	return true;
}

static const struct pv_word_list whats = {
    .title = "What",
    .get = get_subject,
};

const struct pv_command pv_command_inspect = {
    .name = "inspect",
    .arguments = {{"WHAT", PV_IS_WORD, &whats}, {"...", PV_IS_TEXT, NULL}},
    .sentence = "show how a URL, page or robots.txt is read",
    .help = "Shows how Pavane reads one URL, robots.txt, page or sitemap, "
	    "for authors of\npolicies and tests. A FILE may be - for the "
	    "standard input. `robots` without\nURL prints the delay in "
	    "seconds and the sitemaps.",
    .example = "  pavane inspect url https://example.org/a/ '../b?c'\n"
	       "  pavane inspect robots robots.txt examplebot "
	       "https://example.org/private/\n"
	       "  pavane inspect links page.html https://example.org/\n"
	       "  pavane inspect sitemap sitemap.xml.gz https://example.org/\n",
    .options = "E",
    .run = run,
};
