#include "parse/raw_text.h"

/* Whether a tag's name ends before this byte. */
static bool is_name_end(int byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\f' ||
	       byte == '\r' || byte == '/' || byte == '>';
}

/* Takes the name, in letters of any size, if it stands there whole. */
static bool accept_name(struct pv_reader *reader, struct pv_str name)
{
	struct pv_reader ahead = *reader;
	struct pv_str taken = pv_reader_take(&ahead, name.len);
	if (!pv_str_equal_nocase(taken, name) ||
	    !is_name_end(pv_reader_peek(&ahead)))
		return false;
	*reader = ahead;
	return true;
}

static bool is_at_end_tag(const struct pv_reader *reader, struct pv_str name)
{
	struct pv_reader ahead = *reader;
	return pv_reader_accept_str(&ahead, PV_STR("</")) &&
	       accept_name(&ahead, name);
}

void pv_raw_text_skip(struct pv_reader *reader, struct pv_str name)
{
	while (pv_raw_text_skip_to(reader, '<')) {
		if (is_at_end_tag(reader, name))
			return;
		pv_reader_next(reader);
	}
}

/* The states within a script that "<!--" leads to. */
enum script {
	PLAIN,
	ESCAPED, /* behind "<!--" */
	DOUBLE,  /* behind a "<script" behind "<!--" */
};

/* At a "<" within a script: the state that follows, having taken what made
 * it so. */
static enum script step(struct pv_reader *reader, enum script state)
{
	pv_reader_next(reader);
	if (state == PLAIN) {
		struct pv_reader ahead = *reader;
		if (!pv_reader_accept_str(&ahead, PV_STR("!--")))
			return PLAIN;
		pv_reader_next(reader); /* both dashes may end it, too */
		return ESCAPED;
	}
	bool is_end = pv_reader_accept(reader, '/');
	if (accept_name(reader, PV_STR("script")))
		return is_end ? ESCAPED : DOUBLE;
	return state;
}

/* Behind "<!--": moves on to the next "<", or behind the "-->" that comes
 * first; false at the end. */
static bool skip_escaped(struct pv_reader *reader, enum script *state)
{
	unsigned dashes = 0;
	while (!pv_reader_is_end(reader)) {
		int byte = pv_reader_peek(reader);
		if (byte == '<')
			return true;
		pv_reader_next(reader);
		if (byte == '>' && dashes >= 2) {
			*state = PLAIN;
			return true;
		}
		dashes = byte == '-' ? dashes + 1 : 0;
	}
	return false;
}

void pv_raw_text_skip_script(struct pv_reader *reader)
{
	enum script state = PLAIN;
	for (;;) {
		bool is_more = state == PLAIN ? pv_raw_text_skip_to(reader, '<')
					      : skip_escaped(reader, &state);
		if (!is_more)
			return;
		if (pv_reader_peek(reader) != '<')
			continue;
		if (state != DOUBLE && is_at_end_tag(reader, PV_STR("script")))
			return;
		state = step(reader, state);
	}
}

void pv_raw_text_skip_comment(struct pv_reader *reader)
{
	struct pv_reader ahead = *reader;
	pv_reader_accept(&ahead, '-');
	if (pv_reader_accept(&ahead, '>')) { /* "<!-->" or "<!--->" */
		*reader = ahead;
		return;
	}
	const char *start = reader->at;
	while (pv_raw_text_skip_to(reader, '>')) {
		struct pv_str text = {start, (size_t)(reader->at - start)};
		pv_reader_next(reader);
		if (pv_str_ends(text, PV_STR("--")) ||
		    pv_str_ends(text, PV_STR("--!")))
			return;
	}
}

void pv_raw_text_skip_cdata(struct pv_reader *reader)
{
	const char *start = reader->at;
	while (pv_raw_text_skip_to(reader, '>')) {
		struct pv_str text = {start, (size_t)(reader->at - start)};
		pv_reader_next(reader);
		if (pv_str_ends(text, PV_STR("]]")))
			return;
	}
}
