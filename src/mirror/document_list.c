#include "mirror/document_list.h"

#include "mirror/document_kind.h"
#include "store/schema.h"

bool pv_document_list_open(
    struct pv_document_list *list, const char *directory, struct pv_why *why)
{
	struct pv_buf path;
	*list = (struct pv_document_list){.is_cut = false};
	pthread_mutex_init(&list->mutex, NULL);
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/state.db", directory);
	list->database = pv_database_look(pv_buf_text(&path));
	/* Addresses that differ in credentials alone share a file, which only
	 * goes when none of them has it. */
	list->statement = pv_statement_create(list->database,
	    "SELECT url, file, address, 0 FROM copies JOIN addresses ON "
	    "addresses.id = copies.address WHERE file <> '' UNION ALL "
	    "SELECT url, file, address, 1 FROM left_files JOIN addresses ON "
	    "addresses.id = left_files.address WHERE file NOT IN (SELECT file "
	    "FROM copies WHERE file IN (SELECT file FROM left_files)) "
	    "UNION ALL SELECT url, file, address, 1 FROM gone_files JOIN "
	    "addresses ON addresses.id = gone_files.address WHERE file NOT IN "
	    "(SELECT file FROM copies WHERE file >= 'gone/' AND file < "
	    "'gone0')");
	if (pv_database_number(
		list->database, "SELECT EXISTS(SELECT 1 FROM moved_links)"))
		list->moved = pv_statement_create(list->database,
		    "SELECT link, text, named FROM moved_links WHERE document "
		    "= ?1 ORDER BY link");
	list->kept = pv_kept_files_read(list->database);
	bool is_open = pv_database_status(list->database) == PV_STORE_OK;
	if (!is_open)
		pv_schema_tell(list->database, pv_buf_text(&path), why);
	pv_buf_finish(&path);
	return is_open;
}

void pv_document_list_close(struct pv_document_list *list)
{
	pv_kept_files_destroy(list->kept);
	pv_statement_destroy(list->statement);
	pv_statement_destroy(list->moved);
	pv_database_close(list->database);
	pthread_mutex_destroy(&list->mutex);
}

void pv_listed_document_init(struct pv_listed_document *document)
{
	pv_buf_init(&document->address, SIZE_MAX);
	pv_buf_init(&document->file, SIZE_MAX);
	pv_moved_links_init(&document->moved);
}

void pv_listed_document_finish(struct pv_listed_document *document)
{
	pv_buf_finish(&document->address);
	pv_buf_finish(&document->file);
	pv_moved_links_finish(&document->moved);
}

/* To the row of the next one. */
static bool step(struct pv_document_list *list)
{
	if (list->is_enough && list->is_enough(list->ctx))
		list->is_cut = true;
	while (!list->is_over && !list->is_cut) {
		list->is_over = !pv_statement_step(list->statement);
		if (!list->is_over &&
		    pv_document_kind_of(pv_statement_text(
			list->statement, 1)) != PV_DOCUMENT_NONE)
			return true;
	}
	return false;
}

static void read_moved(
    struct pv_document_list *list, struct pv_listed_document *document)
{
	struct pv_statement *row = list->moved;
	if (!row)
		return;
	pv_statement_bind(row, 1, document->number);
	while (pv_statement_step(row))
		pv_moved_links_add(&document->moved,
		    (size_t)pv_statement_number(row, 0),
		    pv_statement_text(row, 1), pv_statement_text(row, 2));
}

static void read_row(
    struct pv_document_list *list, struct pv_listed_document *document)
{
	const struct pv_statement *row = list->statement;
	pv_buf_append(&document->address, pv_statement_text(row, 0));
	pv_buf_append(&document->file, pv_statement_text(row, 1));
	document->number = pv_statement_number(row, 2);
	document->is_left = pv_statement_number(row, 3);
	if (!document->is_left)
		read_moved(list, document);
}

bool pv_document_list_take(
    struct pv_document_list *list, struct pv_listed_document *document)
{
	pv_buf_clear(&document->address);
	pv_buf_clear(&document->file);
	pv_moved_links_clear(&document->moved);
	pthread_mutex_lock(&list->mutex);
	bool is_taken = step(list);
	if (is_taken)
		read_row(list, document);
	pthread_mutex_unlock(&list->mutex);
	return is_taken;
}

void pv_document_list_cut(struct pv_document_list *list)
{
	pthread_mutex_lock(&list->mutex);
	list->is_cut = true;
	pthread_mutex_unlock(&list->mutex);
}
