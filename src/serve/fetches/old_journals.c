#include "serve/fetches/old_journals.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/journal_name.h"

static int64_t changed_ms(const struct stat *facts)
{
	return (int64_t)facts->st_mtim.tv_sec * 1000 +
	       facts->st_mtim.tv_nsec / 1000000;
}

void pv_old_journals_remove(
    const char *directory, uint64_t generation, int64_t before_ms)
{
	DIR *files = opendir(directory);
	const struct dirent *entry;
	struct stat facts;
	uint64_t number;
	while (files && (entry = readdir(files))) {
		if (pv_journal_name_read(pv_str_of(entry->d_name), &number) &&
		    number < generation &&
		    fstatat(dirfd(files), entry->d_name, &facts,
			AT_SYMLINK_NOFOLLOW) == 0 &&
		    changed_ms(&facts) < before_ms)
			unlinkat(dirfd(files), entry->d_name, 0);
	}
	if (files)
		closedir(files);
}
