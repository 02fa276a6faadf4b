#include "serve/http/head.h"

#include "base/ascii.h"
#include "base/reader.h"

struct pv_str pv_head_get(const struct pv_head *head, struct pv_str name)
{
	for (size_t i = 0; i < head->field_count; i++) {
		if (pv_str_equal_nocase(head->fields[i].name, name))
			return head->fields[i].value;
	}
	return (struct pv_str){0};
}

size_t pv_head_count(const struct pv_head *head, struct pv_str name)
{
	size_t count = 0;
	for (size_t i = 0; i < head->field_count; i++)
		count += pv_str_equal_nocase(head->fields[i].name, name);
	return count;
}

static bool is_printable(int c)
{
	return c > ' ' && c < 0x7f;
}

static bool is_value(int c)
{
	return c == '\t' || !pv_is_control(c);
}

static bool is_all(struct pv_str text, pv_byte_fn is)
{
	struct pv_reader reader = pv_reader_of(text);
	pv_reader_take_while(&reader, is);
	return pv_reader_is_end(&reader);
}

static const char *vet_line(const struct pv_head *head)
{
	if (!pv_str_equal(head->version, PV_STR("HTTP/1.1")) &&
	    !pv_str_equal(head->version, PV_STR("HTTP/1.0")))
		return "only HTTP/1.1 and HTTP/1.0 are spoken here";
	if (!head->method.len || !is_all(head->method, pv_is_token))
		return "the method is no token";
	if (!pv_str_starts(head->target, PV_STR("/")))
		return "the target has to begin with \"/\"";
	if (!is_all(head->target, is_printable))
		return "the target has bytes that have to be escaped";
	return NULL;
}

static const char *vet_fields(const struct pv_head *head)
{
	for (size_t i = 0; i < head->field_count; i++) {
		const struct pv_head_field *field = &head->fields[i];
		if (!field->name.len || !is_all(field->name, pv_is_token))
			return "the name of a header is no token";
		if (!is_all(field->value, is_value))
			return "a header has control characters";
	}
	return NULL;
}

static const char *vet_host(const struct pv_head *head)
{
	size_t count = pv_head_count(head, PV_STR("Host"));
	if (count > 1)
		return "there is more than one Host header";
	if (!count && pv_str_equal(head->version, PV_STR("HTTP/1.1")))
		return "there is no Host header";
	return NULL;
}

static const char *vet_length(const struct pv_head *head)
{
	size_t lengths = pv_head_count(head, PV_STR("Content-Length"));
	size_t codings = pv_head_count(head, PV_STR("Transfer-Encoding"));
	if (lengths > 1)
		return "there is more than one Content-Length header";
	if (lengths && codings)
		return "there are both Content-Length and Transfer-Encoding";
	if (lengths) {
		struct pv_str length =
		    pv_head_get(head, PV_STR("Content-Length"));
		if (!length.len || !is_all(length, pv_is_digit))
			return "Content-Length is no number";
	}
	if (!codings)
		return NULL;
	if (codings > 1 ||
	    !pv_str_equal_nocase(pv_head_get(head, PV_STR("Transfer-Encoding")),
		PV_STR("chunked")))
		return "a Transfer-Encoding other than chunked is not read";
	if (!pv_str_equal(head->version, PV_STR("HTTP/1.1")))
		return "HTTP/1.0 has no Transfer-Encoding";
	return NULL;
}

const char *pv_head_vet(const struct pv_head *head)
{
	const char *fault = vet_line(head);
	if (!fault)
		fault = vet_fields(head);
	if (!fault)
		fault = vet_host(head);
	if (!fault)
		fault = vet_length(head);
	if (!fault && pv_head_count(head, PV_STR("Authorization")) > 1)
		fault = "there is more than one Authorization header";
	return fault;
}
