#include <stdio.h>
#include <string.h>

#include "cli/manual/manual.h"

/* Makes the manual pages when the program is built.
 *
 *   manual command NAME FILE   the page of a command, of what FILE says
 *   manual page FILE           FILE, with some of its lines replaced:
 *                              @title NAME SECTION KIND, @commands and @keys
 *   manual keys                the list of all keys of a policy
 */

static void write_out(void *ctx, const char *text, size_t len)
{
	fwrite(text, 1, len, ctx);
}

static int write_command(const char *name, const char *path)
{
	struct pv_prose prose;
	const struct pv_command *command = pv_command_get(name);
	if (!command) {
		fprintf(stderr, "there is no command %s\n", name);
		return 1;
	}
	bool is_read = pv_prose_read(&prose, path);
	if (is_read)
		pv_manual_write_command(stdout, command, &prose);
	const char *left = is_read ? pv_prose_left(&prose) : NULL;
	if (left)
		fprintf(stderr, "%s: @%s: %s has no such option or word\n",
		    path, left, name);
	pv_prose_finish(&prose);
	return is_read && !left ? 0 : 1;
}

/* Cuts the first word off. */
static char *take_word(char **rest)
{
	char *word = *rest;
	char *end = word + strcspn(word, " \n");
	*rest = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

/* False if it is no line to be replaced. */
static bool replace(char *line)
{
	char *rest = line;
	const char *what = take_word(&rest);
	if (strcmp(what, "@title") == 0) {
		const char *name = take_word(&rest);
		const char *section = take_word(&rest);
		rest[strcspn(rest, "\n")] = '\0';
		pv_manual_write_title(stdout, name, section, rest);
	} else if (strcmp(what, "@commands") == 0) {
		pv_manual_write_commands(stdout);
	} else if (strcmp(what, "@keys") == 0) {
		pavane_reference_write(write_out, stdout);
	} else {
		return false;
	}
	return true;
}

static int write_page(const char *path)
{
	char line[4096];
	int status = 0;
	FILE *file = fopen(path, "r");
	if (!file) {
		perror(path);
		return 1;
	}
	while (!status && fgets(line, sizeof(line), file)) {
		if (line[0] != '@')
			fputs(line, stdout);
		else if (!replace(line))
			status = fprintf(stderr, "%s: %s is unknown\n", path,
				     line) > 0;
	}
	fclose(file);
	return status;
}

int main(int argc, char **argv)
{
	int status = 2;
	if (argc == 4 && strcmp(argv[1], "command") == 0)
		status = write_command(argv[2], argv[3]);
	else if (argc == 3 && strcmp(argv[1], "page") == 0)
		status = write_page(argv[2]);
	else if (argc == 2 && strcmp(argv[1], "keys") == 0) {
		pavane_reference_write(write_out, stdout);
		status = 0;
	}
	return ferror(stdout) ? 1 : status;
}
