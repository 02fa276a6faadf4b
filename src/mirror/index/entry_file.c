#include "mirror/index/entry_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "mirror/index/entry_page.h"

#define TEMPORARY ".index.html.pavane"

/* Within so much of a page it says whose it is. */
#define HEAD_MAX 1024

enum place {
	FREE,
	OURS,
	FOREIGN, /* errno says what is wrong with it; 0: it is a page of
		    somebody else's */
};

static bool is_our_page(int file)
{
	char head[HEAD_MAX];
	ssize_t len = read(file, head, sizeof(head));
	return len > 0 && memmem(head, (size_t)len, PV_ENTRY_GENERATOR,
			      strlen(PV_ENTRY_GENERATOR)) != NULL;
}

static enum place look_at(int file)
{
	struct stat facts;
	if (fstat(file, &facts) != 0)
		return FOREIGN;
	errno = S_ISDIR(facts.st_mode) ? EISDIR : 0;
	if (!S_ISREG(facts.st_mode) || !is_our_page(file))
		return FOREIGN;
	return OURS;
}

/* What stands where the page is to be. */
static enum place look(int directory, const char *name)
{
	int file = openat(
	    directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (file < 0)
		return errno == ENOENT ? FREE : FOREIGN;
	enum place place = look_at(file);
	int error = errno;
	close(file);
	errno = error;
	return place;
}

/* Synced before it has its name, so that no power cut leaves an empty page that
 * nobody knows for ours. */
static bool write_temporary(int directory, struct pv_str page)
{
	unlinkat(directory, TEMPORARY, 0);
	int file = openat(directory, TEMPORARY,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (file < 0)
		return false;
	bool is_written = pv_file_write(file, page) && fsync(file) == 0;
	int error = errno;
	if (close(file) != 0 && is_written)
		return false;
	errno = error;
	return is_written;
}

static bool put(int directory, const char *name, struct pv_str page)
{
	if (write_temporary(directory, page) &&
	    renameat(directory, TEMPORARY, directory, name) == 0)
		return pv_file_sync_directory(directory, ".");
	int error = errno;
	unlinkat(directory, TEMPORARY, 0);
	errno = error;
	return false;
}

static const char *reason(int error)
{
	if (error == ELOOP)
		return "it is a symbolic link, which is not followed";
	return error ? strerror(error)
		     : "it was not written by pavane, so it is not replaced";
}

bool pv_entry_file_put(
    int directory, const char *name, struct pv_str text, struct pv_buf *fault)
{
	if (look(directory, name) != FOREIGN && put(directory, name, text))
		return true;
	pv_buf_append_text(fault, reason(errno));
	return false;
}

bool pv_entry_file_take(int directory, const char *name)
{
	return look(directory, name) == OURS &&
	       unlinkat(directory, name, 0) == 0;
}

bool pv_entry_file_write(
    const char *directory, struct pv_str page, struct pv_buf *fault)
{
	int root = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0) {
		pv_buf_append_text(fault, reason(errno));
		return false;
	}
	bool is_written = pv_entry_file_put(root, PV_ENTRY_FILE, page, fault);
	close(root);
	return is_written;
}

void pv_entry_file_remove(const char *directory)
{
	int root = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return;
	pv_entry_file_take(root, PV_ENTRY_FILE);
	close(root);
}
