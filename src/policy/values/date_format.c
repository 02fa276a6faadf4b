#include "policy/values/date_format.h"

#define DIRECTIVES "YymdejbBhHIpMSfaAszZ"
#define FORMAT_MAX ((size_t)256)

bool pv_date_format_next(struct pv_reader *format, struct pv_date_item *item)
{
	int byte = pv_reader_next(format);
	*item = (struct pv_date_item){.byte = (char)byte};
	if (byte == '%') {
		byte = pv_reader_next(format);
		if (byte != '%' && byte >= 0)
			item->directive = (char)byte;
	}
	return byte >= 0;
}

static bool has_any(struct pv_str text, const char *directives)
{
	struct pv_reader reader = pv_reader_of(text);
	struct pv_date_item item;
	while (pv_date_format_next(&reader, &item)) {
		if (item.directive && strchr(directives, item.directive))
			return true;
	}
	return false;
}

bool pv_date_format_has_time(struct pv_str text)
{
	return has_any(text, "HIMSfs");
}

static const char *unknown(int letter)
{
	switch (letter) {
	case 'T':
	case 'X':
		return "unknown; write %H:%M:%S";
	case 'R':
		return "unknown; write %H:%M";
	case 'F':
		return "unknown; write %Y-%m-%d";
	case 'D':
	case 'x':
		return "unknown; write %m/%d/%y";
	case 'k':
		return "unknown; write %H";
	case 'l':
		return "unknown; write %I";
	case -1:
		return "% is written %%";
	default:
		return "unknown; known are %Y %y %m %d %e %j %b %B %H %I %p %M "
		       "%S %f %a %A %s %z %Z and %%";
	}
}

/* What is missing or too much, in the whole. */
static const char *whole_fault(struct pv_str text)
{
	if (has_any(text, "s"))
		return NULL;
	if (!has_any(text, "Yy"))
		return "a date needs its year; write %Y or %y";
	if (has_any(text, "de") && !has_any(text, "mbBh"))
		return "a day needs its month; write %m or %b";
	if (has_any(text, "j") && has_any(text, "mbBhde"))
		return "%j is the day of a year; write %j or month and day";
	if (has_any(text, "I") != has_any(text, "p"))
		return "%I and %p belong together; write both, or %H";
	if (has_any(text, "MSfzZ") && !has_any(text, "HI"))
		return "a time needs its hour; write %H, or %I and %p";
	return NULL;
}

const char *pv_date_format_fault(struct pv_str text, size_t *offset)
{
	struct pv_reader reader = pv_reader_of(text);
	*offset = FORMAT_MAX;
	if (text.len > FORMAT_MAX)
		return "a format has at most 256 bytes";
	while (!pv_reader_is_end(&reader)) {
		*offset = text.len - pv_reader_left(&reader);
		if (pv_reader_next(&reader) != '%')
			continue;
		int letter = pv_reader_next(&reader);
		if (letter != '%' &&
		    (letter <= 0 || !strchr(DIRECTIVES, letter)))
			return unknown(letter);
	}
	*offset = 0;
	return whole_fault(text);
}
