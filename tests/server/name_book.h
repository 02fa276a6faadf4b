#ifndef PAVANE_TESTS_SERVER_NAME_BOOK_H
#define PAVANE_TESTS_SERVER_NAME_BOOK_H

#include <stddef.h>

#include "server/name_message.h"
#include "server/name_server.h"

/* What the name server of the tests knows: names with their records, and how
 * often each was asked for. It owns its texts. */
struct name_page {
	struct name_server_entry entry;
	unsigned asked;
};

struct name_book {
	struct name_page *pages;
	size_t count;
	size_t size;
};

void name_book_finish(struct name_book *book);
void name_book_set(
    struct name_book *book, const struct name_server_entry *entry);

/* The page of that name, as it was written. */
struct name_page *name_book_get(
    const struct name_book *book, struct pv_str name);

/* The page that covers a name: its own, that of the nearest star above it, or
 * that of all; NULL if none does. */
struct name_page *name_book_find(
    const struct name_book *book, struct pv_str name);

/* Adds the records of a name, through its aliases, to a reply. */
void name_book_add_records(const struct name_book *book,
    const struct name_question *question, struct pv_buf *reply);

#endif
