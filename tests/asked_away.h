#ifndef PAVANE_TESTS_ASKED_AWAY_H
#define PAVANE_TESTS_ASKED_AWAY_H

#include <stdio.h>

#include "policy/policy.h"
#include "scratch.h"

/* A policy whose user has a never.txt with one line. */
__attribute__((unused)) static void asked_away(
    struct pv_policy *policy, const char *line)
{
	struct scratch scratch;
	struct pv_why why;
	scratch_make(&scratch);
	pv_why_init(&why);
	FILE *file = fopen(scratch_file(&scratch, "never.txt"), "w");
	if (file) {
		fprintf(file, "%s\n", line);
		fclose(file);
	}
	pv_never_read(
	    &policy->never, scratch_file(&scratch, "never.txt"), &why);
	pv_why_finish(&why);
	scratch_remove(&scratch);
}

#endif
