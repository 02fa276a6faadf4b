#include "serve/jobs/job_news.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "tap.h"

/* What has happened to jobs, for who waits for it. */

static void test_changes(void)
{
	struct pv_job_news news;
	struct pv_job_change change;
	pv_job_news_init(&news);
	ok(pv_job_news_next(&news, 0, &change) == PV_JOB_NEWS_NONE &&
		!pv_job_news_last(&news),
	    "at first nothing has happened");
	pv_job_news_tell_change(&news, PV_STR("a"), PV_JOB_QUEUED);
	pv_job_news_tell_change(&news, PV_STR("a"), PV_JOB_RUNNING);
	ok(pv_job_news_next(&news, 0, &change) == PV_JOB_NEWS_CHANGE &&
		change.number == 1 && change.state == PV_JOB_QUEUED &&
		strcmp(change.id, "a") == 0,
	    "the first change comes first");
	ok(pv_job_news_next(&news, 1, &change) == PV_JOB_NEWS_CHANGE &&
		change.number == 2 && change.state == PV_JOB_RUNNING,
	    "and then the second");
	ok(pv_job_news_next(&news, 2, &change) == PV_JOB_NEWS_NONE &&
		pv_job_news_last(&news) == 2,
	    "there is no third");
	for (unsigned i = 0; i < PV_JOB_CHANGES; i++)
		pv_job_news_tell_change(&news, PV_STR("b"), PV_JOB_PAUSED);
	ok(pv_job_news_next(&news, 0, &change) == PV_JOB_NEWS_GAP &&
		change.number == 2,
	    "who is too slow hears of a gap, and how far it goes");
	ok(pv_job_news_next(&news, change.number, &change) ==
		    PV_JOB_NEWS_CHANGE &&
		change.number == 3 && strcmp(change.id, "b") == 0,
	    "and goes on behind it");
	pv_job_news_finish(&news);
}

struct waiter {
	struct pv_job_news *news;
	uint64_t seen;
	uint64_t number;
};

static void *wait_for_news(void *ctx)
{
	struct waiter *waiter = ctx;
	waiter->number =
	    pv_job_news_wait(waiter->news, waiter->seen, INT64_C(100000));
	return NULL;
}

static void test_waiting(void)
{
	struct pv_job_news news;
	struct waiter waiter = {.news = &news};
	pthread_t thread;
	pv_job_news_init(&news);
	ok(pv_job_news_wait(&news, 0, 1) == 0,
	    "who waits for nothing goes on when the time is over");
	pthread_create(&thread, NULL, wait_for_news, &waiter);
	pv_job_news_tell(&news);
	pthread_join(thread, NULL);
	ok(waiter.number == 1, "and with the next news");
	ok(pv_job_news_wait(&news, 0, 100000) == 1 &&
		pv_job_news_number(&news) == 1,
	    "who has missed some does not wait");
	pv_job_news_finish(&news);
}

int main(void)
{
	test_changes();
	test_waiting();
	return tap_done();
}
