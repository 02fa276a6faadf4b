#include "fetch/post.h"

static void line_init(struct pv_note_line *line)
{
	line->first = NULL;
	line->end = &line->first;
}

static void line_push(struct pv_note_line *line, struct pv_note *note)
{
	note->next = NULL;
	*line->end = note;
	line->end = &note->next;
}

static struct pv_note *line_pop(struct pv_note_line *line)
{
	struct pv_note *note = line->first;
	if (!note)
		return NULL;
	line->first = note->next;
	if (!line->first)
		line->end = &line->first;
	return note;
}

/* All of one line go behind another. */
static void line_move(struct pv_note_line *from, struct pv_note_line *to)
{
	if (!from->first)
		return;
	*to->end = from->first;
	to->end = from->end;
	line_init(from);
}

/* A note may be on its way again, about something else, as soon as it has been
 * received. */
static void on_wakeup(void *ctx)
{
	struct pv_post *post = ctx;
	struct pv_note *note;
	pthread_mutex_lock(&post->mutex);
	line_move(&post->there, &post->taken);
	pthread_mutex_unlock(&post->mutex);
	for (size_t i = 0; i < post->at_once; i++) {
		note = line_pop(&post->taken);
		if (!note)
			return;
		struct pv_note received = *note;
		post->on_note(post->ctx, &received);
	}
	if (post->taken.first)
		pv_wakeup_send(&post->wakeup);
}

bool pv_post_open(struct pv_post *post, uv_loop_t *loop, size_t at_once)
{
	pthread_mutex_init(&post->mutex, NULL);
	line_init(&post->gathered);
	line_init(&post->there);
	line_init(&post->taken);
	post->at_once = at_once;
	return pv_wakeup_open(&post->wakeup, loop, on_wakeup, post);
}

void pv_post_set_receiver(struct pv_post *post, pv_post_fn on_note, void *ctx)
{
	post->on_note = on_note;
	post->ctx = ctx;
}

void pv_post_deafen(struct pv_post *post)
{
	pv_wakeup_deafen(&post->wakeup);
}

void pv_post_close(struct pv_post *post)
{
	pv_wakeup_close(&post->wakeup);
	pthread_mutex_destroy(&post->mutex);
}

void pv_post_keep_awake(struct pv_post *post, bool is_awake)
{
	if (is_awake)
		uv_ref((uv_handle_t *)&post->wakeup.poll);
	else
		uv_unref((uv_handle_t *)&post->wakeup.poll);
}

void pv_post_add(struct pv_post *post, struct pv_note *note)
{
	line_push(&post->gathered, note);
}

void pv_post_hand_on(struct pv_post *post)
{
	if (!post->gathered.first)
		return;
	pthread_mutex_lock(&post->mutex);
	bool is_first = !post->there.first;
	line_move(&post->gathered, &post->there);
	pthread_mutex_unlock(&post->mutex);
	if (is_first)
		pv_wakeup_send(&post->wakeup);
}

void pv_post_receive(struct pv_post *post)
{
	do {
		on_wakeup(post);
	} while (post->taken.first);
}
