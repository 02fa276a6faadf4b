#ifndef PAVANE_SERVE_FETCHES_FETCHES_STATE_H
#define PAVANE_SERVE_FETCHES_FETCHES_STATE_H

#include <pthread.h>

#include "serve/fetches/fetch_bell.h"
#include "serve/fetches/fetches.h"
#include "serve/fetches/reopening.h"
#include "serve/jobs/job_news.h"
#include "serve/jobs/job_run.h"

/* What fetches have in common with their keeper. */

/* A crawl's reply to an address that was told to it. */
struct pv_fetch_reply {
	struct pv_fetch_reply *next;
	struct pv_fetches *fetches;
	uint64_t number; /* of the fetch */
	enum pavane_answer answer;
	struct pv_buf word;
	struct pv_buf sentence;
	struct pv_buf asked;   /* what it was told */
	struct pv_buf address; /* as the crawl knows it */
};

/* The crawl of a profile that is open. */
struct pv_standing {
	struct pv_str profile; /* behind it */
	struct pv_job_run *run;
	struct pv_buf directory;
	struct pv_journal_place read; /* so far, of its journal */
	bool has_pages;   /* its policy has kinds of pages, which give rows */
	bool has_taken;   /* an address that it was told */
	bool is_outdated; /* it is to be opened by another policy */
};

struct pv_fetches {
	struct pv_fetches_plan plan;
	struct pv_hash_key key;
	pthread_t keeper;
	bool has_keeper;
	struct pv_job_news changes; /* for who waits for an answer */
	struct pv_fetch_bell bell;

	pthread_mutex_t mutex; /* of all that follows */
	struct pv_fetch_store *store;
	struct pv_standing **standing;
	size_t standing_count;
	size_t standing_size;
	uint64_t *unsent; /* numbers of fetches to be told to their crawls */
	size_t unsent_count;
	size_t unsent_size;
	int64_t tidied_ms;
	int64_t look_ms; /* when the disk is looked at next */
	char **full;     /* profiles whose crawl takes too much of it */
	size_t full_count;
	size_t full_size;
	uint64_t rounds; /* that the keeper has begun */
	struct pv_pulse keeper_pulse;
	struct pv_reopenings reopenings; /* of crawls that have failed */
	bool has_ended;  /* a fetch has, in the transaction under way */
	bool is_renewed; /* the store was opened anew, after a fault */
	bool is_draining;
	bool is_over;
};

int64_t pv_fetches_now(const struct pv_fetches *fetches);

/* Whether fetches.db can be read and written; after a fault it is opened anew. */
bool pv_fetches_have_store(struct pv_fetches *fetches);

/* That fetch is to be told to its crawl. */
void pv_fetches_send_later(struct pv_fetches *fetches, uint64_t number);

#endif
