#include "serve/jobs/result_lengths.h"

#include "store/state_look.h"
#include "store/tables/length.h"

void pv_result_lengths_init(struct pv_result_lengths *lengths)
{
	*lengths = (struct pv_result_lengths){.next = 0};
	pthread_mutex_init(&lengths->mutex, NULL);
	for (size_t i = 0; i < PV_RESULT_LENGTHS; i++)
		pv_buf_init(&lengths->items[i].path, SIZE_MAX);
}

void pv_result_lengths_finish(struct pv_result_lengths *lengths)
{
	for (size_t i = 0; i < PV_RESULT_LENGTHS; i++)
		pv_buf_finish(&lengths->items[i].path);
	pthread_mutex_destroy(&lengths->mutex);
}

uint64_t pv_result_length_now(const char *directory, const char *file)
{
	struct pv_why why;
	uint64_t length = 0;
	pv_why_init(&why);
	struct pv_database *database = pv_state_look(directory, &why);
	if (database)
		length = pv_length_get(database, pv_str_of(file));
	pv_database_close(database);
	pv_why_finish(&why);
	return length;
}

/* Which one is forgotten for it does not matter. */
static struct pv_result_length *find(
    struct pv_result_lengths *lengths, struct pv_str path)
{
	for (size_t i = 0; i < PV_RESULT_LENGTHS; i++) {
		if (pv_str_equal(pv_buf_str(&lengths->items[i].path), path))
			return &lengths->items[i];
	}
	struct pv_result_length *item =
	    &lengths->items[lengths->next++ % PV_RESULT_LENGTHS];
	pv_buf_clear(&item->path);
	pv_buf_append(&item->path, path);
	item->news = 0;
	return item;
}

/* Others who ask for it wait until the first has looked. */
uint64_t pv_result_lengths_get(struct pv_result_lengths *lengths,
    const char *directory, const char *file, uint64_t news)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/%s", directory, file);
	pthread_mutex_lock(&lengths->mutex);
	struct pv_result_length *item = find(lengths, pv_buf_str(&path));
	if (!item->news || item->news < news) {
		item->length = pv_result_length_now(directory, file);
		item->news = news;
	}
	uint64_t length = item->length;
	pthread_mutex_unlock(&lengths->mutex);
	pv_buf_finish(&path);
	return length;
}
