#ifndef PAVANE_URL_URL_H
#define PAVANE_URL_URL_H

#include "base/address.h"

/* Web addresses, as the URL Standard (https://url.spec.whatwg.org/) reads
 * them: the one parser of them in the program.
 *
 * A pv_url holds one canonical text, which is what the standard calls the
 * serialised URL, and where its parts begin and end. It is http or https; of
 * anything else we only say that it is foreign. What a pv_url gives out is
 * borrowed from it and lives until it is parsed or joined again; doing so
 * reuses its memory, so a thousand links cost no allocation.
 */

/* Where the parts lie in the text:
 *
 *   https://user:pass@example.org:8080/path/page?query#fragment
 *               |     |          |    |         |     |
 *               |     host       |    path      query fragment
 *               username_end     host_end
 */
struct pv_url_parts {
	size_t username_end; /* host, if there are no credentials */
	size_t host;
	size_t host_end;
	size_t path;
	size_t query;    /* its question mark; fragment, if there is none */
	size_t fragment; /* its number sign; the end, if there is none */
	bool is_secure;  /* https */
	uint16_t port;
	struct pv_address address; /* bits is 0 where the host is a name */
};

struct pv_url {
	struct pv_buf text; /* empty, or a whole canonical address */
	struct pv_url_parts parts;
	struct pv_buf scratch;
};

enum pv_url_result {
	PV_URL_OK,
	PV_URL_INVALID,        /* no address at all */
	PV_URL_FOREIGN_SCHEME, /* mailto, javascript, ftp: not ours */
	PV_URL_TOO_LONG,       /* longer than the ceiling */
};

struct pv_encoder;

/* An empty address, for canonical texts of at most `ceiling` bytes. */
void pv_url_init(struct pv_url *url, size_t ceiling);
void pv_url_finish(struct pv_url *url);

/* Reads an absolute address. After anything but PV_URL_OK the url is empty.
 * The text must not be the url's own. */
enum pv_url_result pv_url_parse(struct pv_url *url, struct pv_str text);

/* Reads a reference, relative or absolute, as it stands in a page whose base
 * is `base` (another url than the one that is filled). The text is UTF-8, and
 * bytes that are not are percent-encoded as they stand; the encoder tells how
 * the page's own encoding writes its queries (NULL for UTF-8). */
enum pv_url_result pv_url_join(struct pv_url *url, const struct pv_url *base,
    struct pv_str reference, struct pv_encoder *encoder);

/* The text from one offset to another. */
static inline struct pv_str pv_url_between(
    const struct pv_url *url, size_t start, size_t end)
{
	struct pv_str text = pv_buf_str(&url->text);
	return (struct pv_str){text.ptr + start, end - start};
}

/* All of it. */
static inline struct pv_str pv_url_text(const struct pv_url *url)
{
	return pv_buf_str(&url->text);
}

/* All but the fragment: what a server can be asked for. */
static inline struct pv_str pv_url_page(const struct pv_url *url)
{
	return pv_url_between(url, 0, url->parts.fragment);
}

/* "http" or "https". */
static inline struct pv_str pv_url_scheme(const struct pv_url *url)
{
	return url->parts.is_secure ? PV_STR("https") : PV_STR("http");
}

static inline bool pv_url_has_credentials(const struct pv_url *url)
{
	return url->parts.username_end < url->parts.host;
}

/* Takes them out; there may be none. */
void pv_url_drop_credentials(struct pv_url *url);

/* Percent-encoded; empty if there is none. */
struct pv_str pv_url_username(const struct pv_url *url);
struct pv_str pv_url_password(const struct pv_url *url);

/* The canonical name or address, an IPv6 address in brackets. */
static inline struct pv_str pv_url_host(const struct pv_url *url)
{
	return pv_url_between(url, url->parts.host, url->parts.host_end);
}

/* The host as an IP address; NULL if it is a name. */
static inline const struct pv_address *pv_url_address(const struct pv_url *url)
{
	return url->parts.address.bits ? &url->parts.address : NULL;
}

/* The port to connect to, whether it is written or the scheme's own. */
static inline uint16_t pv_url_port(const struct pv_url *url)
{
	return url->parts.port;
}

/* Whether a port is written: one that is not the scheme's own. */
static inline bool pv_url_has_port(const struct pv_url *url)
{
	return url->parts.host_end < url->parts.path;
}

/* "host" or "host:port", as a Host header says it. */
static inline struct pv_str pv_url_host_and_port(const struct pv_url *url)
{
	return pv_url_between(url, url->parts.host, url->parts.path);
}

/* Begins with a slash. */
static inline struct pv_str pv_url_path(const struct pv_url *url)
{
	return pv_url_between(url, url->parts.path, url->parts.query);
}

/* All up to the last slash of the path: what relative addresses are joined
 * to. */
static inline struct pv_str pv_url_directory(const struct pv_url *url)
{
	struct pv_str page = pv_url_between(url, 0, url->parts.query);
	return pv_str_head(page, pv_str_find_last(page, '/') + 1);
}

static inline bool pv_url_has_query(const struct pv_url *url)
{
	return url->parts.query < url->parts.fragment;
}

static inline bool pv_url_has_fragment(const struct pv_url *url)
{
	return url->parts.fragment < url->text.len;
}

/* Without their marks; empty if there is none. */
struct pv_str pv_url_query(const struct pv_url *url);
struct pv_str pv_url_fragment(const struct pv_url *url);

/* Path and query: what a request line asks for. */
static inline struct pv_str pv_url_target(const struct pv_url *url)
{
	return pv_url_between(url, url->parts.path, url->parts.fragment);
}

/* Appends the authority, "scheme://host" or "scheme://host:port", without
 * credentials; false if the ceiling is in the way. */
bool pv_url_write_authority(const struct pv_url *url, struct pv_buf *buf);

/* Appends a text of the url, from its beginning on, without credentials;
 * nothing if the ceiling is in the way. */
void pv_url_write_open(
    const struct pv_url *url, struct pv_str text, struct pv_buf *buf);

#endif
