#include "cli/commands/addresses.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "pavane/pavane.h"

/* A name without a scheme that is a file here was hardly meant as a host. */
static bool is_file(const char *argument, const char *address)
{
	struct stat found;
	return strcmp(argument, address) != 0 && stat(argument, &found) == 0 &&
	       S_ISREG(found.st_mode);
}

/* Takes both texts over. */
static void add(struct pv_addresses *addresses, char *address, char *name)
{
	if (addresses->count == addresses->size) {
		size_t size = addresses->size ? 2 * addresses->size : 16;
		addresses->items =
		    realloc(addresses->items, size * sizeof(*addresses->items));
		addresses->names =
		    realloc(addresses->names, size * sizeof(*addresses->names));
		if (!addresses->items || !addresses->names)
			pavane_out_of_memory(size);
		addresses->size = size;
	}
	addresses->items[addresses->count] = address;
	addresses->names[addresses->count++] = name;
}

static bool read_one(
    struct pv_addresses *addresses, const char *argument, FILE *file)
{
	char *address = pv_web_address_of(argument);
	add(addresses, address, NULL);
	if (is_file(argument, address)) {
		fprintf(stderr,
		    "pavane: %s is a file in this directory: to use it as a "
		    "policy, run `pavane crawl %s`; to fetch a host, write "
		    "%s; if it lists addresses, write --input-file %s\n",
		    argument, argument, address, argument);
		return false;
	}
	if (strcmp(argument, address) != 0)
		fprintf(file, "%s is read as %s\n", argument, address);
	return true;
}

/* A list */

/* A file of addresses that is being read. */
struct input {
	const char *name;
	FILE *file;
	char *line;
	size_t size;
	unsigned number; /* of the line */
};

static bool refuse_line(const struct input *input, const char *why)
{
	fprintf(stderr, "pavane: %s:%u: %s\n", input->name, input->number, why);
	return false;
}

/* Without white space around it, and the mark that some editors begin a file
 * with. */
static char *trimmed(char *line)
{
	static const char mark[] = "\xef\xbb\xbf";
	static const char space[] = " \t\r\n";
	if (strncmp(line, mark, strlen(mark)) == 0)
		line += strlen(mark);
	line += strspn(line, space);
	size_t len = strlen(line);
	while (len && strchr(space, line[len - 1]))
		line[--len] = '\0';
	return line;
}

static bool add_line(
    struct pv_addresses *addresses, struct input *input, size_t len)
{
	char *name;
	if (strlen(input->line) != len)
		return refuse_line(input, "holds a NUL: this is no list of "
					  "addresses");
	const char *text = trimmed(input->line);
	if (!*text || *text == '#')
		return true;
	if (addresses->count == PV_ADDRESSES_MAX)
		return refuse_line(input,
		    "more than 100000 addresses: put them into a policy, as "
		    "seeds: [{file: urls.txt}]");
	if (asprintf(&name, "%s:%u", input->name, input->number) < 0)
		pavane_out_of_memory(strlen(input->name));
	add(addresses, pv_web_address_of(text), name);
	return true;
}

static bool read_lines(struct pv_addresses *addresses, struct input *input)
{
	ssize_t len;
	while ((len = getline(&input->line, &input->size, input->file)) >= 0) {
		input->number++;
		if (!add_line(addresses, input, (size_t)len))
			return false;
	}
	if (!ferror(input->file))
		return true;
	fprintf(stderr, "pavane: %s: cannot be read: %s\n", input->name,
	    strerror(errno));
	return false;
}

static bool read_input(struct pv_addresses *addresses, const char *path)
{
	bool is_standard = strcmp(path, "-") == 0;
	struct input input = {
	    .name = is_standard ? "standard input" : path,
	    .file = is_standard ? stdin : fopen(path, "r"),
	};
	if (!input.file) {
		fprintf(stderr, "pavane: %s: %s\n", path, strerror(errno));
		return false;
	}
	size_t before = addresses->count;
	bool is_read = read_lines(addresses, &input);
	if (is_read && addresses->count == before) {
		fprintf(stderr, "pavane: %s: no address is listed there\n",
		    input.name);
		is_read = false;
	}
	free(input.line);
	if (!is_standard)
		fclose(input.file);
	return is_read;
}

bool pv_addresses_read(struct pv_addresses *addresses,
    const char *const *arguments, size_t count, const char *input, FILE *file)
{
	bool is_right = true;
	*addresses = (struct pv_addresses){0};
	for (size_t i = 0; i < count; i++)
		is_right = read_one(addresses, arguments[i], file) && is_right;
	return (!input || read_input(addresses, input)) && is_right;
}

void pv_addresses_finish(struct pv_addresses *addresses)
{
	for (size_t i = 0; i < addresses->count; i++) {
		free(addresses->items[i]);
		free(addresses->names[i]);
	}
	free(addresses->items);
	free(addresses->names);
	*addresses = (struct pv_addresses){0};
}

#define DIGITS "0123456789"

/* "mailto:" is a scheme; what "localhost:8080" has in front of its colon is
 * none, since only digits come behind it. */
static bool has_scheme(const char *written)
{
	size_t end = strcspn(written, ":/?#");
	if (written[end] != ':')
		return false;
	const char *behind = written + end + 1;
	size_t digits = strspn(behind, DIGITS);
	return !digits || (behind[digits] && !strchr("/?#", behind[digits]));
}

/* What begins like a path of this machine, or with nothing, is no host. */
static bool can_be_host(const char *written)
{
	return *written && !strchr("/.?#~-", *written);
}

static bool is_called(const char *host, size_t len, const char *name)
{
	return len == strlen(name) && strncasecmp(host, name, len) == 0;
}

static bool is_local(const char *host, size_t len)
{
	static const char name[] = "localhost";
	static const char below[] = ".localhost";
	size_t below_len = sizeof(below) - 1;
	return is_called(host, len, name) ||
	       (len > below_len &&
		   is_called(host + len - below_len, below_len, below));
}

/* 127.0.0.1 or [::1]: numbers and dots, or brackets. */
static bool is_network_address(const char *host, size_t len)
{
	size_t numbers = strspn(host, DIGITS ".");
	return *host == '[' ||
	       (numbers == len && memchr(host, '.', len) != NULL);
}

static char *with_prefix(const char *prefix, const char *written)
{
	char *address;
	if (asprintf(&address, "%s%s", prefix, written) < 0)
		pavane_out_of_memory(strlen(written));
	return address;
}

char *pv_web_address_of(const char *written)
{
	bool is_in_brackets = *written == '[';
	if (strncmp(written, "//", 2) == 0 && can_be_host(written + 2))
		return pv_web_address_of(written + 2);
	if (!can_be_host(written) || (!is_in_brackets && has_scheme(written)))
		return with_prefix("", written);
	size_t len =
	    is_in_brackets ? strlen(written) : strcspn(written, ":/?#");
	bool is_plain =
	    is_local(written, len) || is_network_address(written, len);
	return with_prefix(is_plain ? "http://" : "https://", written);
}
