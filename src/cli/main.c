#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/run/command.h"
#include "cli/terminal/outlet.h"

static const struct {
	const char *group; /* that begins with it; NULL: it goes on */
	const struct pv_command *command;
} commands[] = {
    {"Crawl", &pv_command_mirror},
    {NULL, &pv_command_crawl},
    {NULL, &pv_command_continue},
    {NULL, &pv_command_update},
    {"From another terminal", &pv_command_stop},
    {NULL, &pv_command_pause},
    {NULL, &pv_command_resume},
    {NULL, &pv_command_set},
    {"See what a crawl does and did", &pv_command_status},
    {NULL, &pv_command_audit},
    {"Use a mirror", &pv_command_where},
    {NULL, &pv_command_links},
    {NULL, &pv_command_relink},
    {NULL, &pv_command_fields},
    {"Write a policy", &pv_command_init},
    {NULL, &pv_command_from},
    {NULL, &pv_command_check},
    {NULL, &pv_command_explain},
    {NULL, &pv_command_try},
    {"Try it", &pv_command_demo},
    {NULL, &pv_command_inspect},
};

#define COMMAND_COUNT (sizeof(commands) / sizeof(*commands))

static void print_commands(FILE *file)
{
	fprintf(file, "usage: pavane COMMAND [OPTIONS] [ARGUMENTS]\n\n"
		      "A polite web crawler.\n");
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		const struct pv_command *command = commands[i].command;
		if (commands[i].group)
			fprintf(file, "\n%s:\n", commands[i].group);
		fprintf(file, "  pavane %-8s %-15s %s\n", command->name,
		    command->arguments, command->sentence);
	}
	fprintf(file,
	    "\n`pavane help COMMAND` describes a command; `man pavane-policy` "
	    "describes\npolicies.\n");
}

static void print_program_help(void)
{
	print_commands(stdout);
	printf("\nOptions:\n");
	pv_options_print("hV");
	printf(
	    "\n"
	    "Example:\n"
	    "  pavane demo\n"
	    "  pavane mirror https://docs.example.org/guide/\n"
	    "  pavane init crawl >policy.yaml\n"
	    "  pavane check policy.yaml\n"
	    "\n"
	    "Exit status: 0 finished; 1 failed; 2 wrong usage or policy; "
	    "3 stopped by a\n"
	    "signal, the state is saved; 4 stopped by a limit of the policy, "
	    "the state is\nsaved; "
	    "5 finished, but a seed could not be fetched.\n");
}

static void print_command_help(const struct pv_command *command)
{
	char letters[32];
	printf("usage: pavane %s [OPTIONS] %s\n\n%s\n\nOptions:\n",
	    command->name, command->arguments, command->help);
	snprintf(letters, sizeof(letters), "%sh", command->options);
	pv_options_print(letters);
	if (command->print_more)
		command->print_more();
	printf("\nExample:\n%s", command->example);
}

static const struct pv_command *find_command(const char *name)
{
	const char *names[COMMAND_COUNT + 1] = {NULL};
	for (size_t i = 0; i < COMMAND_COUNT; i++) {
		names[i] = commands[i].command->name;
		if (strcmp(name, names[i]) == 0)
			return commands[i].command;
	}
	const char *nearest = pavane_nearest_word(name, names);
	fprintf(stderr, "pavane: there is no command %s", name);
	if (nearest)
		fprintf(stderr, ": did you mean %s?", nearest);
	fprintf(stderr, "\n");
	return NULL;
}

/* `pavane help`, or `pavane help COMMAND`. */
static int help(const char *name)
{
	const struct pv_command *command = name ? find_command(name) : NULL;
	if (name && !command)
		return EXIT_WRONG;
	if (command)
		print_command_help(command);
	else
		print_program_help();
	return EXIT_FINISHED;
}

static int run(const struct pv_options *options)
{
	if (options->has_version) {
		printf("pavane %s\n", pavane_version());
		return EXIT_FINISHED;
	}
	if (!options->argument_count && options->has_help)
		return help(NULL);
	if (!options->argument_count) {
		print_commands(stderr);
		return EXIT_WRONG;
	}
	const char *name = options->arguments[0];
	if (strcmp(name, "help") == 0)
		return help(
		    options->argument_count > 1 ? options->arguments[1] : NULL);
	if (options->has_help)
		return help(name);
	const struct pv_command *command = find_command(name);
	if (!command)
		return EXIT_WRONG;
	if (!pv_options_fit(options, command->name, command->options))
		return EXIT_WRONG;
	return command->run(options);
}

/* The files 0, 1 and 2 are there, so that no file of a crawl becomes one of
 * them and gets what is meant for a person. Those that were closed can be
 * neither read nor written: a try fails as if they did not exist. */
static void open_standard_files(void)
{
	for (int file = 0; file <= 2; file++) {
		if (fcntl(file, F_GETFD) < 0)
			open("/dev/null", file == 0 ? O_WRONLY : O_RDONLY);
	}
}

/* Whether all that was printed has gone out. What went wrong before the end is
 * known to have gone wrong, and no more. */
static bool is_all_out(void)
{
	int error = fflush(stdout) == 0 ? 0 : errno;
	if ((!error && !ferror(stdout)) ||
	    pv_outlet_is_gone_terminal(STDOUT_FILENO))
		return true;
	fprintf(stderr, "pavane: cannot write to the standard output%s%s\n",
	    error ? ": " : "", error ? strerror(error) : "");
	return false;
}

int main(int argc, char **argv)
{
	open_standard_files();
	/* libcurl would write the keys of all connections there. */
	unsetenv("SSLKEYLOGFILE");
	struct pv_options options;
	int status = EXIT_WRONG;
	if (pv_options_read(&options, argc, argv))
		status = run(&options);
	pv_options_finish(&options);
	return is_all_out() ? status : EXIT_FAILED;
}
