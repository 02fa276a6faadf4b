#include "cli/manual/roff.h"

#include <string.h>

static bool is_lower(char letter)
{
	return letter >= 'a' && letter <= 'z';
}

static bool is_upper(char letter)
{
	return letter >= 'A' && letter <= 'Z';
}

static void write_letter(FILE *file, char letter)
{
	switch (letter) {
	case '\\':
		fputs("\\e", file);
		return;
	case '-':
		fputs("\\-", file);
		return;
	case '\'':
		fputs("\\(aq", file);
		return;
	case '`':
		fputs("\\(ga", file);
		return;
	case '^':
		fputs("\\(ha", file);
		return;
	case '~':
		fputs("\\(ti", file);
		return;
	default:
		fputc(letter, file);
	}
}

void pv_roff_write(FILE *file, const char *text, bool is_first)
{
	if (is_first && *text == '.')
		fputs("\\&", file);
	for (; *text; text++)
		write_letter(file, *text);
}

void pv_roff_write_sentence(FILE *file, const char *text)
{
	if (!is_lower(*text)) {
		pv_roff_write(file, text, true);
		return;
	}
	fputc(*text - 'a' + 'A', file);
	pv_roff_write(file, text + 1, false);
}

void pv_roff_write_capitals(FILE *file, const char *text)
{
	for (; *text; text++)
		write_letter(
		    file, is_lower(*text) ? (char)(*text - 'a' + 'A') : *text);
}

void pv_roff_write_argument(FILE *file, const char *text)
{
	bool is_italic = false;
	for (; *text; text++) {
		if (is_upper(*text) != is_italic)
			fputs(is_italic ? "\\fR" : "\\fI", file);
		is_italic = is_upper(*text);
		write_letter(file, *text);
	}
	if (is_italic)
		fputs("\\fR", file);
}
