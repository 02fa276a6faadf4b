#include "mirror/lookup/document_walk.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/system.h"
#include "store/tables/state_files.h"

/* More threads than that wait for each other, and have memory each. */
#define THREADS_MAX 32

/* So many documents are taken at a time. */
#define PAGES_AT_ONCE 16

/* The texts of that many. */
#define TEXTS_MAX ((size_t)64 << 20)

struct crew {
	struct pv_document_walk *walk;
	pthread_mutex_t mutex;
	struct pv_file_cursor *files;
};

/* What a thread has taken, and found. */
struct taken {
	struct pv_kept_page pages[PAGES_AT_ONCE];
	size_t ends[PAGES_AT_ONCE][3]; /* of their texts */
	size_t count;
	struct pv_buf texts;
};

struct found {
	struct {
		uint64_t document;
		uint64_t key;
	} * items;
	size_t count;
	size_t size;
	uint64_t documents;
	uint64_t unread;
};

/* Taking; with the lock */

static void take_row(const struct pv_state_file_row *row, struct taken *taken)
{
	const struct pv_str texts[] = {row->file, row->url, row->digest};
	size_t *ends = taken->ends[taken->count];
	taken->pages[taken->count++].id = row->address;
	for (int i = 0; i < 3; i++) {
		pv_buf_append(&taken->texts, texts[i]);
		ends[i] = taken->texts.len;
	}
}

/* Texts move while there come more of them. */
static void point_at_texts(struct taken *taken)
{
	size_t start = 0;
	for (size_t i = 0; i < taken->count; i++) {
		struct pv_kept_page *page = &taken->pages[i];
		struct pv_str *texts[] = {
		    &page->file, &page->url, &page->digest};
		for (int j = 0; j < 3; j++) {
			size_t end = taken->ends[i][j];
			*texts[j] = (struct pv_str){
			    pv_buf_text(&taken->texts) + start, end - start};
			start = end;
		}
	}
}

static void take(struct crew *crew, struct taken *taken)
{
	struct pv_state_file_row row;
	taken->count = 0;
	pv_buf_clear(&taken->texts);
	while (taken->count < PAGES_AT_ONCE &&
	       pv_file_cursor_next(crew->files, &row)) {
		crew->walk->seen++;
		if (pv_page_links_is_document(row.file))
			take_row(&row, taken);
	}
	point_at_texts(taken);
}

static void hand_in(struct crew *crew, struct found *found)
{
	struct pv_document_walk *walk = crew->walk;
	for (size_t i = 0; i < found->count; i++)
		pv_link_notes_add(
		    walk->notes, found->items[i].document, found->items[i].key);
	walk->documents += found->documents;
	walk->unread += found->unread;
	found->count = 0;
	found->documents = found->unread = 0;
}

/* Reading */

static void read_pages(
    struct pv_page_links *links, const struct taken *taken, struct found *found)
{
	for (size_t i = 0; i < taken->count; i++) {
		const struct pv_kept_page *page = &taken->pages[i];
		if (pv_page_links_read(links, page))
			found->documents++;
		else
			found->unread++;
		for (size_t j = 0; j < links->found_count; j++) {
			PV_ARRAY_PUSH(found->items, found->count, found->size)
			    ->document = page->id;
			found->items[found->count - 1].key = links->found[j];
		}
	}
}

/* The first of the crew is who conducts. */
static void work(struct crew *crew, bool is_first)
{
	struct pv_document_walk *walk = crew->walk;
	struct pv_page_links links;
	struct taken taken;
	struct found found = {.items = NULL};
	pv_page_links_init(&links, walk->state, walk->wanted);
	pv_buf_init(&taken.texts, TEXTS_MAX);
	do {
		pthread_mutex_lock(&crew->mutex);
		hand_in(crew, &found);
		take(crew, &taken);
		uint64_t seen = walk->seen;
		pthread_mutex_unlock(&crew->mutex);
		if (is_first && walk->on_progress)
			walk->on_progress(walk->ctx, seen, walk->files);
		read_pages(&links, &taken, &found);
	} while (taken.count);
	pv_page_links_finish(&links);
	pv_buf_finish(&taken.texts);
	free(found.items);
}

static void *work_along(void *ctx)
{
	work(ctx, false);
	return NULL;
}

static size_t processors(void)
{
	long count = sysconf(_SC_NPROCESSORS_ONLN);
	if (count < 1)
		return 1;
	return count < THREADS_MAX ? (size_t)count : THREADS_MAX;
}

/* If a thread cannot be created, the others do its work. */
static void work_together(struct crew *crew)
{
	pthread_t threads[THREADS_MAX];
	size_t count = 0;
	while (
	    count + 1 < processors() &&
	    pv_thread_start(&threads[count], "pavane-links", work_along, crew))
		count++;
	work(crew, true);
	for (size_t i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

void pv_document_walk_run(struct pv_document_walk *walk)
{
	struct pv_database *database = walk->state->database;
	struct crew crew = {.walk = walk};
	walk->files = pv_state_files_count(database);
	crew.files = pv_file_cursor_open(database, PV_FILES_KEPT, 0);
	pthread_mutex_init(&crew.mutex, NULL);
	work_together(&crew);
	pthread_mutex_destroy(&crew.mutex);
	pv_file_cursor_close(crew.files);
}
