#ifndef PAVANE_CLI_RUN_ROW_FACTS_H
#define PAVANE_CLI_RUN_ROW_FACTS_H

#include <stdio.h>

/* The rows that a crawl has, by kinds of pages, and the fields that had no
 * value: for the summary at its end and for `status`. Nothing where there are
 * none. */
void pv_row_facts_write(const char *directory, FILE *file);

#endif
