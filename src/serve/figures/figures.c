#include "serve/figures/figures.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "serve/figures/sums.h"

#define NAME_MAX_LEN 64

/* A job that has figures of its own. */
struct place {
	char job[NAME_MAX_LEN + 1]; /* empty: it is free */
	char owner[NAME_MAX_LEN + 1];
	struct pv_counted ended;    /* by runs that are over */
	struct pv_run_figures *run; /* that is not; NULL */
	uint64_t settled;           /* when it ended, by a number; 0: not yet */
};

struct pv_run_figures {
	struct pv_figures *figures;
	struct place *place; /* NULL: it is one of the others */
	struct pv_run_figures *next;
	struct pv_counted counted;
	struct pv_momentary now;
};

struct pv_figures {
	pthread_mutex_t mutex; /* of all that follows */
	struct place places[PV_FIGURES_JOBS_MAX];
	struct pv_run_figures *others; /* runs without a place */
	struct pv_counted other_ended;
	bool has_others;
	uint64_t settled; /* the last number */
};

struct pv_figures *pv_figures_create(void)
{
	struct pv_figures *figures = pv_alloc(sizeof(*figures));
	pthread_mutex_init(&figures->mutex, NULL);
	return figures;
}

void pv_figures_destroy(struct pv_figures *figures)
{
	if (!figures)
		return;
	pthread_mutex_destroy(&figures->mutex);
	free(figures);
}

/* Places; the mutex is held */

static void keep_name(char kept[NAME_MAX_LEN + 1], struct pv_str name)
{
	size_t len = name.len < NAME_MAX_LEN ? name.len : NAME_MAX_LEN;
	memcpy(kept, pv_str_bytes(name), len);
	kept[len] = '\0';
}

static struct place *find(struct pv_figures *figures, struct pv_str job)
{
	for (size_t i = 0; job.len && i < PV_FIGURES_JOBS_MAX; i++) {
		if (pv_str_equal(pv_str_of(figures->places[i].job), job))
			return &figures->places[i];
	}
	return NULL;
}

/* What was counted goes to the others. */
static void clear(struct pv_figures *figures, struct place *place)
{
	if (place->run) {
		place->run->place = NULL;
		place->run->next = figures->others;
		figures->others = place->run;
	}
	pv_counted_add(&figures->other_ended, &place->ended);
	figures->has_others = true;
	*place = (struct place){.run = NULL};
}

/* A free one, or that of the job that ended first; NULL if all are needed. */
static struct place *make_room(struct pv_figures *figures)
{
	struct place *first = NULL;
	for (size_t i = 0; i < PV_FIGURES_JOBS_MAX; i++) {
		struct place *place = &figures->places[i];
		if (!place->job[0])
			return place;
		if (place->settled && !place->run &&
		    (!first || place->settled < first->settled))
			first = place;
	}
	if (first)
		clear(figures, first);
	return first;
}

static struct place *place_of(
    struct pv_figures *figures, struct pv_str job, struct pv_str owner)
{
	struct place *place = find(figures, job);
	if (place)
		return place->run ? NULL : place;
	place = make_room(figures);
	if (!place)
		return NULL;
	keep_name(place->job, job);
	keep_name(place->owner, owner);
	return place;
}

/* Runs */

struct pv_run_figures *pv_figures_begin(
    struct pv_figures *figures, struct pv_str job, struct pv_str owner)
{
	if (!figures)
		return NULL;
	struct pv_run_figures *run = pv_alloc(sizeof(*run));
	run->figures = figures;
	pthread_mutex_lock(&figures->mutex);
	run->place = place_of(figures, job, owner);
	if (run->place) {
		run->place->run = run;
		run->place->settled = 0;
	} else {
		run->next = figures->others;
		figures->others = run;
		figures->has_others = true;
	}
	pthread_mutex_unlock(&figures->mutex);
	return run;
}

void pv_figures_hear(
    struct pv_run_figures *run, const struct pavane_progress *progress)
{
	if (!run)
		return;
	pthread_mutex_lock(&run->figures->mutex);
	pv_counted_raise(&run->counted, progress);
	pv_momentary_set(&run->now, progress);
	pthread_mutex_unlock(&run->figures->mutex);
}

static void take_out(struct pv_figures *figures, struct pv_run_figures *run)
{
	struct pv_run_figures **link = &figures->others;
	while (*link != run)
		link = &(*link)->next;
	*link = run->next;
	pv_counted_add(&figures->other_ended, &run->counted);
}

void pv_figures_end(struct pv_run_figures *run)
{
	if (!run)
		return;
	struct pv_figures *figures = run->figures;
	pthread_mutex_lock(&figures->mutex);
	if (run->place) {
		pv_counted_add(&run->place->ended, &run->counted);
		run->place->run = NULL;
	} else {
		take_out(figures, run);
	}
	pthread_mutex_unlock(&figures->mutex);
	free(run);
}

void pv_figures_settle(struct pv_figures *figures, struct pv_str job)
{
	if (!figures)
		return;
	pthread_mutex_lock(&figures->mutex);
	struct place *place = find(figures, job);
	if (place)
		place->settled = ++figures->settled;
	pthread_mutex_unlock(&figures->mutex);
}

void pv_figures_forget(struct pv_figures *figures, struct pv_str job)
{
	if (!figures)
		return;
	pthread_mutex_lock(&figures->mutex);
	struct place *place = find(figures, job);
	if (place)
		clear(figures, place);
	pthread_mutex_unlock(&figures->mutex);
}

/* Looking */

static void add_place(struct pv_job_figures *sum, const struct place *place)
{
	pv_counted_add(&sum->counted, &place->ended);
	if (!place->run)
		return;
	pv_counted_add(&sum->counted, &place->run->counted);
	pv_momentary_add(&sum->now, &place->run->now);
}

static bool is_owners(const struct place *place, const struct pv_str *owner)
{
	return !owner || pv_str_equal(pv_str_of(place->owner), *owner);
}

/* False once the function wants no more. */
static bool give_places(struct pv_figures *figures, const struct pv_str *owner,
    pv_job_figures_fn fn, void *ctx)
{
	for (size_t i = 0; i < PV_FIGURES_JOBS_MAX; i++) {
		const struct place *place = &figures->places[i];
		struct pv_job_figures one = {.job = pv_str_of(place->job)};
		if (!one.job.len || !is_owners(place, owner))
			continue;
		add_place(&one, place);
		if (!fn(ctx, &one))
			return false;
	}
	return true;
}

static void give_others(struct pv_figures *figures, const struct pv_str *owner,
    pv_job_figures_fn fn, void *ctx)
{
	struct pv_job_figures sum = {.job = PV_STR("other")};
	bool has_others = figures->has_others;
	pv_counted_add(&sum.counted, &figures->other_ended);
	for (const struct pv_run_figures *run = figures->others; run;
	     run = run->next) {
		pv_counted_add(&sum.counted, &run->counted);
		pv_momentary_add(&sum.now, &run->now);
	}
	for (size_t i = 0; i < PV_FIGURES_JOBS_MAX; i++) {
		const struct place *place = &figures->places[i];
		if (!place->job[0] || is_owners(place, owner))
			continue;
		add_place(&sum, place);
		has_others = true;
	}
	if (has_others)
		fn(ctx, &sum);
}

void pv_figures_each(struct pv_figures *figures, const struct pv_str *owner,
    pv_job_figures_fn fn, void *ctx)
{
	pthread_mutex_lock(&figures->mutex);
	if (give_places(figures, owner, fn, ctx))
		give_others(figures, owner, fn, ctx);
	pthread_mutex_unlock(&figures->mutex);
}
