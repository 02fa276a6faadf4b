#ifndef PAVANE_TESTS_TORTURE_STRIKE_H
#define PAVANE_TESTS_TORTURE_STRIKE_H

#include "torture/fault.h"

/* What is to happen to a call, as the environment says (fault.h). The plan is
 * read when the library is loaded; before that nothing happens to any. */
struct strike {
	bool is_struck;
	bool is_late;  /* the call is made first */
	bool is_short; /* half of it is made, and that is told */
	bool is_kill;  /* the program ends; after the call, if it is late, and
			  after half of it, if it is short */
	int error;     /* of errno, or of SQLite; 0 for none */
};

/* Counts a call, and says what happens to it. What it is about is for whoever
 * reads the tally. */
struct strike strike_call(enum fault_sort sort, const char *about);

/* Ends the program, as if from outside. */
_Noreturn void strike_dead(void);

/* Whether a path, relative to a directory's descriptor or AT_FDCWD, lies where
 * calls count; and which descriptors do. */
bool strike_is_below(int directory, const char *path);
bool strike_is_marked(int fd);
void strike_mark(int fd, bool is_below);

#endif
