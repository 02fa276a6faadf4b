#include "mirror/links/moved_links.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/array.h"
#include "store/tables/moved_link_table.h"

void pv_moved_links_init(struct pv_moved_links *moved)
{
	*moved = (struct pv_moved_links){.items = NULL};
	pv_buf_init(&moved->texts, SIZE_MAX);
}

void pv_moved_links_finish(struct pv_moved_links *moved)
{
	free(moved->items);
	pv_buf_finish(&moved->texts);
}

void pv_moved_links_clear(struct pv_moved_links *moved)
{
	moved->count = 0;
	pv_buf_clear(&moved->texts);
}

void pv_moved_links_add(struct pv_moved_links *moved, size_t link,
    struct pv_str text, struct pv_str named)
{
	*PV_ARRAY_PUSH(moved->items, moved->count, moved->size) =
	    (struct pv_moved_link){
		.link = link,
		.at = moved->texts.len,
		.text_len = text.len,
		.named_len = named.len,
	    };
	pv_buf_append(&moved->texts, text);
	pv_buf_append(&moved->texts, named);
}

/* All that was added from when one was. */
static struct pv_str from_item(
    const struct pv_moved_links *moved, const struct pv_moved_link *item)
{
	return pv_str_from(pv_buf_str(&moved->texts), item->at);
}

struct pv_str pv_moved_links_text(
    const struct pv_moved_links *moved, size_t number)
{
	const struct pv_moved_link *item = &moved->items[number];
	return pv_str_head(from_item(moved, item), item->text_len);
}

struct pv_str pv_moved_links_named(
    const struct pv_moved_links *moved, size_t number)
{
	const struct pv_moved_link *item = &moved->items[number];
	struct pv_str named =
	    pv_str_from(from_item(moved, item), item->text_len);
	return pv_str_head(named, item->named_len);
}

struct pv_str pv_moved_links_find(const struct pv_moved_links *moved,
    size_t *from, size_t link, struct pv_str text)
{
	while (*from < moved->count && moved->items[*from].link < link)
		(*from)++;
	for (size_t i = *from; i < moved->count && moved->items[i].link == link;
	     i++) {
		if (pv_str_equal(pv_moved_links_text(moved, i), text))
			return pv_moved_links_named(moved, i);
	}
	return PV_STR("");
}

/* In the state */

struct pv_moved_book {
	pthread_mutex_t mutex;
	struct pv_buf path;
	struct pv_moved_link_table table; /* opened with the first that comes */
};

struct pv_moved_book *pv_moved_book_create(const char *directory)
{
	struct pv_moved_book *book = pv_alloc(sizeof(*book));
	pthread_mutex_init(&book->mutex, NULL);
	pv_buf_init(&book->path, SIZE_MAX);
	pv_buf_append_format(&book->path, "%s/state.db", directory);
	return book;
}

void pv_moved_book_destroy(struct pv_moved_book *book)
{
	pv_moved_link_table_close(&book->table);
	pv_buf_finish(&book->path);
	pthread_mutex_destroy(&book->mutex);
	free(book);
}

const char *pv_moved_book_fault(const struct pv_moved_book *book)
{
	struct pv_database *database = book->table.database;
	return database ? pv_database_fault(database) : "";
}

static bool is_new(const struct pv_moved_links *had, size_t *from,
    const struct pv_moved_links *moved, size_t number)
{
	struct pv_str named = pv_moved_links_find(had, from,
	    moved->items[number].link, pv_moved_links_text(moved, number));
	return !pv_str_equal(named, pv_moved_links_named(moved, number));
}

static bool has_new(
    const struct pv_moved_links *had, const struct pv_moved_links *moved)
{
	size_t from = 0;
	for (size_t i = 0; i < moved->count; i++) {
		if (is_new(had, &from, moved, i))
			return true;
	}
	return false;
}

static void put_all(struct pv_moved_book *book, int64_t document,
    const struct pv_moved_links *moved)
{
	for (size_t i = 0; i < moved->count; i++) {
		struct pv_moved_link_row link = {
		    .link = moved->items[i].link,
		    .text = pv_moved_links_text(moved, i),
		    .named = pv_moved_links_named(moved, i),
		};
		pv_moved_link_table_put(&book->table, document, &link);
	}
}

static bool write_all(struct pv_moved_book *book, int64_t document,
    bool has_old, const struct pv_moved_links *moved)
{
	struct pv_moved_link_table *table = &book->table;
	if (!table->database)
		pv_moved_link_table_open(table, pv_buf_text(&book->path));
	pv_database_begin(table->database);
	if (has_old)
		pv_moved_link_table_drop(table, document);
	put_all(book, document, moved);
	return pv_database_commit(table->database);
}

bool pv_moved_book_keep(struct pv_moved_book *book, int64_t document,
    const struct pv_moved_links *had, bool is_known,
    const struct pv_moved_links *moved)
{
	bool has_old = !is_known && had->count != moved->count;
	if (!has_old && !has_new(had, moved))
		return true;
	pthread_mutex_lock(&book->mutex);
	bool is_kept = write_all(book, document, !is_known, moved);
	pthread_mutex_unlock(&book->mutex);
	return is_kept;
}
