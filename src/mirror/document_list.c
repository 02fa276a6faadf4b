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
	list->statement = pv_statement_create(list->database,
	    "SELECT url, file FROM copies JOIN addresses ON addresses.id = "
	    "copies.address WHERE file <> ''");
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
	pv_database_close(list->database);
	pthread_mutex_destroy(&list->mutex);
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

bool pv_document_list_take(
    struct pv_document_list *list, struct pv_buf *address, struct pv_buf *file)
{
	pv_buf_clear(address);
	pv_buf_clear(file);
	pthread_mutex_lock(&list->mutex);
	bool is_taken = step(list);
	if (is_taken) {
		pv_buf_append(address, pv_statement_text(list->statement, 0));
		pv_buf_append(file, pv_statement_text(list->statement, 1));
	}
	pthread_mutex_unlock(&list->mutex);
	return is_taken;
}

void pv_document_list_cut(struct pv_document_list *list)
{
	pthread_mutex_lock(&list->mutex);
	list->is_cut = true;
	pthread_mutex_unlock(&list->mutex);
}
