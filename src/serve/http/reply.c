#include "serve/http/reply.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/ascii.h"

void pv_reply_init(struct pv_reply *reply)
{
	*reply = (struct pv_reply){.status = 200, .file = -1};
	pv_buf_init(&reply->body, PV_REPLY_BODY_MAX);
}

void pv_reply_finish(struct pv_reply *reply)
{
	if (reply->stream.read && reply->stream.close)
		reply->stream.close(reply->stream.ctx);
	reply->stream = (struct pv_reply_stream){0};
	if (reply->file >= 0)
		close(reply->file);
	reply->file = -1;
	for (size_t i = 0; i < reply->header_count; i++) {
		free(reply->headers[i].name);
		free(reply->headers[i].value);
	}
	free(reply->headers);
	reply->headers = NULL;
	reply->header_count = 0;
	reply->headers_size = 0;
	pv_buf_finish(&reply->body);
}

void pv_reply_reset(struct pv_reply *reply)
{
	pv_reply_finish(reply);
	pv_reply_init(reply);
}

static struct pv_reply_header *find(
    const struct pv_reply *reply, const char *name)
{
	struct pv_str wanted = pv_str_of(name);
	for (size_t i = 0; i < reply->header_count; i++) {
		if (pv_str_equal_nocase(
			pv_str_of(reply->headers[i].name), wanted))
			return &reply->headers[i];
	}
	return NULL;
}

/* A value that would end its line could say another header. */
static char *sayable(const char *value)
{
	struct pv_buf buf;
	pv_buf_init(&buf, strlen(value) + 1);
	for (; *value; value++) {
		if (!pv_is_control((unsigned char)*value) || *value == '\t')
			pv_buf_append_char(&buf, *value);
	}
	return pv_buf_take(&buf);
}

static char *copy(const char *text)
{
	size_t size = strlen(text) + 1;
	return memcpy(pv_alloc(size), text, size);
}

void pv_reply_header(
    struct pv_reply *reply, const char *name, const char *value)
{
	bool is_cookie =
	    pv_str_equal_nocase(pv_str_of(name), PV_STR("Set-Cookie"));
	struct pv_reply_header *header = is_cookie ? NULL : find(reply, name);
	if (header) {
		free(header->value);
	} else {
		header = PV_ARRAY_PUSH(
		    reply->headers, reply->header_count, reply->headers_size);
		header->name = copy(name);
	}
	header->value = sayable(value);
}

const char *pv_reply_header_get(const struct pv_reply *reply, const char *name)
{
	const struct pv_reply_header *header = find(reply, name);
	return header ? header->value : NULL;
}
