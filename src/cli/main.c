#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/table/commands.h"
#include "cli/table/usage.h"
#include "cli/terminal/outlet.h"

static const struct pv_command *find_command(const char *name)
{
	const char *names[PV_COMMANDS_MAX] = {NULL};
	const struct pv_command *command = pv_command_get(name);
	if (command)
		return command;
	for (size_t i = 0; i < pv_command_count; i++)
		names[i] = pv_commands[i].command->name;
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
		pv_usage_print_command(command);
	else
		pv_usage_print_program();
	return EXIT_FINISHED;
}

static bool is_database(const char *argument)
{
	return strncmp(argument, "postgresql://", 13) == 0 ||
	       strncmp(argument, "postgres://", 11) == 0;
}

/* Whoever forgets --fleet has typed what no message is to repeat. */
static bool has_database(const struct pv_options *options)
{
	size_t i = 0;
	while (
	    i < options->argument_count && !is_database(options->arguments[i]))
		i++;
	if (i == options->argument_count)
		return false;
	fprintf(stderr,
	    "pavane: the URL of a database stands behind --fleet: pavane %s "
	    "--fleet URL ... (it is not shown, since it may hold a password)\n",
	    i > 0 ? options->arguments[0] : "COMMAND");
	return true;
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
		pv_usage_print_commands(stderr);
		return EXIT_WRONG;
	}
	const char *name = options->arguments[0];
	if (has_database(options))
		return EXIT_WRONG;
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
