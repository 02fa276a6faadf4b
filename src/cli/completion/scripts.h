#ifndef PAVANE_CLI_COMPLETION_SCRIPTS_H
#define PAVANE_CLI_COMPLETION_SCRIPTS_H

#include <stddef.h>

/* The scripts of this directory, built into the program (templates.awk). */
struct pv_shell_script {
	const char *name; /* "pavane.bash" */
	const char *first_line;
	const char *text;
};

extern const struct pv_shell_script pv_shell_scripts[];
extern const size_t pv_shell_script_count;

#endif
