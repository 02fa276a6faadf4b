#ifndef PAVANE_TESTS_FRONTIER_SQLITE_HANDOVER_SCENE_H
#define PAVANE_TESTS_FRONTIER_SQLITE_HANDOVER_SCENE_H

#include "frontier/scene.h"
#include "frontier/sqlite/handover.h"
#include "frontier/sqlite/handover_in.h"
#include "frontier/sqlite/handover_out.h"
#include "frontier/sqlite/handover_owners.h"

/* Two workers of a fleet: their states, and parcels between them. */

#define HANDOVER_WALL_MS INT64_C(1700000000000) /* where it matters */

#define is_int(found, wanted, ...) \
	ok((int64_t)(found) == (int64_t)(wanted), __VA_ARGS__)

struct worker {
	struct scene scene;
	struct pv_handover handover;
};

/* One thing that is done to a worker's tables. */
struct step {
	struct pv_tables_work work;
	struct worker *worker;
	void (*run)(struct step *step);
	struct pv_parcels *parcels;
	struct pv_str host;
	bool owes_delay;
	const char *text;
	int64_t count;
	bool is_done;
};

static inline void run_step(
    struct pv_tables_work *work, struct pv_tables *tables)
{
	struct step *step = (struct step *)work;
	(void)tables;
	step->run(step);
}

static inline void end_step(
    struct pv_tables_work *work, enum pv_store_status status)
{
	struct step *step = (struct step *)work;
	step->worker->scene.status = status;
}

static inline bool do_step(struct worker *worker, struct step *step)
{
	step->work = (struct pv_tables_work){
	    .run = run_step, .done = end_step, .rows = 1};
	step->worker = worker;
	pv_sqlite_frontier_work(
	    worker->scene.frontier, &step->work, worker->scene.now);
	scene_settle(&worker->scene);
	return step->is_done;
}

static inline void run_take(struct step *step)
{
	const struct pv_time now = {step->worker->scene.now, HANDOVER_WALL_MS};
	pv_handover_take(&step->worker->handover, 1000, now, step->parcels);
}

static inline void run_sent(struct step *step)
{
	pv_handover_sent(&step->worker->handover, step->parcels->change);
}

static inline void run_put(struct step *step)
{
	step->is_done = true;
	for (size_t i = 0; i < step->parcels->count; i++) {
		struct pv_parcel parcel = pv_parcels_get(step->parcels, i);
		step->is_done = pv_handover_put(&step->worker->handover,
				    &parcel, (struct pv_time){1000, 5000}) &&
				step->is_done;
	}
}

static inline void run_own(struct step *step)
{
	pv_handover_own(&step->worker->handover, step->host, step->owes_delay);
}

static inline void run_leave(struct step *step)
{
	step->is_done = pv_handover_leave(&step->worker->handover, step->host);
}

static inline void run_give(struct step *step)
{
	pv_handover_give(&step->worker->handover, step->host);
}

static inline void run_give_all(struct step *step)
{
	pv_handover_give_all(&step->worker->handover);
}

static inline void before_start(struct scene *scene)
{
	struct worker *worker = (struct worker *)scene;
	pv_handover_open(&worker->handover,
	    pv_sqlite_frontier_tables(scene->frontier), &scene->frontier->key);
}

static inline void begin(struct worker *worker)
{
	worker->scene = (struct scene){.recent_count = 1024,
	    .count_ceiling = 1000,
	    .now = 1000,
	    .before_start = before_start,
	    .descriptors = descriptors_count()};
	ok(scratch_make(&worker->scene.scratch) && scene_open(&worker->scene),
	    "a worker opens its state");
}

static inline void end(struct worker *worker)
{
	pv_writer_stop(&worker->scene.store->writer);
	pv_handover_close(&worker->handover);
	scene_finish(&worker->scene);
}

static inline void own(struct worker *worker, const char *host)
{
	do_step(
	    worker, &(struct step){.run = run_own, .host = pv_str_of(host)});
}

static inline void take(struct worker *worker, struct pv_parcels *parcels)
{
	pv_parcels_init(parcels, 1 << 20);
	do_step(worker, &(struct step){.run = run_take, .parcels = parcels});
	do_step(worker, &(struct step){.run = run_sent, .parcels = parcels});
}

static inline bool put(struct worker *worker, struct pv_parcels *parcels)
{
	return do_step(
	    worker, &(struct step){.run = run_put, .parcels = parcels});
}

/* "address link host": the kinds of what is passed on, by their first
 * letters; f is what is refused, and w a rest that is waited for. */
static inline void are_passed_on(
    struct worker *worker, const char *wanted, const char *claim)
{
	static const char letters[] = "alfhrsnwv";
	struct pv_parcels parcels;
	struct pv_buf kinds;
	pv_buf_init(&kinds, 100);
	take(worker, &parcels);
	for (size_t i = 0; i < parcels.count; i++)
		pv_buf_append_char(
		    &kinds, letters[pv_parcels_get(&parcels, i).kind]);
	is_text(pv_buf_str(&kinds), wanted, "%s", claim);
	pv_parcels_finish(&parcels);
	pv_buf_finish(&kinds);
}

static inline int64_t in_state(
    struct worker *worker, enum pv_address_state state)
{
	return (int64_t)scene_count(&worker->scene).states[state];
}

#endif
