#include "cli/run/web_address.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "pavane/pavane.h"

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
