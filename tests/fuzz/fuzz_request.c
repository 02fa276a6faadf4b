#include <stdint.h>
#include <stdlib.h>

#include "base/ascii.h"
#include "base/reader.h"
#include "serve/access/access.h"
#include "serve/access/credentials.h"
#include "serve/http/accept.h"

/* Reads a request, as the service gets it from a stranger: a first line, header
 * lines, an empty one, and a body. What must hold: a head that is accepted has
 * one host at most and one way to know the length of its body; an argument is
 * no longer than the query; who is allowed something where tokens are needed
 * has sent the one that there is; and a reply has no header that would end its
 * line. */

#define FIELDS_MAX 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static size_t read_fields(
    struct pv_reader *reader, struct pv_head_field *fields)
{
	size_t count = 0;
	while (count < FIELDS_MAX && !pv_reader_is_end(reader)) {
		struct pv_str line = pv_reader_take_line(reader);
		struct pv_reader rest = pv_reader_of(line);
		if (!line.len)
			break;
		fields[count].name = pv_reader_take_until(&rest, ':');
		pv_reader_accept(&rest, ':');
		fields[count++].value = pv_str_trim(pv_reader_rest(&rest));
	}
	return count;
}

static void read_request(struct pv_reader *reader, struct pv_exchange *exchange,
    struct pv_head_field *fields)
{
	struct pv_reader line = pv_reader_of(pv_reader_take_line(reader));
	struct pv_head *head = &exchange->head;
	head->method = pv_reader_take_until(&line, ' ');
	pv_reader_accept(&line, ' ');
	head->target = pv_reader_take_until(&line, ' ');
	pv_reader_accept(&line, ' ');
	head->version = pv_reader_rest(&line);
	head->field_count = read_fields(reader, fields);
	head->fields = fields;
	exchange->body = pv_reader_rest(reader);
	pv_exchange_read_head(exchange);
}

static void check_head(const struct pv_exchange *exchange)
{
	const struct pv_head *head = &exchange->head;
	if (pv_head_vet(head))
		return;
	require(pv_str_starts(exchange->path, PV_STR("/")));
	require(pv_str_find(exchange->path, '?') == PV_NOT_FOUND);
	require(pv_head_count(head, PV_STR("Host")) <= 1);
	require(pv_head_count(head, PV_STR("Authorization")) <= 1);
	require(pv_head_count(head, PV_STR("Content-Length")) +
		    pv_head_count(head, PV_STR("Transfer-Encoding")) <=
		1);
}

static void check_argument(const struct pv_exchange *exchange)
{
	struct pv_buf value;
	pv_buf_init(&value, SIZE_MAX);
	pv_buf_append_text(&value, "before");
	bool is_found = pv_exchange_argument(exchange, "a", &value);
	require(value.len <= strlen("before") + exchange->query.len);
	require(is_found || value.len == strlen("before"));
	pv_buf_finish(&value);
}

static void check_credentials(const struct pv_exchange *exchange)
{
	struct pv_str session =
	    pv_session_read(pv_exchange_header(exchange, "Cookie"));
	struct pv_str host =
	    pv_host_name_read(pv_exchange_header(exchange, "Host"));
	require(session.len == 0 || session.len == 64);
	for (size_t i = 0; i < host.len; i++)
		require(
		    pv_is_alnum(host.ptr[i]) || strchr("-._:[]", host.ptr[i]));
}

static void check_reply(const struct pv_reply *reply)
{
	for (size_t i = 0; i < reply->header_count; i++)
		require(!strpbrk(reply->headers[i].value, "\r\n"));
}

static const struct pv_access_plan plan = {
    .names = {.listen = "127.0.0.1:7117"}, .session_ms = 1000};

/* A token has its digest in the file; this is that of "abc". */
static struct pv_access *open_access(void)
{
	struct pv_tokens tokens = {0};
	struct pv_token token = {.name = "a", .scopes = PV_SCOPES_ALL};
	pv_digest(PV_STR("abc"), token.digest);
	tokens.items = malloc(sizeof(token));
	require(tokens.items);
	tokens.items[0] = token;
	tokens.count = tokens.size = 1;
	return pv_access_create(&plan, &tokens);
}

static void check_access(const struct pv_exchange *exchange)
{
	struct pv_access *access = open_access();
	struct pv_reply reply;
	pv_reply_init(&reply);
	struct pv_who who =
	    pv_access_judge(access, exchange, PV_SCOPE_READ, 0, &reply);
	require(who.may == (reply.status == 200));
	if (who.may)
		require(pv_str_equal(pv_bearer_read(pv_exchange_header(
					 exchange, "Authorization")),
		    PV_STR("abc")));
	check_reply(&reply);
	pv_reply_reset(&reply);
	pv_access_change(access, &plan.names, NULL);
	who = pv_access_judge(access, exchange, PV_SCOPE_SUBMIT, 0, &reply);
	require(who.may == (reply.status == 200));
	pv_access_log_out(access, exchange, &reply);
	check_reply(&reply);
	pv_reply_finish(&reply);
	pv_access_destroy(access);
}

/* What is chosen is one of the offers, and the only one if there is but one. */
static void check_accept(const struct pv_exchange *exchange)
{
	static const struct pv_offer offers[] = {
	    {"text/plain", "0.0.4"},
	    {"application/openmetrics-text", "1.0.0"},
	    {"application/json", NULL},
	};
	struct pv_str accept = pv_exchange_header(exchange, "Accept");
	require(pv_accept_choose(accept, offers, 3) < 3);
	require(pv_accept_choose(accept, offers, 1) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_head_field fields[FIELDS_MAX];
	struct pv_exchange exchange = {0};
	struct pv_reader reader =
	    pv_reader_of((struct pv_str){(const char *)data, size});
	read_request(&reader, &exchange, fields);
	check_head(&exchange);
	check_argument(&exchange);
	check_credentials(&exchange);
	check_access(&exchange);
	check_accept(&exchange);
	return 0;
}
