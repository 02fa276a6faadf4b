#include "cli/run/start_page.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Deeper than this nobody's only page is. */
#define LEVELS_MAX 32

#define UNRESERVED                                                       \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" \
	"-._~/"

static bool is_kind(const char *path, mode_t kind)
{
	struct stat found;
	return stat(path, &found) == 0 && (found.st_mode & S_IFMT) == kind;
}

/* Goes on to what is of that name and kind; stays where there is none. */
static bool step(struct pv_start_page *page, const char *name, mode_t kind)
{
	char next[sizeof(page->path)];
	int len = snprintf(next, sizeof(next), "%s/%s", page->path, name);
	if (!*name || *name == '.' || len < 0 || (size_t)len >= sizeof(next) ||
	    !is_kind(next, kind))
		return false;
	memcpy(page->path, next, (size_t)len + 1);
	return true;
}

static bool step_to_index(struct pv_start_page *page)
{
	return step(page, "index.html", S_IFREG);
}

/* How many entries the directory has, counted up to two, and the last of them
 * that was seen. */
static size_t count_entries(
    const struct pv_start_page *page, char *last, size_t size)
{
	size_t count = 0;
	DIR *directory = opendir(page->path);
	struct dirent *entry;
	if (!directory)
		return 0;
	while (count < 2 && (entry = readdir(directory))) {
		if (entry->d_name[0] == '.')
			continue;
		count++;
		snprintf(last, size, "%s", entry->d_name);
	}
	closedir(directory);
	return count;
}

static bool is_empty(const struct pv_start_page *page)
{
	char name[NAME_MAX + 1];
	return count_entries(page, name, sizeof(name)) == 0;
}

/* The directory's one and only entry, if it is a directory too. */
static bool step_to_only(struct pv_start_page *page)
{
	char only[NAME_MAX + 1] = "";
	return count_entries(page, only, sizeof(only)) == 1 &&
	       step(page, only, S_IFDIR);
}

static void descend(struct pv_start_page *page)
{
	for (int i = 0; i < LEVELS_MAX; i++) {
		if (step_to_index(page) || !step_to_only(page))
			return;
	}
}

/* Copies a part of an address as text; false if it is too long. */
static bool cut(char *name, size_t size, const char *from, size_t len)
{
	if (len >= size)
		return false;
	memcpy(name, from, len);
	name[len] = '\0';
	return true;
}

/* The last part of a path without a slash at its end is a page: it has its own
 * name; one that was added, behind a mark; or the mark of an index that was
 * asked for by its name. */
static bool step_to_page(struct pv_start_page *page, const char *name)
{
	static const char index[] = "index.";
	char file[NAME_MAX + 16];
	if (step(page, name, S_IFREG))
		return true;
	snprintf(file, sizeof(file), "%s^.html", name);
	if (step(page, file, S_IFREG))
		return true;
	if (strncmp(name, index, strlen(index)) != 0)
		return false;
	snprintf(file, sizeof(file), "index^^.%s", name + strlen(index));
	return step(page, file, S_IFREG);
}

/* A directory of that name; one that looks like a file has a mark behind. */
static bool step_to_directory(struct pv_start_page *page, const char *name)
{
	char marked[NAME_MAX + 8];
	if (step(page, name, S_IFDIR))
		return true;
	snprintf(marked, sizeof(marked), "%s^", name);
	return step(page, marked, S_IFDIR);
}

/* The directory of a host: with the port behind it, unless it is asked in
 * secret and at the usual one. */
static bool step_to_host(
    struct pv_start_page *page, const char *authority, bool is_secure)
{
	char name[NAME_MAX + 1];
	bool is_literal = *authority == '[';
	const char *host = authority + is_literal;
	size_t len = strcspn(host, is_literal ? "]" : ":");
	const char *port = host + len + strspn(host + len, "]:");
	bool has_usual = !*port || strcmp(port, is_secure ? "443" : "80") == 0;
	if (!has_usual || !is_secure)
		snprintf(name, sizeof(name), "%.*s^%s%s", (int)len, host,
		    is_secure ? "https" : "", has_usual ? "80" : port);
	else
		snprintf(name, sizeof(name), "%.*s", (int)len, host);
	return step(page, name, S_IFDIR);
}

/* Follows the address as far as there are directories of the names of its
 * parts. */
static void follow(struct pv_start_page *page, const char *address)
{
	char name[NAME_MAX + 1];
	bool is_secure = strncmp(address, "http://", 7) != 0;
	const char *scheme = strstr(address, "://");
	const char *host = scheme ? scheme + 3 : address;
	const char *end = host + strcspn(host, "/?#");
	const char *login = memchr(host, '@', (size_t)(end - host));
	if (login)
		host = login + 1;
	if (!cut(name, sizeof(name), host, (size_t)(end - host)) ||
	    !step_to_host(page, name, is_secure))
		return;
	while (*end == '/') {
		const char *part = end + 1;
		end = part + strcspn(part, "/?#");
		if (!cut(name, sizeof(name), part, (size_t)(end - part)))
			return;
		if (*end != '/' && step_to_page(page, name))
			return;
		if (!step_to_directory(page, name))
			return;
	}
}

bool pv_start_page_find(
    struct pv_start_page *page, const char *directory, const char *address)
{
	struct pv_start_page found;
	int len =
	    snprintf(found.path, sizeof(found.path), "%s/site", directory);
	if (len < 0 || (size_t)len >= sizeof(found.path) ||
	    !is_kind(found.path, S_IFDIR))
		return false;
	if (address)
		follow(&found, address);
	if (is_kind(found.path, S_IFDIR))
		descend(&found);
	if (is_kind(found.path, S_IFDIR) && is_empty(&found))
		return false;
	*page = found;
	page->is_page = is_kind(found.path, S_IFREG);
	return true;
}

void pv_file_address_write(FILE *file, const char *path)
{
	char absolute[PATH_MAX];
	const char *written = realpath(path, absolute) ? absolute : path;
	fputs("file://", file);
	for (; *written; written++) {
		if (strchr(UNRESERVED, *written))
			fputc(*written, file);
		else
			fprintf(file, "%%%02X", (unsigned char)*written);
	}
}
