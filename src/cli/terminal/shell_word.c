#include "cli/terminal/shell_word.h"

#include <stdbool.h>
#include <string.h>

#define PLAIN                                                            \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" \
	"@%+=:,./_-"

/* Letters beyond ASCII are shown by the byte: what they look like depends on
 * the terminal, and a name that cannot be typed can still be copied. */
static bool has_hidden(const char *text)
{
	for (const char *c = text; *c; c++) {
		if ((unsigned char)*c < 0x20 || (unsigned char)*c >= 0x7f)
			return true;
	}
	return false;
}

static void write_hidden(FILE *file, const char *text)
{
	fputs("$'", file);
	for (const char *c = text; *c; c++) {
		unsigned char byte = (unsigned char)*c;
		if (byte < 0x20 || byte >= 0x7f)
			fprintf(file, "\\x%02x", byte);
		else if (byte == '\'' || byte == '\\')
			fprintf(file, "\\%c", byte);
		else
			fputc(byte, file);
	}
	fputc('\'', file);
}

static void write_quoted(FILE *file, const char *text)
{
	fputc('\'', file);
	for (const char *c = text; *c; c++) {
		if (*c == '\'')
			fputs("'\\''", file);
		else
			fputc(*c, file);
	}
	fputc('\'', file);
}

void pv_shell_word_write(FILE *file, const char *text)
{
	if (has_hidden(text))
		write_hidden(file, text);
	else if (*text && strspn(text, PLAIN) == strlen(text))
		fputs(text, file);
	else
		write_quoted(file, text);
}

void pv_shell_path_write(FILE *file, const char *path)
{
	if (*path == '-')
		fputs("./", file);
	pv_shell_word_write(file, path);
}
