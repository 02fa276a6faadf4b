#ifndef PAVANE_POLICY_SECRETS_COOKIES_H
#define PAVANE_POLICY_SECRETS_COOKIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/why.h"

/* A file of cookies as extensions of browsers, curl and wget write it
 * (Netscape's format): a line for each, of seven fields with tabs between them.
 *
 *   domain  TRUE: also below it  path  TRUE: https only  expiry  name  value
 *
 * The expiry is in seconds since 1970, 0 for a cookie of a session. A line that
 * begins with # is a comment, but for #HttpOnly_, which stands before the
 * domain of a cookie that scripts may not see. Where a cookie is sent is decided
 * by its domain, path and scheme (RFC 6265, 5.4).
 */
#define PV_COOKIES_MAX ((size_t)2000)

/* Longer names and values browsers do not keep (RFC 6265bis, 5.6). */
#define PV_COOKIE_BYTES_MAX ((size_t)4096)

struct pv_cookie {
	struct pv_str domain; /* without the dot before it */
	struct pv_str path;
	struct pv_str name;
	struct pv_str value;
	int64_t expires_s; /* 0: when the session ends */
	bool is_below;     /* it goes to hosts below the domain, too */
	bool is_secure;    /* to https only */
};

struct pv_cookies {
	struct pv_cookie *items;
	size_t count;
	size_t size;
	struct pv_arena arena;
};

void pv_cookies_init(struct pv_cookies *cookies);
void pv_cookies_finish(struct pv_cookies *cookies);

/* Reads what stands in a file, of which the path is only told. Each line that
 * is wrong is a problem; no problem quotes a value. */
void pv_cookies_read(struct pv_cookies *cookies, struct pv_str text,
    const char *path, struct pv_why *why);

/* The same of the file. False if there is a problem. */
bool pv_cookies_read_file(
    struct pv_cookies *cookies, const char *path, struct pv_why *why);

/* Appends a cookie as a line of such a file, without its end. */
void pv_cookie_write(const struct pv_cookie *cookie, struct pv_buf *buf);

#endif
