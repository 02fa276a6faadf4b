#include "mirror/links/document_list.h"

#include "mirror/files/extension.h"
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
	list->files =
	    pv_file_cursor_open(list->database, PV_FILES_DOCUMENTS, 0);
	pv_moved_link_table_look(&list->moved, list->database);
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
	pv_file_cursor_close(list->files);
	pv_moved_link_table_close(&list->moved);
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
static bool step(struct pv_document_list *list, struct pv_state_file_row *row)
{
	if (list->is_enough && list->is_enough(list->ctx))
		list->is_cut = true;
	while (!list->is_cut && pv_file_cursor_next(list->files, row)) {
		if (pv_document_kind_of(row->file) != PV_DOCUMENT_NONE)
			return true;
	}
	return false;
}

static void add_moved(void *ctx, const struct pv_moved_link_row *moved)
{
	pv_moved_links_add(ctx, moved->link, moved->text, moved->named);
}

static void read_row(struct pv_document_list *list,
    const struct pv_state_file_row *row, struct pv_listed_document *document)
{
	pv_buf_append(&document->address, row->url);
	pv_buf_append(&document->file, row->file);
	document->number = (int64_t)row->address;
	document->is_left = row->is_left;
	if (!document->is_left)
		pv_moved_link_table_each(&list->moved, document->number,
		    add_moved, &document->moved);
}

bool pv_document_list_take(
    struct pv_document_list *list, struct pv_listed_document *document)
{
	struct pv_state_file_row row;
	pv_buf_clear(&document->address);
	pv_buf_clear(&document->file);
	pv_moved_links_clear(&document->moved);
	pthread_mutex_lock(&list->mutex);
	bool is_taken = step(list, &row);
	if (is_taken)
		read_row(list, &row, document);
	pthread_mutex_unlock(&list->mutex);
	return is_taken;
}

void pv_document_list_cut(struct pv_document_list *list)
{
	pthread_mutex_lock(&list->mutex);
	list->is_cut = true;
	pthread_mutex_unlock(&list->mutex);
}
