#ifndef PAVANE_TESTS_BENCH_PAGE_FILES_H
#define PAVANE_TESTS_BENCH_PAGE_FILES_H

#include <fts.h>
#include <stdio.h>
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

#endif
