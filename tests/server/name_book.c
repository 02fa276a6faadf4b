#include "server/name_book.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/address.h"
#include "base/array.h"
#include "base/reader.h"

#define ALIASES_MAX 8

static void free_texts(struct name_server_entry *entry)
{
	free((char *)(uintptr_t)entry->name);
	free((char *)(uintptr_t)entry->records);
}

void name_book_finish(struct name_book *book)
{
	for (size_t i = 0; i < book->count; i++)
		free_texts(&book->pages[i].entry);
	free(book->pages);
}

struct name_page *name_book_get(
    const struct name_book *book, struct pv_str name)
{
	for (size_t i = 0; i < book->count; i++) {
		if (pv_str_equal(pv_str_of(book->pages[i].entry.name), name))
			return &book->pages[i];
	}
	return NULL;
}

void name_book_set(
    struct name_book *book, const struct name_server_entry *entry)
{
	struct name_page *page = name_book_get(book, pv_str_of(entry->name));
	struct name_server_entry copy = *entry;
	copy.name = strdup(entry->name);
	copy.records = strdup(entry->records ? entry->records : "");
	if (!page) {
		page = PV_ARRAY_PUSH(book->pages, book->count, book->size);
		page->asked = 0;
	} else {
		free_texts(&page->entry);
	}
	page->entry = copy;
}

struct name_page *name_book_find(
    const struct name_book *book, struct pv_str name)
{
	struct name_page *page = name_book_get(book, name);
	size_t dot = pv_str_find(name, '.');
	while (!page && dot != PV_NOT_FOUND) {
		char star[300];
		name = pv_str_from(name, dot + 1);
		int len =
		    snprintf(star, sizeof(star), "*.%.*s", PV_STR_ARG(name));
		page = name_book_get(book, (struct pv_str){star, (size_t)len});
		dot = pv_str_find(name, '.');
	}
	return page ? page : name_book_get(book, PV_STR("*"));
}

/* The next address by number. */
static void step(struct pv_address *address)
{
	for (size_t i = address->bits / 8; i-- > 0;) {
		if (++address->bytes[i])
			return;
	}
}

/* A record's address, if that is what it has, and those that follow on it;
 * false once there is no more room. */
static bool add_addresses(const struct name_server_entry *entry,
    struct pv_str text, const char *owner, struct pv_buf *reply)
{
	struct pv_address address;
	if (!pv_address_read(text, &address))
		return true;
	unsigned type = address.bits == 32 ? NAME_TYPE_A : NAME_TYPE_AAAA;
	for (uint32_t i = 0; i <= entry->more; i++) {
		struct pv_str bytes = {
		    (const char *)address.bytes, address.bits / 8};
		if (!name_reply_add(reply, owner, type, entry->ttl_s, bytes))
			return false;
		step(&address);
	}
	return true;
}

/* Adds the records of one name; the name that it is an alias of, if it is, goes
 * into `alias`. */
static void add_of_page(const struct name_server_entry *entry,
    const struct name_question *question, struct pv_buf *reply, char alias[256])
{
	struct pv_reader reader = pv_reader_of(pv_str_of(entry->records));
	bool is_v4 = question->type == NAME_TYPE_A;
	char owner[256];
	snprintf(owner, sizeof(owner), "%s", alias);
	alias[0] = '\0';
	while (!pv_reader_is_end(&reader)) {
		struct pv_str record =
		    pv_str_trim(pv_reader_take_until(&reader, ','));
		pv_reader_accept(&reader, ',');
		if (pv_str_starts(record, PV_STR("CNAME "))) {
			record = pv_str_trim(pv_str_from(record, 6));
			name_reply_add(reply, owner, NAME_TYPE_CNAME,
			    entry->ttl_s, record);
			snprintf(alias, 256, "%.*s", PV_STR_ARG(record));
		} else if (is_v4 && pv_str_starts(record, PV_STR("A "))) {
			add_addresses(
			    entry, pv_str_from(record, 2), owner, reply);
		} else if (!is_v4 && pv_str_starts(record, PV_STR("AAAA "))) {
			add_addresses(
			    entry, pv_str_from(record, 5), owner, reply);
		}
	}
}

void name_book_add_records(const struct name_book *book,
    const struct name_question *question, struct pv_buf *reply)
{
	char name[256];
	snprintf(name, sizeof(name), "%s", question->name);
	for (int i = 0; i < ALIASES_MAX && name[0]; i++) {
		const struct name_page *page =
		    name_book_find(book, pv_str_of(name));
		if (!page)
			return;
		add_of_page(&page->entry, question, reply, name);
	}
}
