#include "mirror/moved_book.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "store/statement.h"

struct pv_moved_book {
	pthread_mutex_t mutex;
	struct pv_buf path;
	struct pv_database *database; /* NULL until there is something */
	struct pv_statement *put;
	struct pv_statement *drop;
};

/* A power cut may take the last ones: then links stay as they are when a redirect
 * changes, and no page is lost. */
static void open_database(struct pv_moved_book *book)
{
	if (book->database)
		return;
	struct pv_database *database =
	    pv_database_open(pv_buf_text(&book->path));
	pv_database_run(database, "PRAGMA synchronous=NORMAL");
	book->put = pv_statement_create(database,
	    "INSERT OR REPLACE INTO moved_links(document, link, text, named) "
	    "VALUES(?1, ?2, ?3, ?4)");
	book->drop = pv_statement_create(
	    database, "DELETE FROM moved_links WHERE document = ?1");
	book->database = database;
}

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
	pv_statement_destroy(book->put);
	pv_statement_destroy(book->drop);
	pv_database_close(book->database);
	pv_buf_finish(&book->path);
	pthread_mutex_destroy(&book->mutex);
	free(book);
}

const char *pv_moved_book_fault(const struct pv_moved_book *book)
{
	return book->database ? pv_database_fault(book->database) : "";
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
		pv_statement_bind(book->put, 1, document);
		pv_statement_bind(book->put, 2, (int64_t)moved->items[i].link);
		pv_statement_bind_text(
		    book->put, 3, pv_moved_links_text(moved, i));
		pv_statement_bind_text(
		    book->put, 4, pv_moved_links_named(moved, i));
		pv_statement_run(book->put);
	}
}

static bool write_all(struct pv_moved_book *book, int64_t document,
    bool has_old, const struct pv_moved_links *moved)
{
	open_database(book);
	pv_database_begin(book->database);
	if (has_old) {
		pv_statement_bind(book->drop, 1, document);
		pv_statement_run(book->drop);
	}
	put_all(book, document, moved);
	return pv_database_commit(book->database);
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
