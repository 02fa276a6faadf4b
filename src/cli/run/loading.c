#include "cli/run/loading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pavane/pavane.h"

void pv_write_out(void *ctx, const char *text, size_t len)
{
	fwrite(text, 1, len, ctx);
}

struct pavane_sources pv_sources_of(
    const struct pv_settings *settings, const char *file)
{
	return (struct pavane_sources){
	    .size = sizeof(struct pavane_sources),
	    .file = file,
	    .settings = settings->items,
	    .setting_names = settings->names,
	    .setting_count = settings->count,
	};
}

/* A person at a terminal who has just not said yet who they are is asked. */
static bool may_ask(const struct pv_options *options, const char *file,
    const struct pavane_policy *policy)
{
	bool is_input_free = !file || strcmp(file, "-") != 0;
	return is_input_free && pavane_policy_lacks_contact(policy) &&
	       !options->is_dry && !options->is_json && !options->is_quiet &&
	       isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

struct pavane_policy *pv_policy_of(
    const struct pv_options *options, const struct pavane_sources *sources)
{
	struct pavane_sources all = *sources;
	char *config_dir = pavane_config_dir();
	all.config_dir = config_dir;
	struct pavane_policy *policy = pavane_policy_load(&all);
	if (config_dir && may_ask(options, all.file, policy) &&
	    pv_contact_ask(config_dir)) {
		pavane_policy_destroy(policy);
		policy = pavane_policy_load(&all);
	}
	free(config_dir);
	return policy;
}

struct pavane_policy *pv_policy_again(
    const struct pavane_sources *sources, const char *directory)
{
	if (!sources || sources->text ||
	    (sources->file && strcmp(sources->file, "-") == 0))
		return NULL;
	struct pavane_sources all = *sources;
	char *config_dir = pavane_config_dir();
	all.config_dir = config_dir;
	all.input_of = directory;
	struct pavane_policy *policy = pavane_policy_load(&all);
	free(config_dir);
	return policy;
}

/* In one line: whom a contact is for, the option, and the file for what holds
 * for all of one's crawls. The problem's own text only knows policies. */
static void tell_contact_missing(const struct pavane_problem *problem)
{
	const char *end = strstr(problem->text, ": set ");
	int len = end ? (int)(end - problem->text) : -1;
	char *config_dir = pavane_config_dir();
	fprintf(
	    stderr, "%.*s: use --contact you@your.domain", len, problem->text);
	if (config_dir)
		fprintf(stderr,
		    "; for all your crawls, write identity: {contact: "
		    "you@your.domain} into %s/config.yaml",
		    config_dir);
	fprintf(stderr, "\n");
	free(config_dir);
}

void pv_problem_print(const char *before, const struct pavane_problem *problem)
{
	fprintf(stderr, "%s%s\n", before, problem->sentence);
	if (problem->excerpt[0])
		fprintf(stderr, "%s\n", problem->excerpt);
}

bool pv_policy_is_right(const struct pavane_policy *policy)
{
	struct pavane_problem problem = PAVANE_INIT(struct pavane_problem);
	size_t count = pavane_policy_problem_count(policy);
	size_t kept = 0;
	if (pavane_policy_lacks_contact(policy) &&
	    pavane_policy_problem(policy, 0, &problem)) {
		tell_contact_missing(&problem);
		return false;
	}
	for (; pavane_policy_problem(policy, kept, &problem); kept++)
		pv_problem_print("", &problem);
	if (count > kept)
		fprintf(stderr, "and %zu more problems\n", count - kept);
	return !count;
}

bool pv_policy_suits(
    const struct pv_options *options, const struct pavane_policy *policy)
{
	if (!options->is_dry || !pavane_policy_lacks_contact(policy))
		return pv_policy_is_right(policy);
	fprintf(stderr, "note: a crawl of this needs a contact: use --contact "
			"you@your.domain\n");
	return true;
}

/* Wrong answers are asked for again, an empty one once. */
#define TRIES 3
#define EMPTY_MAX 2

/* One answer without its line end; NULL at the end of the input. */
static char *read_answer(void)
{
	char *line = NULL;
	size_t size = 0;
	if (getline(&line, &size, stdin) > 0) {
		line[strcspn(line, "\r\n")] = '\0';
		return line;
	}
	free(line);
	fprintf(stderr, "\n");
	return NULL;
}

/* NULL if there is none. */
static char *ask(void)
{
	for (int i = 0; i < EMPTY_MAX; i++) {
		fprintf(stderr,
		    "%sYour e-mail address, or a page about this "
		    "crawler: ",
		    i ? "Without one no request is made; Ctrl+C ends "
			"pavane.\n"
		      : "");
		char *answer = read_answer();
		if (!answer || answer[0])
			return answer;
		free(answer);
	}
	return NULL;
}

static bool save(const char *config_dir, const char *contact)
{
	char *fault = pavane_config_save_contact(config_dir, contact);
	if (fault)
		fprintf(stderr, "%s\n", fault);
	else
		fprintf(stderr, "Saved in %s/config.yaml\n", config_dir);
	bool is_saved = !fault;
	free(fault);
	return is_saved;
}

bool pv_contact_ask(const char *config_dir)
{
	bool is_saved = false;
	fprintf(stderr,
	    "Site owners must be able to reach the person who crawls their "
	    "site.\nThis question is asked only once.\n");
	for (int i = 0; i < TRIES && !is_saved; i++) {
		char *answer = ask();
		if (!answer)
			return false;
		is_saved = save(config_dir, answer);
		free(answer);
	}
	return is_saved;
}

void pv_pause_end_print(const char *until)
{
	bool is_time = strpbrk(until, ":-");
	printf("%s %s\n", is_time ? "until" : "for", until);
}

void pv_order_tell(void *ctx, enum pavane_level level, const char *line)
{
	static const char command[] = "pavane set: ";
	bool has_name = strncmp(line, command, sizeof(command) - 1) == 0;
	(void)ctx;
	fprintf(stderr, "%s%s\n",
	    level == PAVANE_INFO ? "note: "
	    : has_name           ? ""
				 : "pavane: ",
	    line);
}
