#include "crawl/run/running.h"

#include "crawl/conductor.h"
#include "crawl/control/commands.h"
#include "crawl/control/control.h"
#include "crawl/progress/progress.h"
#include "crawl/run/ending.h"
#include "crawl/run/stopping.h"
#include "crawl/run/turn.h"
#include "crawl/runtime.h"
#include "crawl/update/rounds.h"

static void on_turn(uv_prepare_t *prepare)
{
	struct pv_crawl *crawl = prepare->data;
	pv_turn_run(crawl);
	if (crawl->halt.is_over)
		uv_stop(&crawl->loop);
}

static void tell_recovered(const struct pv_crawl *crawl)
{
	const struct pv_recovered *recovered = &crawl->frontier->recovered;
	if (recovered->visits || recovered->hosts)
		pv_log(&crawl->log, PV_LOG_INFO,
		    "%s: the last run was interrupted: %llu address%s that it "
		    "had taken up %s again",
		    crawl->directory, (unsigned long long)recovered->visits,
		    recovered->visits == 1 ? "" : "es",
		    recovered->visits == 1 ? "waits" : "wait");
}

/* The writer's thread, what there is to be said, and the first deadline. */
static bool begin(struct pv_crawl *crawl)
{
	pv_untold_tell_left(crawl);
	crawl->store->writer.is_gathering = true;
	if (!pv_writer_start(&crawl->store->writer)) {
		pv_log(&crawl->log, PV_LOG_ERROR, "cannot start threads");
		return false;
	}
	pv_commands_begin(crawl);
	tell_recovered(crawl);
	pv_control_tell(crawl);
	pv_settings_tell(crawl);
	pv_rounds_tell(crawl);
	pv_halt_enter(&crawl->halt, PAVANE_CRAWLING);
	pv_progress_begin(crawl);
	crawl->progress.beat_at =
	    pv_crawl_now(crawl) + crawl->options.progress_ms;
	crawl->around.clock->wake_in(crawl->clock, 0, false);
	return true;
}

static void end(struct pv_crawl *crawl)
{
	const struct pv_program *program = &crawl->run.program;
	crawl->progress.figures.has_entry_page =
	    crawl->run.ending.has_entry_page;
	pv_progress_end(crawl);
	pv_halt_enter(&crawl->halt, PAVANE_ENDED);
	if (program->events.on_end)
		program->events.on_end(
		    program->ctx, crawl->halt.end, crawl->halt.reason);
}

enum pavane_end pv_crawl_run(struct pv_crawl *crawl)
{
	if (!begin(crawl))
		return PAVANE_FAILED;
	uv_prepare_start(&crawl->run.turn, on_turn);
	uv_run(&crawl->loop, UV_RUN_DEFAULT);
	uv_prepare_stop(&crawl->run.turn);
	pv_commands_end(crawl);
	pv_progress_tell(crawl);
	pv_ending_run(crawl);
	end(crawl);
	return crawl->halt.end;
}

/* Steps */

bool pv_crawl_start(struct pv_crawl *crawl)
{
	return begin(crawl);
}

/* Takes what is there; and only then the round, so that nothing that came of it
 * has to wait for the next step. */
static void take(struct pv_crawl *crawl)
{
	pv_progress_return(crawl);
	uv_run(&crawl->loop, UV_RUN_NOWAIT);
	pv_crawl_look_at_clock(crawl);
	pv_turn_run(crawl);
}

bool pv_crawl_step(struct pv_crawl *crawl)
{
	if (crawl->halt.phase == PAVANE_ENDED)
		return false;
	if (!crawl->halt.is_over) {
		take(crawl);
		if (crawl->halt.is_over) {
			pv_commands_end(crawl);
			pv_progress_tell(crawl);
			pv_ending_begin(crawl);
		}
		return true;
	}
	uv_run(&crawl->loop, UV_RUN_NOWAIT);
	if (!pv_ending_look(crawl))
		return true;
	pv_ending_finish(crawl);
	end(crawl);
	return false;
}

int pv_crawl_fd(const struct pv_crawl *crawl)
{
	return uv_backend_fd(&crawl->loop);
}

/* While the end is on its way, the descriptor says when it is there. */
int pv_crawl_timeout_ms(const struct pv_crawl *crawl)
{
	if (crawl->halt.is_over)
		return atomic_load(&crawl->run.ending.is_over) ? 0 : -1;
	return uv_backend_timeout(&crawl->loop);
}

/* From anywhere */

void pv_crawl_stop(struct pv_crawl *crawl)
{
	pv_halt_ask(&crawl->halt);
	pv_wakeup_send(&crawl->wakeup);
}

void pv_crawl_interrupt(struct pv_crawl *crawl)
{
	pv_halt_interrupt(&crawl->halt);
	pv_wakeup_send(&crawl->wakeup);
}

/* While another thread ends it, as it was before. */
const struct pavane_progress *pv_crawl_progress(struct pv_crawl *crawl)
{
	if (!crawl->run.ending.is_begun)
		pv_progress_fill(crawl);
	return &crawl->progress.figures;
}

bool pv_crawl_is_own_thread(const struct pv_crawl *crawl)
{
	return pv_workers_has_this_thread(
		   pv_runtime_workers(crawl->around.runtime)) ||
	       pv_writer_is_this_thread(&crawl->store->writer);
}
