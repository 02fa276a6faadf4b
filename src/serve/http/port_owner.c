#include "serve/http/port_owner.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/reader.h"

#define TABLE_MAX ((size_t)4 << 20)
#define NAME_BYTES_MAX 256

static bool is_no_blank(int c)
{
	return !pv_is_blank(c);
}

static struct pv_str next_word(struct pv_reader *line)
{
	pv_reader_take_while(line, pv_is_blank);
	return pv_reader_take_while(line, is_no_blank);
}

static bool has_port(struct pv_str address, uint16_t port)
{
	char wanted[8];
	snprintf(wanted, sizeof(wanted), ":%04X", port);
	return pv_str_ends(address, pv_str_of(wanted));
}

/* "sl local remote state queues timer retransmits uid timeout inode ...", where
 * state 0A is a socket that listens. */
static uint64_t inode_of(struct pv_str text, uint16_t port)
{
	struct pv_reader line = pv_reader_of(text);
	uint64_t inode = 0;
	next_word(&line);
	if (!has_port(next_word(&line), port))
		return 0;
	next_word(&line);
	if (!pv_str_equal(next_word(&line), PV_STR("0A")))
		return 0;
	for (int i = 0; i < 5; i++)
		next_word(&line);
	pv_reader_take_while(&line, pv_is_blank);
	pv_reader_take_number(&line, UINT64_MAX, &inode);
	return inode;
}

uint64_t pv_port_owner_inode(struct pv_str table, uint16_t port)
{
	struct pv_reader reader = pv_reader_of(table);
	while (!pv_reader_is_end(&reader)) {
		uint64_t inode = inode_of(pv_reader_take_line(&reader), port);
		if (inode)
			return inode;
	}
	return 0;
}

static uint64_t inode_in(const char *proc, const char *name, uint16_t port)
{
	char path[NAME_BYTES_MAX];
	struct pv_buf table;
	uint64_t inode = 0;
	pv_buf_init(&table, TABLE_MAX);
	snprintf(path, sizeof(path), "%s/net/%s", proc, name);
	if (pv_file_read(path, &table) != PV_FILE_FAILED)
		inode = pv_port_owner_inode(pv_buf_str(&table), port);
	pv_buf_finish(&table);
	return inode;
}

/* Whether a process, a directory of /proc, has that socket open. */
static bool has_socket(int process, const char *wanted)
{
	int files = openat(process, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *directory = files < 0 ? NULL : fdopendir(files);
	bool is_found = false;
	struct dirent *entry;
	if (!directory) {
		if (files >= 0)
			close(files);
		return false;
	}
	while (!is_found && (entry = readdir(directory))) {
		char target[64];
		ssize_t len =
		    readlinkat(files, entry->d_name, target, sizeof(target));
		is_found = len > 0 &&
			   pv_str_equal((struct pv_str){target, (size_t)len},
			       pv_str_of(wanted));
	}
	closedir(directory);
	return is_found;
}

static bool append_owner(int process, const char *pid, struct pv_buf *buf)
{
	struct pv_buf name;
	struct stat status;
	pv_buf_init(&name, NAME_BYTES_MAX);
	if (pv_file_read_at(process, "comm", &status, &name) != PV_FILE_READ)
		pv_buf_append_text(&name, "a process");
	struct pv_reader reader = pv_reader_of(pv_buf_str(&name));
	struct pv_str line = pv_reader_take_line(&reader);
	bool has_room =
	    pv_buf_append_format(buf, "%.*s (pid %s)", PV_STR_ARG(line), pid);
	pv_buf_finish(&name);
	return has_room;
}

static bool try_process(
    int proc, const char *pid, const char *wanted, struct pv_buf *buf)
{
	int process = openat(proc, pid, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (process < 0)
		return false;
	bool is_owner =
	    has_socket(process, wanted) && append_owner(process, pid, buf);
	close(process);
	return is_owner;
}

bool pv_port_owner_find(const char *proc, uint16_t port, struct pv_buf *buf)
{
	char wanted[64];
	uint64_t inode = inode_in(proc, "tcp", port);
	if (!inode)
		inode = inode_in(proc, "tcp6", port);
	DIR *directory = inode ? opendir(proc) : NULL;
	bool is_found = false;
	struct dirent *entry;
	if (!directory)
		return false;
	snprintf(wanted, sizeof(wanted), "socket:[%" PRIu64 "]", inode);
	while (!is_found && (entry = readdir(directory))) {
		is_found =
		    pv_is_digit(entry->d_name[0]) &&
		    try_process(dirfd(directory), entry->d_name, wanted, buf);
	}
	closedir(directory);
	return is_found;
}
