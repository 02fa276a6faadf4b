#include <inttypes.h>

#include "base/ascii.h"
#include "base/reader.h"
#include "server/inside.h"

/* server_expand: the words in braces of a text. */

/* The last number in the target; 0 if there is none. */
static uint64_t number_of(struct pv_str target)
{
	uint64_t number = 0;
	size_t end = target.len;
	while (end && !pv_is_digit(target.ptr[end - 1]))
		end--;
	size_t start = end;
	while (start && pv_is_digit(target.ptr[start - 1]))
		start--;
	struct pv_reader reader =
	    pv_reader_of(pv_str_from(pv_str_head(target, end), start));
	pv_reader_take_number(&reader, UINT64_MAX - 1, &number);
	return number;
}

/* False if it is no word of ours. */
static bool expand_word(const struct server *server,
    const struct server_request *request, struct pv_str word,
    struct pv_buf *buf)
{
	uint64_t number = number_of(request->target);
	if (pv_str_equal(word, PV_STR("port")))
		pv_buf_append_format(buf, "%u", server->port);
	else if (pv_str_equal(word, PV_STR("tls_port")))
		pv_buf_append_format(buf, "%u", server->tls_port);
	else if (pv_str_equal(word, PV_STR("host")))
		pv_buf_append(buf, server_header(request->headers, "host"));
	else if (pv_str_equal(word, PV_STR("path")))
		pv_buf_append(buf, request->path);
	else if (pv_str_equal(word, PV_STR("n")))
		pv_buf_append_format(buf, "%" PRIu64, number);
	else if (pv_str_equal(word, PV_STR("n+1")))
		pv_buf_append_format(buf, "%" PRIu64, number + 1);
	else
		return false;
	return true;
}

void server_expand(const struct server *server,
    const struct server_request *request, struct pv_str text,
    struct pv_buf *buf)
{
	struct pv_reader reader = pv_reader_of(text);
	while (!pv_reader_is_end(&reader)) {
		pv_buf_append(buf, pv_reader_take_until(&reader, '{'));
		struct pv_reader inner = reader;
		if (!pv_reader_accept(&inner, '{'))
			continue;
		struct pv_str word = pv_reader_take_until(&inner, '}');
		if (pv_reader_accept(&inner, '}') &&
		    expand_word(server, request, word, buf))
			reader = inner;
		else
			pv_buf_append_char(buf, (char)pv_reader_next(&reader));
	}
}
