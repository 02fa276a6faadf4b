#include "serve/jobs/job_files.h"

#include <dirent.h>
#include <errno.h>
#include <fts.h>
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"

#define REMOVED "removed-"
#define OPEN_MAX_WALK 32

bool pv_job_files_init(const char *directory)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/jobs", directory);
	bool is_made = pv_file_make_directory(pv_buf_text(&path), 0700);
	int error = errno;
	pv_buf_finish(&path);
	errno = error;
	return is_made;
}

static int remove_one(
    const char *path, const struct stat *facts, int kind, struct FTW *walk)
{
	(void)facts;
	(void)kind;
	(void)walk;
	return remove(path);
}

/* Symbolic links are removed, not followed. */
static bool remove_tree(const char *path)
{
	return nftw(path, remove_one, OPEN_MAX_WALK, FTW_DEPTH | FTW_PHYS) ==
		   0 ||
	       errno == ENOENT;
}

static void write_path(struct pv_buf *path, const char *directory,
    const char *before, struct pv_str id)
{
	pv_buf_init(path, SIZE_MAX);
	pv_buf_append_format(
	    path, "%s/jobs/%s%.*s", directory, before, PV_STR_ARG(id));
}

bool pv_job_files_set_aside(const char *directory, struct pv_str id)
{
	struct pv_buf from, to;
	write_path(&from, directory, "", id);
	write_path(&to, directory, REMOVED, id);
	bool is_aside = rename(pv_buf_text(&from), pv_buf_text(&to)) == 0 ||
			errno == ENOENT;
	int error = errno;
	pv_buf_finish(&from);
	pv_buf_finish(&to);
	errno = error;
	return is_aside;
}

bool pv_job_files_remove(const char *directory, struct pv_str id)
{
	struct pv_buf path;
	write_path(&path, directory, REMOVED, id);
	bool is_gone = pv_job_files_set_aside(directory, id) &&
		       remove_tree(pv_buf_text(&path));
	int error = errno;
	pv_buf_finish(&path);
	errno = error;
	return is_gone;
}

void pv_job_files_tidy(const char *directory, pv_job_files_fn fn, void *ctx)
{
	struct pv_buf path;
	struct dirent *entry;
	write_path(&path, directory, "", PV_STR(""));
	DIR *jobs = opendir(pv_buf_text(&path));
	pv_buf_finish(&path);
	while (jobs && (entry = readdir(jobs))) {
		struct pv_str name = pv_str_of(entry->d_name);
		if (!pv_str_starts(name, PV_STR(REMOVED)))
			continue;
		struct pv_str id = pv_str_from(name, strlen(REMOVED));
		if (fn(ctx, id))
			pv_job_files_remove(directory, id);
	}
	if (jobs)
		closedir(jobs);
}

static uint64_t bytes_of(const FTSENT *entry)
{
	const struct stat *facts = entry->fts_statp;
	uint64_t bytes = (uint64_t)facts->st_blocks * 512;
	switch (entry->fts_info) {
	case FTS_F:
		return facts->st_nlink ? bytes / facts->st_nlink : bytes;
	case FTS_D:
	case FTS_SL:
	case FTS_SLNONE:
		return bytes;
	default:
		return 0;
	}
}

uint64_t pv_files_bytes(const char *path)
{
	struct pv_buf root;
	uint64_t bytes = 0;
	pv_buf_init(&root, SIZE_MAX);
	pv_buf_append_text(&root, path);
	pv_buf_append_char(&root, '\0');
	char *roots[] = {root.ptr, NULL};
	FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	for (FTSENT *entry; walk && (entry = fts_read(walk));)
		bytes += bytes_of(entry);
	if (walk)
		fts_close(walk);
	pv_buf_finish(&root);
	return bytes;
}

uint64_t pv_job_files_bytes(const char *directory, struct pv_str id)
{
	struct pv_buf path;
	write_path(&path, directory, "", id);
	uint64_t bytes = pv_files_bytes(pv_buf_text(&path));
	pv_buf_finish(&path);
	return bytes;
}
