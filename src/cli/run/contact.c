#include "cli/run/contact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pavane/pavane.h"

#define TRIES 3

/* One answer without its line end; NULL at the end of the input, or if it is
 * empty. */
static char *read_answer(void)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t len = getline(&line, &size, stdin);
	if (len > 0)
		line[strcspn(line, "\r\n")] = '\0';
	if (len > 0 && line[0])
		return line;
	free(line);
	return NULL;
}

static bool save(const char *config_dir, const char *contact)
{
	char *fault = pavane_config_save_contact(config_dir, contact);
	if (fault)
		fprintf(stderr, "%s\n", fault);
	else
		fprintf(stderr, "Kept in %s/config.yaml\n", config_dir);
	bool is_saved = !fault;
	free(fault);
	return is_saved;
}

bool pv_contact_ask(const char *config_dir)
{
	bool is_saved = false;
	fprintf(stderr, "Owners of sites must be able to reach whoever crawls "
			"them. You are asked once.\n");
	for (int i = 0; i < TRIES && !is_saved; i++) {
		fprintf(stderr, "Your e-mail address, or a page about this "
				"crawler (nothing: not now): ");
		char *answer = read_answer();
		if (!answer) {
			fprintf(stderr, "\n");
			return false;
		}
		is_saved = save(config_dir, answer);
		free(answer);
	}
	return is_saved;
}
