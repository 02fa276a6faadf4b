#include "url/site.h"

#include <libpsl.h>

#include "url/ipv4.h"

/* Longer names are in no list and in no DNS. */
#define NAME_MAX_BYTES ((size_t)253)

static struct pv_str without_dots(struct pv_str host)
{
	while (host.len && host.ptr[host.len - 1] == '.')
		host.len--;
	return host;
}

/* libpsl is of two minds about such names, and DNS has none. */
static bool has_empty_label(struct pv_str host)
{
	return host.ptr[0] == '.' || memmem(host.ptr, host.len, "..", 2);
}

/* Copies a host for libpsl. False if it is none that can lie in a larger
 * site. */
static bool copy_name(struct pv_str host, char name[NAME_MAX_BYTES + 1])
{
	if (!host.len || host.len > NAME_MAX_BYTES || host.ptr[0] == '[' ||
	    has_empty_label(host) || pv_ipv4_is_meant(host))
		return false;
	memcpy(name, host.ptr, host.len);
	name[host.len] = '\0';
	return true;
}

struct pv_str pv_site_of(struct pv_str host)
{
	char name[NAME_MAX_BYTES + 1];
	const psl_ctx_t *list = psl_builtin();
	host = without_dots(host);
	if (!list || !copy_name(host, name))
		return host;
	const char *site = psl_registrable_domain(list, name);
	return site ? pv_str_from(host, (size_t)(site - name)) : host;
}

/* The host lies in the site if it is the site, or if it lies below it and
 * there is no public suffix from the one to the other. */
bool pv_site_holds(struct pv_str site, struct pv_str host)
{
	char name[NAME_MAX_BYTES + 1];
	const psl_ctx_t *list = psl_builtin();
	host = without_dots(host);
	if (pv_str_equal(host, site))
		return true;
	if (!list || host.len <= site.len || !pv_str_ends(host, site) ||
	    host.ptr[host.len - site.len - 1] != '.' || !copy_name(host, name))
		return false;
	for (size_t at = 0; at <= host.len - site.len; at++) {
		bool is_label = !at || name[at - 1] == '.';
		if (is_label && psl_is_public_suffix(list, name + at))
			return false;
	}
	return true;
}
