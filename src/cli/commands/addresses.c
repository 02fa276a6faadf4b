#include "cli/commands/addresses.h"

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

static bool read_one(
    struct pv_addresses *addresses, const char *argument, FILE *file)
{
	char *address = pv_web_address_of(argument);
	addresses->items[addresses->count++] = address;
	if (is_file(argument, address)) {
		fprintf(stderr,
		    "pavane: %s is a file in this directory: to use it as a "
		    "policy, run `pavane crawl %s`; to fetch a host, write "
		    "%s\n",
		    argument, argument, address);
		return false;
	}
	if (strcmp(argument, address) != 0)
		fprintf(file, "%s is read as %s\n", argument, address);
	return true;
}

bool pv_addresses_read(struct pv_addresses *addresses,
    const char *const *arguments, size_t count, FILE *file)
{
	bool is_right = true;
	*addresses = (struct pv_addresses){
	    .items = calloc(count + 1, sizeof(*addresses->items)),
	};
	if (!addresses->items)
		pavane_out_of_memory(count);
	for (size_t i = 0; i < count; i++)
		is_right = read_one(addresses, arguments[i], file) && is_right;
	return is_right;
}

void pv_addresses_finish(struct pv_addresses *addresses)
{
	for (size_t i = 0; i < addresses->count; i++)
		free(addresses->items[i]);
	free(addresses->items);
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
