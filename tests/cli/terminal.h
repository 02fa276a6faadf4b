#ifndef PAVANE_TESTS_CLI_TERMINAL_H
#define PAVANE_TESTS_CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* A terminal that only remembers: rows of characters, a cursor, and how often
 * something happened that a tidy program does not do. It knows what screen.c
 * uses and counts all else as strange. Bytes of a character beyond ASCII after
 * its first take no column. */
#define TERMINAL_ROWS_MAX 64
#define TERMINAL_COLUMNS_MAX 512

struct terminal {
	size_t columns;
	size_t rows;
	char cells[TERMINAL_ROWS_MAX][TERMINAL_COLUMNS_MAX + 1];
	bool goes_on[TERMINAL_ROWS_MAX]; /* in the row below */
	size_t row;
	size_t column;
	size_t scrolled; /* rows that have left it */
	bool is_cutting; /* rows that are full, and not wrapping them */
	size_t wraps;    /* rows that were full when more came */
	size_t kept;    /* what it keeps, though it was erased, since that began
			  in its first column and row */
	size_t strange; /* sequences and controls that it does not know */
	char sequence[32];
	size_t sequence_len; /* of one that has begun; 0: none has */
};

__attribute__((unused)) static void terminal_init(
    struct terminal *terminal, size_t columns, size_t rows)
{
	memset(terminal, 0, sizeof(*terminal));
	terminal->columns = columns;
	terminal->rows = rows;
}

static void terminal_go_down(struct terminal *terminal)
{
	if (terminal->row + 1 < terminal->rows) {
		terminal->row++;
		return;
	}
	memmove(terminal->cells[0], terminal->cells[1],
	    (terminal->rows - 1) * sizeof(*terminal->cells));
	memset(
	    terminal->cells[terminal->rows - 1], 0, sizeof(*terminal->cells));
	memmove(terminal->goes_on, terminal->goes_on + 1, terminal->rows - 1);
	terminal->goes_on[terminal->rows - 1] = false;
	terminal->scrolled++;
}

static void terminal_put(struct terminal *terminal, char byte)
{
	if (((unsigned char)byte & 0xc0) == 0x80)
		return;
	if (terminal->column == terminal->columns) {
		terminal->wraps++;
		if (terminal->is_cutting)
			return;
		terminal->goes_on[terminal->row] = true;
		terminal->column = 0;
		terminal_go_down(terminal);
	}
	char *row = terminal->cells[terminal->row];
	for (size_t i = strlen(row); i < terminal->column; i++)
		row[i] = ' ';
	row[terminal->column++] = byte;
}

static void terminal_erase_row(struct terminal *terminal)
{
	char *row = terminal->cells[terminal->row];
	size_t len = strlen(row);
	if (terminal->column < len)
		memset(row + terminal->column, 0, len - terminal->column);
	for (len = strlen(row); len && row[len - 1] == ' '; len--)
		row[len - 1] = '\0';
	terminal->goes_on[terminal->row] = false;
}

static void terminal_obey(struct terminal *terminal)
{
	char command = terminal->sequence[terminal->sequence_len - 1];
	size_t count = strtoul(terminal->sequence + 2, NULL, 10);
	switch (command) {
	case 'A':
		terminal->row -= count < terminal->row ? count : terminal->row;
		break;
	case 'J':
		terminal->kept += !terminal->row && !terminal->column;
		terminal_erase_row(terminal);
		for (size_t i = terminal->row + 1; i < terminal->rows; i++) {
			memset(terminal->cells[i], 0, sizeof(*terminal->cells));
			terminal->goes_on[i] = false;
		}
		break;
	case 'h':
	case 'l':
		terminal->is_cutting = command == 'l';
		terminal->strange +=
		    strncmp(terminal->sequence, "\033[?7", 4) != 0;
		break;
	default:
		terminal->strange++;
	}
}

static void terminal_take_sequence(struct terminal *terminal, char byte)
{
	size_t len = terminal->sequence_len;
	terminal->sequence[len] = byte;
	terminal->sequence_len++;
	if (len == 1 && byte != '[') {
		terminal->strange++;
		terminal->sequence_len = 0;
	} else if (len > 1 && byte >= '@') {
		terminal_obey(terminal);
		terminal->sequence_len = 0;
	} else if (len + 2 == sizeof(terminal->sequence)) {
		terminal->strange++;
		terminal->sequence_len = 0;
	}
	if (!terminal->sequence_len)
		memset(terminal->sequence, 0, sizeof(terminal->sequence));
}

__attribute__((unused)) static void terminal_write(
    struct terminal *terminal, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char byte = text[i];
		if (byte == '\033' || terminal->sequence_len)
			terminal_take_sequence(terminal, byte);
		else if (byte == '\r')
			terminal->column = 0;
		else if (byte == '\n') {
			terminal->column = 0;
			terminal_go_down(terminal);
		} else if ((unsigned char)byte < 0x20)
			terminal->strange++;
		else
			terminal_put(terminal, byte);
	}
}

/* Makes it as wide as that. Most terminals then wrap anew what they show, and
 * take the cursor along; others cut it. */
__attribute__((unused)) static void terminal_resize(
    struct terminal *terminal, size_t columns, bool is_wrapping_anew)
{
	struct terminal before = *terminal;
	size_t last = before.rows - 1;
	size_t cursor = 0;
	while (last > before.row && !before.cells[last][0])
		last--;
	terminal_init(terminal, columns, before.rows);
	for (size_t i = 0; i <= last; i++) {
		size_t len = strlen(before.cells[i]);
		if (i == before.row)
			cursor = terminal->row + terminal->scrolled;
		if (!is_wrapping_anew && len > columns)
			len = columns;
		terminal_write(terminal, before.cells[i], len);
		if (i < last && (!before.goes_on[i] || !is_wrapping_anew))
			terminal_write(terminal, "\n", 1);
	}
	terminal->row =
	    cursor > terminal->scrolled ? cursor - terminal->scrolled : 0;
	terminal->column = before.column;
	terminal->wraps = 0;
	terminal->strange = before.strange;
}

/* Whether a row holds such text. */
__attribute__((unused)) static bool terminal_has(
    const struct terminal *terminal, const char *text)
{
	for (size_t i = 0; i < terminal->rows; i++) {
		if (strstr(terminal->cells[i], text))
			return true;
	}
	return false;
}

/* How many rows hold it. */
__attribute__((unused)) static size_t terminal_count(
    const struct terminal *terminal, const char *text)
{
	size_t count = 0;
	for (size_t i = 0; i < terminal->rows; i++)
		count += strstr(terminal->cells[i], text) != NULL;
	return count;
}

#endif
