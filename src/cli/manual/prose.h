#ifndef PAVANE_CLI_MANUAL_PROSE_H
#define PAVANE_CLI_MANUAL_PROSE_H

#include <stdbool.h>
#include <stddef.h>

/* What people write for the manual page of a command (doc/commands/NAME.in), in
 * man(7). It has parts: a line @NAME begins one. The first part has no name and
 * describes the command; others are about the option or word that they name.
 * Texts that are given out are the prose's own. */
struct pv_prose_part {
	const char *name;
	const char *text; /* "" if there is none */
	bool is_taken;
};

#define PV_PROSE_PARTS_MAX 32

struct pv_prose {
	char *text; /* of the file, cut into parts */
	struct pv_prose_part parts[PV_PROSE_PARTS_MAX];
	size_t count;
};

/* Reads the file; false if it cannot be read, has too many parts, or a part
 * twice, which has been printed. */
bool pv_prose_read(struct pv_prose *prose, const char *path);
void pv_prose_finish(struct pv_prose *prose);

/* The text of the part of that name, which is then taken; "" if there is
 * none. */
const char *pv_prose_take(struct pv_prose *prose, const char *name);

/* The name of a part that nobody took; NULL if there is none. */
const char *pv_prose_left(const struct pv_prose *prose);

#endif
