#ifndef PAVANE_CLI_RUN_START_PAGE_H
#define PAVANE_CLI_RUN_START_PAGE_H

#include <stdbool.h>
#include <stdio.h>

/* Where somebody who has just made a mirror looks first.
 *
 * With the address that the crawl began at, the file of that page; else the
 * index that all else lies below, if there is one; else the directory in which
 * it stops being clear. Fills the path; false if there is no mirror. */
struct pv_start_page {
	char path[4096];
	bool is_page; /* no directory */
};

bool pv_start_page_find(
    struct pv_start_page *page, const char *directory, const char *address);

/* Writes the file:// address of a path, for a browser or a terminal that
 * follows it. */
void pv_file_address_write(FILE *file, const char *path);

#endif
