#include "policy/overview/reference.h"

#include "base/reader.h"
#include "policy/loaded.h"
#include "policy/option.h"

/* Only requests that man(7) knows, and no control line by accident. */
static bool is_clean_line(struct pv_str line)
{
	static const char *const requests[] = {".SS ", ".TP", ".B ", ".br"};
	if (!line.len || (line.ptr[0] != '.' && line.ptr[0] != '\''))
		return true;
	for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++) {
		if (pv_str_starts(line, pv_str_of(requests[i])))
			return true;
	}
	return false;
}

static void append_escaped(struct pv_buf *buf, const char *path)
{
	for (; *path; path++) {
		if (*path == '-')
			pv_buf_append_char(buf, '\\');
		pv_buf_append_char(buf, *path);
	}
}

static void test_reference(void)
{
	struct pv_buf text;
	unsigned odd = 0;
	pv_buf_init(&text, 1 << 20);
	pv_reference_write(&text);
	for (size_t i = 0; i < pv_names_of_policy.count; i++) {
		struct pv_buf line;
		pv_buf_init(&line, 256);
		pv_buf_append_text(&line, "\n.B ");
		append_escaped(&line, pv_names_of_policy.options[i].path);
		pv_buf_append_char(&line, '\n');
		ok(has_text(pv_buf_str(&text), pv_buf_text(&line)),
		    "the reference has %s", pv_names_of_policy.options[i].path);
		pv_buf_finish(&line);
	}
	struct pv_reader reader = pv_reader_of(pv_buf_str(&text));
	while (!pv_reader_is_end(&reader)) {
		struct pv_str line = pv_reader_take_line(&reader);
		odd += !is_clean_line(line);
	}
	ok(odd == 0, "the reference is clean for troff (%u lines are not)",
	    odd);
	ok(has_text(pv_buf_str(&text), "default 1s") &&
		has_text(pv_buf_str(&text), "default that of max_rate") &&
		has_text(pv_buf_str(&text), "default []") &&
		has_text(pv_buf_str(&text), "default {}"),
	    "each key has its default");
	ok(has_text(pv_buf_str(&text), "only in the domain table") &&
		has_text(pv_buf_str(&text),
		    "in the domain table as \\fBtls.verify\\fR") &&
		has_text(pv_buf_str(&text), "not in your own configuration"),
	    "and where it may stand");
	pv_buf_finish(&text);
}

int main(void)
{
	test_reference();
	return tap_done();
}
