#include "crawl/run/ending.h"

#include "crawl/conductor.h"
#include "crawl/run/crawl_entry.h"
#include "crawl/run/stopping.h"
#include "crawl/visit/rewrite.h"

void pv_ending_run(struct pv_crawl *crawl)
{
	pv_rewrite_link(crawl);
	crawl->run.ending.has_entry_page = pv_crawl_entry_write(crawl);
	pv_stopping_fold_log(crawl);
}

static void *run(void *ctx)
{
	struct pv_crawl *crawl = ctx;
	pv_ending_run(crawl);
	atomic_store(&crawl->run.ending.is_over, true);
	pv_wakeup_send(&crawl->wakeup);
	return NULL;
}

void pv_ending_begin(struct pv_crawl *crawl)
{
	struct pv_ending *ending = &crawl->run.ending;
	pv_buf_init(&ending->lines, SIZE_MAX);
	pthread_mutex_init(&ending->mutex, NULL);
	ending->stepping = pthread_self();
	ending->is_begun = true;
	ending->has_thread =
	    pthread_create(&ending->thread, NULL, run, crawl) == 0;
	if (!ending->has_thread)
		run(crawl);
}

bool pv_ending_keep_line(
    struct pv_ending *ending, enum pv_log_level level, struct pv_str line)
{
	if (!ending->is_begun ||
	    pthread_equal(ending->stepping, pthread_self()))
		return false;
	pthread_mutex_lock(&ending->mutex);
	pv_buf_append_char(&ending->lines, (char)level);
	pv_buf_append(&ending->lines, line);
	pv_buf_append_char(&ending->lines, '\0');
	pthread_mutex_unlock(&ending->mutex);
	return true;
}

/* What there is by now goes out without the mutex: the program may do anything
 * with a line. */
static void pass_on(struct pv_crawl *crawl)
{
	struct pv_ending *ending = &crawl->run.ending;
	const struct pavane_crawl_options *options = &crawl->options;
	struct pv_buf lines;
	pv_buf_init(&lines, SIZE_MAX);
	pthread_mutex_lock(&ending->mutex);
	pv_buf_append(&lines, pv_buf_str(&ending->lines));
	pv_buf_clear(&ending->lines);
	pthread_mutex_unlock(&ending->mutex);
	for (size_t at = 0; at < lines.len;) {
		const char *line = lines.ptr + at;
		if (options->on_line)
			options->on_line(
			    options->ctx, (enum pavane_level)line[0], line + 1);
		at += strlen(line + 1) + 2;
	}
	pv_buf_finish(&lines);
}

bool pv_ending_look(struct pv_crawl *crawl)
{
	struct pv_ending *ending = &crawl->run.ending;
	bool is_over = atomic_load(&ending->is_over);
	pass_on(crawl);
	if (is_over && ending->has_thread &&
	    pthread_tryjoin_np(ending->thread, NULL) == 0)
		ending->has_thread = false;
	return is_over && !ending->has_thread;
}

void pv_ending_finish(struct pv_crawl *crawl)
{
	struct pv_ending *ending = &crawl->run.ending;
	if (!ending->is_begun)
		return;
	if (ending->has_thread)
		pthread_join(ending->thread, NULL);
	pass_on(crawl);
	ending->is_begun = false;
	pthread_mutex_destroy(&ending->mutex);
	pv_buf_finish(&ending->lines);
}

void pv_ending_give_up(struct pv_crawl *crawl)
{
	if (!crawl->run.ending.is_begun)
		return;
	pv_halt_ask(&crawl->halt);
	pv_halt_ask(&crawl->halt);
	pv_ending_finish(crawl);
}
