#include "serve/jobs/job_watches.h"

#include "tap.h"

struct waiter {
	struct pv_job_watches *watches;
	struct pv_job_watch *watch;
	uint64_t seen;
	struct pv_job_watch_news news;
};

static void *wait_for_news(void *ctx)
{
	struct waiter *waiter = ctx;
	waiter->news = pv_job_watches_wait(
	    waiter->watches, waiter->watch, waiter->seen, INT64_C(100000));
	return NULL;
}

static void test_waiting(struct pv_job_watches *watches)
{
	struct pv_job_watch *watch = pv_job_watches_take(watches, PV_STR("a"));
	struct waiter waiters[2];
	pthread_t threads[2];
	struct pv_job_watch_news first =
	    pv_job_watches_wait(watches, watch, 0, 100000);
	ok(first.number > 0 && !first.changes,
	    "who has seen nothing yet does not wait");
	pv_job_watches_tell(watches, PV_STR("b"), true);
	ok(pv_job_watches_wait(watches, watch, first.number, 1).number ==
		first.number,
	    "news of other jobs are none");
	for (int i = 0; i < 2; i++) {
		waiters[i] = (struct waiter){watches,
		    pv_job_watches_take(watches, PV_STR("a")), first.number,
		    {0, 0}};
		pthread_create(&threads[i], NULL, wait_for_news, &waiters[i]);
	}
	pv_job_watches_tell(watches, PV_STR("a"), false);
	for (int i = 0; i < 2; i++) {
		pthread_join(threads[i], NULL);
		ok(waiters[i].news.number > first.number &&
			!waiters[i].news.changes,
		    "all who wait for one are woken");
	}
	pv_job_watches_tell(watches, PV_STR("a"), true);
	struct pv_job_watch_news last =
	    pv_job_watches_wait(watches, watch, waiters[0].news.number, 100000);
	ok(last.number > waiters[0].news.number && last.changes == 1,
	    "that it is in another state is told apart");
	pv_job_watches_give(watches, watch);
	pv_job_watches_give(watches, waiters[0].watch);
	pv_job_watches_give(watches, waiters[1].watch);
	watch = pv_job_watches_take(watches, PV_STR("a"));
	ok(pv_job_watches_wait(watches, watch, 0, 100000).number > last.number,
	    "numbers grow, also where nobody has waited meanwhile");
	pv_job_watches_give(watches, watch);
}

int main(void)
{
	struct pv_job_watches watches;
	pv_job_watches_init(&watches);
	pv_job_watches_tell(&watches, PV_STR("a"), true);
	test_waiting(&watches);
	ok(!watches.line.first, "nothing stays behind");
	pv_job_watches_finish(&watches);
	return tap_done();
}
