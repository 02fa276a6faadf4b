#include "crawl/visit/pacing.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "crawl/conductor.h"
#include "crawl/visit/flight.h"
#include "tap.h"

/* A host with two requests, at moments of the test's own. */
#define BEGAN 1000000

struct stage {
	struct pv_crawl *crawl;
	struct pv_live_host host;
	struct pv_flight *opens[2];
};

static const struct pv_visit_end well = {
    .status = 200, .retry_after_ms = PV_NONE};
static const struct pv_visit_end given_up = {
    .is_given_up = true, .retry_after_ms = PV_NONE};

static void begin(struct stage *stage)
{
	stage->crawl = pv_alloc(sizeof(*stage->crawl));
	stage->crawl->run.number = 3;
	stage->crawl->run.began = BEGAN;
	stage->host = (struct pv_live_host){.pacing = PV_PACING_HOST};
	for (size_t i = 0; i < 2; i++) {
		struct pv_flight *open = pv_alloc(sizeof(*open));
		open->crawl = stage->crawl;
		open->host = &stage->host;
		open->pacing = PV_PACING_NONE;
		stage->opens[i] = open;
	}
}

static void end(struct stage *stage)
{
	for (size_t i = 0; i < 2; i++)
		free(stage->opens[i]);
	free(stage->crawl);
}

static void at(struct stage *stage, int64_t ms)
{
	stage->crawl->now.monotonic_ms = BEGAN + ms;
}

static void release(struct stage *stage, size_t i, int64_t ms, int64_t due_ms,
    enum pv_wait_reason reason)
{
	stage->opens[i]->released_at = BEGAN + ms;
	stage->opens[i]->due = (struct pv_wait){BEGAN + due_ms, reason};
}

static const struct pv_pacing *pacing_of(const struct stage *stage, size_t i)
{
	return &stage->opens[i]->pacing;
}

static void test_times(void)
{
	struct stage stage;
	begin(&stage);
	release(&stage, 0, 10, 0, PV_WAIT_NOT);
	at(&stage, 12);
	pv_pacing_sent(stage.opens[0]);
	at(&stage, 30);
	pv_pacing_end(stage.opens[0], &well);
	const struct pv_pacing *first = pacing_of(&stage, 0);
	ok(first->run == 3 && first->released_ms == 10 &&
		first->sent_ms == 12 && first->end_ms == 30,
	    "P1: a request's times are counted from when the run began");
	ok(first->gap_ms < 0 && first->reaction_ms < 0 && !first->rule &&
		first->at_once == 1 && first->retry_after_ms < 0,
	    "the first one follows nothing, and nothing held it");
	release(&stage, 1, 1030, 1012, PV_WAIT_DELAY);
	at(&stage, 1035);
	pv_pacing_sent(stage.opens[1]);
	struct pv_visit_end later = well;
	later.retry_after_ms = 5000;
	at(&stage, 1040);
	pv_pacing_end(stage.opens[1], &later);
	const struct pv_pacing *second = pacing_of(&stage, 1);
	ok(second->gap_ms == 1023 && second->rest_ms == 1000 &&
		strcmp(second->rule, "delay") == 0 &&
		second->retry_after_ms == 5000,
	    "P1: the second says how long after the first it was sent, and "
	    "which rule asked for how much of it");
	end(&stage);
}

static void test_reaction(void)
{
	struct stage stage;
	begin(&stage);
	release(&stage, 0, 10, 0, PV_WAIT_NOT);
	at(&stage, 12);
	pv_pacing_sent(stage.opens[0]);
	stage.opens[0]->response.http_status = 503;
	at(&stage, 30);
	pv_pacing_end(stage.opens[0], &well);
	release(&stage, 1, 20, 0, PV_WAIT_NOT);
	at(&stage, 31);
	pv_pacing_sent(stage.opens[1]);
	ok(pacing_of(&stage, 1)->reaction_ms < 0,
	    "P2: who was let go before an answer of 503 does not react to it");
	at(&stage, 40);
	pv_pacing_end(stage.opens[1], &well);
	stage.opens[1]->pacing = PV_PACING_NONE;
	release(&stage, 1, 900, 900, PV_WAIT_OVERLOAD);
	at(&stage, 901);
	pv_pacing_sent(stage.opens[1]);
	ok(pacing_of(&stage, 1)->reaction_ms == 871, "P2: the next one does");
	at(&stage, 910);
	pv_pacing_end(stage.opens[1], &well);
	stage.opens[1]->pacing = PV_PACING_NONE;
	release(&stage, 1, 920, 920, PV_WAIT_DELAY);
	at(&stage, 921);
	pv_pacing_sent(stage.opens[1]);
	ok(pacing_of(&stage, 1)->reaction_ms < 0, "and only the next one");
	end(&stage);
}

static void test_at_once(void)
{
	struct stage stage;
	begin(&stage);
	at(&stage, 1);
	pv_pacing_sent(stage.opens[0]);
	pv_pacing_sent(stage.opens[1]);
	ok(pacing_of(&stage, 1)->at_once == 2, "P1: two at once are counted");
	pv_pacing_drop(stage.opens[0]);
	ok(stage.host.pacing.at_once == 1 && pacing_of(&stage, 0)->run == 0,
	    "one that is dropped is under way no more, and took no turn");
	pv_pacing_end(stage.opens[1], &given_up);
	ok(stage.host.pacing.at_once == 0 && pacing_of(&stage, 1)->run == 3 &&
		pacing_of(&stage, 1)->is_own_fault,
	    "one that was sent counts, whoever was at fault for its end");
	end(&stage);
}

static void test_unsent(void)
{
	struct stage stage;
	begin(&stage);
	release(&stage, 0, 10, 0, PV_WAIT_NOT);
	at(&stage, 12);
	pv_pacing_end(stage.opens[0], &given_up);
	ok(pacing_of(&stage, 0)->run == 0,
	    "what this machine could not send took no turn");
	pv_pacing_end(stage.opens[1], &well);
	const struct pv_pacing *pacing = pacing_of(&stage, 1);
	ok(pacing->run == 3 && pacing->sent_ms < 0 && pacing->end_ms == 12 &&
		pacing->at_once == 0,
	    "what could not be connected to did, and was not sent");
	ok(stage.host.pacing.sent_at < 0, "nor is anything counted from it");
	end(&stage);
}

int main(void)
{
	test_times();
	test_reaction();
	test_at_once();
	test_unsent();
	return tap_done();
}
