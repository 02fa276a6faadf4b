#include "store/state_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/journal_name.h"

static bool fail(const char *path, struct pv_why *why, const char *text)
{
	pv_why_add(
	    why, (struct pv_place){.file = path}, PV_STR(""), "%s", text);
	return false;
}

/* How much there is at the path of the directory, or of the path and an
 * ending. */
static off_t size_of(const char *before, const char *after)
{
	struct pv_buf path;
	struct stat facts;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s%s", before, after);
	bool is_there = lstat(pv_buf_text(&path), &facts) == 0;
	pv_buf_finish(&path);
	return is_there ? facts.st_size : 0;
}

static off_t size_in(const char *directory, const char *name)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/%s", directory, name);
	off_t size = size_of(pv_buf_text(&path), "");
	pv_buf_finish(&path);
	return size;
}

/* Neither a link nor anything else than a file. */
static bool is_usable(const char *path, struct pv_why *why)
{
	struct stat facts;
	if (lstat(path, &facts) != 0)
		return errno == ENOENT || fail(path, why, strerror(errno));
	if (S_ISLNK(facts.st_mode))
		return fail(path, why,
		    "is a symbolic link, which is not followed: put the file "
		    "itself there, or choose another directory");
	return S_ISREG(facts.st_mode) ||
	       fail(path, why, "cannot be used: it is not a regular file");
}

static bool are_all_usable(const char *path, struct pv_why *why)
{
	static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
	bool are_usable = true;
	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		struct pv_buf name;
		pv_buf_init(&name, SIZE_MAX);
		pv_buf_append_format(&name, "%s%s", path, endings[i]);
		are_usable = are_usable && is_usable(pv_buf_text(&name), why);
		pv_buf_finish(&name);
	}
	return are_usable;
}

/* A file of the journal that has lines: the first may have been removed. */
static bool has_lines(const char *directory, char name[PV_JOURNAL_NAME_MAX])
{
	DIR *files = opendir(directory);
	const struct dirent *entry;
	bool has_any = false;
	uint64_t generation;
	while (files && !has_any && (entry = readdir(files))) {
		if (!pv_journal_name_read(
			pv_str_of(entry->d_name), &generation))
			continue;
		pv_journal_name_write(generation, name);
		has_any = size_in(directory, name) > 0;
	}
	if (files)
		closedir(files);
	return has_any;
}

/* What is new has no journal, and no log of changes: beside an empty file
 * SQLite would delete that. */
static bool is_lost(const char *directory, const char *path, struct pv_why *why)
{
	char name[PV_JOURNAL_NAME_MAX];
	if (size_of(path, ""))
		return false;
	bool has_journal = has_lines(directory, name);
	if (!has_journal && !size_of(path, "-wal"))
		return false;
	pv_why_add(why, (struct pv_place){.file = path}, PV_STR(""),
	    "was emptied or removed, although %s %s: restore a copy, or start "
	    "again with --fresh or in another directory",
	    has_journal ? name : "state.db-wal",
	    has_journal ? "has lines" : "exists");
	return true;
}

static int create(const char *path)
{
	int flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int file = open(path, flags, 0600);
	return file >= 0 ? close(file) : errno == EEXIST ? 0 : -1;
}

static bool tell_uncreated(const char *path, struct pv_why *why)
{
	pv_why_add(why, (struct pv_place){.file = path}, PV_STR(""),
	    "cannot be created: %s", strerror(errno));
	return false;
}

bool pv_state_file_make(const char *path, struct pv_why *why)
{
	if (!are_all_usable(path, why))
		return false;
	return create(path) == 0 || tell_uncreated(path, why);
}

bool pv_state_file_open(struct pv_state_file *state, const char *directory,
    const char *path, struct pv_why *why)
{
	state->file = -1;
	if (!are_all_usable(path, why) || is_lost(directory, path, why))
		return false;
	if (create(path) == 0)
		state->file = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	return state->file >= 0 || tell_uncreated(path, why);
}

void pv_state_file_close(struct pv_state_file *state)
{
	if (state->file >= 0)
		close(state->file);
}

bool pv_state_file_is_of(const struct pv_state_file *state,
    const struct pv_database *database, const char *path, struct pv_why *why)
{
	struct stat facts;
	return (fstat(state->file, &facts) == 0 && S_ISREG(facts.st_mode) &&
		   pv_database_is_file(database, &facts)) ||
	       fail(path, why,
		   "was replaced while it was opened: another program is "
		   "changing this directory");
}

bool pv_state_file_is_removed(const struct pv_state_file *state)
{
	struct stat facts;
	return state->file >= 0 && fstat(state->file, &facts) == 0 &&
	       facts.st_nlink == 0;
}
