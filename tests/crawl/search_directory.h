#ifndef PAVANE_TESTS_CRAWL_SEARCH_DIRECTORY_H
#define PAVANE_TESTS_CRAWL_SEARCH_DIRECTORY_H

#include <ftw.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"

/* Whether no file below a directory holds any of some texts, the last of which
 * is NULL: those that do are shown. */
static const char *const *searched_for;

static int search_file(
    const char *path, const struct stat *about, int kind, struct FTW *place)
{
	struct pv_buf text;
	bool is_there = false;
	(void)about;
	(void)place;
	pv_buf_init(&text, SIZE_MAX);
	FILE *file = kind == FTW_F ? fopen(path, "r") : NULL;
	for (int byte = file ? fgetc(file) : EOF; byte != EOF;
	     byte = fgetc(file))
		pv_buf_append_char(&text, (char)byte);
	for (size_t i = 0; searched_for[i]; i++)
		is_there =
		    is_there || memmem(pv_buf_text(&text), text.len,
				    searched_for[i], strlen(searched_for[i]));
	if (is_there)
		printf("# it is in %s\n", path);
	if (file)
		fclose(file);
	pv_buf_finish(&text);
	return is_there;
}

__attribute__((unused)) static bool directory_lacks(
    const char *path, const char *const *texts)
{
	searched_for = texts;
	return nftw(path, search_file, 16, FTW_PHYS) == 0;
}

#endif
