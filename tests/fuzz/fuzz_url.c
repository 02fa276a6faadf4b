#include <stdint.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/reader.h"
#include "url/encoder.h"
#include "url/host.h"
#include "url/url.h"

/* Joins links to pages. The input is three lines: the page's encoding, its
 * address, and the link, which may hold line ends.
 *
 * What must hold of any address that is read: it reads as itself, with the
 * same parts, its parts cover it, and it is fit for a request line.
 */

#define CEILING 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void require_same(const struct pv_url *a, const struct pv_url *b)
{
	require(pv_str_equal(pv_url_text(a), pv_url_text(b)));
	require(a->parts.username_end == b->parts.username_end);
	require(a->parts.host == b->parts.host);
	require(a->parts.host_end == b->parts.host_end);
	require(a->parts.path == b->parts.path);
	require(a->parts.query == b->parts.query);
	require(a->parts.fragment == b->parts.fragment);
	require(a->parts.is_secure == b->parts.is_secure);
	require(a->parts.port == b->parts.port);
	require(pv_address_equal(&a->parts.address, &b->parts.address));
}

static void check_bytes(const struct pv_url *url)
{
	struct pv_reader reader = pv_reader_of(pv_url_text(url));
	while (!pv_reader_is_end(&reader)) {
		int byte = pv_reader_next(&reader);
		require(byte > ' ' && byte < 0x7f);
	}
}

static void check_parts(const struct pv_url *url)
{
	const struct pv_url_parts *parts = &url->parts;
	require(parts->username_end <= parts->host);
	require(parts->host < parts->host_end);
	require(parts->host_end <= parts->path);
	require(parts->path < parts->query);
	require(parts->query <= parts->fragment);
	require(parts->fragment <= url->text.len);
	require(pv_url_path(url).ptr[0] == '/');
	require(pv_str_starts(pv_url_text(url), pv_url_scheme(url)));
	require(pv_str_find(pv_url_page(url), '#') == PV_NOT_FOUND);
	require(pv_str_find(pv_url_path(url), '?') == PV_NOT_FOUND);
	require(pv_str_find(pv_url_host(url), '@') == PV_NOT_FOUND);
}

static void check_host(const struct pv_url *url)
{
	struct pv_buf host;
	struct pv_address address;
	pv_buf_init(&host, CEILING);
	require(pv_host_read(pv_url_host(url), &host, &address));
	require(pv_str_equal(pv_buf_str(&host), pv_url_host(url)));
	require(pv_address_equal(&address, &url->parts.address));
	pv_buf_finish(&host);
}

/* Joining an address to itself, or in full to anything, gives it again. */
static void check_again(const struct pv_url *url, const struct pv_url *base)
{
	struct pv_url again;
	pv_url_init(&again, CEILING);
	require(pv_url_parse(&again, pv_url_text(url)) == PV_URL_OK);
	require_same(&again, url);
	enum pv_url_result result =
	    pv_url_join(&again, base, pv_url_text(url), NULL);
	require(result == PV_URL_OK);
	require_same(&again, url);
	pv_url_finish(&again);
}

static void check(const struct pv_url *url, const struct pv_url *base,
    enum pv_url_result result)
{
	require((result == PV_URL_OK) == (url->text.len > 0));
	require(url->text.len <= CEILING);
	if (result != PV_URL_OK)
		return;
	check_bytes(url);
	check_parts(url);
	check_host(url);
	check_again(url, base);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_str text = {(const char *)data, size};
	struct pv_reader reader = pv_reader_of(text);
	struct pv_url url, base;
	struct pv_encoder encoder;
	pv_url_init(&url, CEILING);
	pv_url_init(&base, CEILING);
	pv_encoder_init(&encoder, pv_reader_take_line(&reader));
	enum pv_url_result result =
	    pv_url_parse(&base, pv_reader_take_line(&reader));
	check(&base, &base, result);
	struct pv_str link = pv_reader_rest(&reader);
	result = pv_url_join(&url, &base, link, &encoder);
	check(&url, &base, result);
	pv_encoder_finish(&encoder);
	pv_url_finish(&base);
	pv_url_finish(&url);
	return 0;
}
