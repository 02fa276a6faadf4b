#ifndef PAVANE_TESTS_BENCH_PAGE_FILES_H
#define PAVANE_TESTS_BENCH_PAGE_FILES_H

#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/buf.h"

/* The HTML files of a directory, in memory. */

#define PAGES_BYTES_MAX ((size_t)64 << 20)

struct pages {
	struct pv_buf bytes;
	size_t *ends;
	size_t count, size;
};

static inline void pages_add_file(struct pages *pages, const FTSENT *entry)
{
	size_t len = (size_t)entry->fts_statp->st_size;
	FILE *file = fopen(entry->fts_accpath, "rb");
	char *room = file ? pv_buf_reserve(&pages->bytes, len) : NULL;
	if (room && fread(room, 1, len, file) == len) {
		pages->bytes.len += len;
		*PV_ARRAY_PUSH(pages->ends, pages->count, pages->size) =
		    pages->bytes.len;
	}
	if (file)
		fclose(file);
}

static inline void pages_add(struct pages *pages, char *directory)
{
	char *const paths[] = {directory, NULL};
	FTS *files = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	if (!files)
		return;
	for (FTSENT *entry; (entry = fts_read(files));) {
		if (entry->fts_info == FTS_F &&
		    strstr(entry->fts_name, ".html"))
			pages_add_file(pages, entry);
	}
	fts_close(files);
}

static inline struct pv_str pages_get(const struct pages *pages, size_t i)
{
	size_t start = i ? pages->ends[i - 1] : 0;
	return (struct pv_str){
	    pages->bytes.ptr + start, pages->ends[i] - start};
}

/* The main of a benchmark: measures the documentation of Python and Apache,
 * where they are installed, or the pages in the directories that are given. */
typedef void pages_measure_fn(const struct pages *pages, const char *name);

static inline void pages_measure(char *directory, pages_measure_fn *measure)
{
	struct pages pages = {.count = 0};
	pv_buf_init(&pages.bytes, PAGES_BYTES_MAX);
	pages_add(&pages, directory);
	if (pages.count)
		measure(&pages, directory);
	else
		printf("no pages in %s\n", directory);
	free(pages.ends);
	pv_buf_finish(&pages.bytes);
}

static inline int pages_main(int argc, char **argv, pages_measure_fn *measure)
{
	char python[] = "/usr/share/doc/python3.11/html";
	char apache[] = "/usr/share/doc/apache2-doc/manual/en";
	for (int i = 1; i < argc; i++)
		pages_measure(argv[i], measure);
	if (argc == 1) {
		pages_measure(python, measure);
		pages_measure(apache, measure);
	}
	return 0;
}

#endif
