#ifndef PAVANE_CLI_COMMANDS_TEMPLATES_H
#define PAVANE_CLI_COMMANDS_TEMPLATES_H

#include <stddef.h>

/* The files of policies/, built into the program (templates.awk). */
struct pv_policy_template {
	const char *name;     /* "mirror" */
	const char *sentence; /* the file's first line */
	const char *text;
};

extern const struct pv_policy_template pv_policy_templates[];
extern const size_t pv_policy_template_count;

#endif
