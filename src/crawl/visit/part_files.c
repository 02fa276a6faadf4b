#include "crawl/visit/part_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/reader.h"
#include "crawl/conductor.h"
#include "store/tables/part_table.h"

static void path_of(
    const char *directory, uint64_t address, struct pv_buf *path)
{
	pv_buf_init(path, SIZE_MAX);
	pv_buf_append_format(path, "%s/parts", directory);
	if (address)
		pv_buf_append_format(
		    path, "/%llu", (unsigned long long)address);
}

bool pv_part_files_has(const char *directory, uint64_t address, uint64_t size)
{
	struct stat facts;
	struct pv_buf path;
	path_of(directory, address, &path);
	bool has = lstat(pv_buf_text(&path), &facts) == 0 &&
		   S_ISREG(facts.st_mode) && (uint64_t)facts.st_size >= size;
	pv_buf_finish(&path);
	return has;
}

static int open_one(const char *directory, uint64_t address, int flags)
{
	struct pv_buf path;
	path_of(directory, address, &path);
	int file = open(
	    pv_buf_text(&path), O_RDWR | O_NOFOLLOW | O_CLOEXEC | flags, 0600);
	pv_buf_finish(&path);
	return file;
}

int pv_part_files_take(const char *directory, uint64_t address)
{
	return open_one(directory, address, 0);
}

/* The state is to tell of no name that is not on the disk. */
static bool sync_name(const char *directory, uint64_t address)
{
	struct pv_buf path;
	path_of(directory, address, &path);
	bool is_synced = pv_file_sync_name(pv_buf_text(&path));
	pv_buf_finish(&path);
	return is_synced;
}

static bool make_directory(const char *directory)
{
	struct pv_buf path;
	path_of(directory, 0, &path);
	bool is_there = pv_file_make_directory(pv_buf_text(&path), 0700);
	pv_buf_finish(&path);
	return is_there;
}

int pv_part_files_make(const char *directory, uint64_t address)
{
	if (!make_directory(directory))
		return -1;
	pv_part_files_remove(directory, address);
	int file = open_one(directory, address, O_CREAT | O_EXCL);
	if (file < 0 || sync_name(directory, address))
		return file;
	close(file);
	return -1;
}

void pv_part_files_remove(const char *directory, uint64_t address)
{
	struct pv_buf path;
	path_of(directory, address, &path);
	unlink(pv_buf_text(&path));
	pv_buf_finish(&path);
}

/* Those that nobody refers to */

/* 0 if it is not a name of ours. */
static uint64_t address_of(const char *name)
{
	struct pv_reader reader = pv_reader_of(pv_str_of(name));
	uint64_t address = 0;
	bool is_ours = pv_reader_peek(&reader) != '0' &&
		       pv_reader_take_number(&reader, INT64_MAX, &address) &&
		       pv_reader_is_end(&reader);
	return is_ours ? address : 0;
}

static void sweep_all(struct pv_database *database, DIR *directory)
{
	struct pv_part_table parts;
	struct dirent *entry;
	pv_part_table_init(&parts, database);
	while ((entry = readdir(directory))) {
		bool is_there =
		    pv_part_table_has(&parts, address_of(entry->d_name));
		if (pv_database_status(database) != PV_STORE_OK)
			break;
		if (!is_there && entry->d_name[0] != '.')
			unlinkat(dirfd(directory), entry->d_name, 0);
	}
	pv_part_table_finish(&parts);
}

static void sweep(struct pv_crawl *crawl)
{
	struct pv_buf path;
	path_of(crawl->directory, 0, &path);
	DIR *directory = opendir(pv_buf_text(&path));
	if (directory) {
		sweep_all(crawl->store->database, directory);
		closedir(directory);
		rmdir(pv_buf_text(&path)); /* if it is empty */
	}
	pv_buf_finish(&path);
}

void pv_part_files_open(struct pv_crawl *crawl)
{
	sweep(crawl);
	struct pv_part_sums sums = pv_part_table_sums(crawl->store->database);
	crawl->part_files = (struct pv_part_files){
	    .count = (size_t)sums.count, .bytes = sums.bytes};
}

void pv_part_files_close(struct pv_crawl *crawl)
{
	if (crawl->store && crawl->frontier)
		sweep(crawl);
}
