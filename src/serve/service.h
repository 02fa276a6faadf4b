#ifndef PAVANE_SERVE_SERVICE_H
#define PAVANE_SERVE_SERVICE_H

#include <pthread.h>
#include <stdatomic.h>

#include "pavane/serve.h"
#include "serve/access/access.h"
#include "serve/fetches/fetches.h"
#include "serve/http/http_server.h"
#include "serve/jobs/jobs.h"
#include "serve/setup.h"
#include "serve/webhooks/delivery_thread.h"
#include "store/lock.h"

/* A running service: the configuration, who may ask, the jobs, and the server.
 *
 * Requests come on the threads of their connections; they read a setup that nobody
 * changes, and leave wishes with the jobs. None of them touches a crawl. */
struct pv_service {
	pthread_mutex_t mutex;     /* of the setup */
	struct pv_setup *setup;    /* that holds now */
	struct pv_setup *begun_by; /* where it has its directory, and listens */
	bool is_open_to_others;    /* other machines may reach it */
	bool has_socket;           /* that was handed on */
	char *config_dir;          /* the user's; NULL */
	struct pv_access *access;
	struct pv_jobs *jobs;
	struct pv_fetches *fetches;
	struct pv_delivery_thread *deliveries;
	struct pv_http_server *server;
	struct pv_lock lock;
	bool is_locked;
	atomic_bool is_draining;
	atomic_uint streams;   /* of events, that are being read */
	struct pv_buf address; /* where it listens, for people */
	pavane_line_fn on_line;
	void *ctx;
};

/* Whether this may be asked for, and by whom it is; if not, the reply says so. */
bool pv_service_admits(struct pv_service *service,
    const struct pv_exchange *exchange, unsigned scope, struct pv_who *who,
    struct pv_reply *reply);

/* Begins a session for a token; if there is none, the reply says so. */
bool pv_service_log_in(
    struct pv_service *service, struct pv_str token, struct pv_reply *reply);

/* The setup that holds now: the caller's, to be given back. */
struct pv_setup *pv_service_take_setup(struct pv_service *service);

bool pv_service_is_draining(const struct pv_service *service);

/* Whether there is a profile of that name; "" is the default. */
bool pv_service_has_profile(struct pv_service *service, struct pv_str name);

/* The policy of the crawl that single addresses of a profile are told to, with
 * that one as its seed; to be destroyed likewise. NULL if there is no such
 * profile. */
struct pavane_policy *pv_service_load_standing(
    struct pv_service *service, struct pv_str profile, struct pv_str url);

/* The policy of a job, to be destroyed, which tells what is wrong with it. */
struct pavane_policy *pv_service_load_policy(
    struct pv_service *service, const struct pv_job_record *job);

#endif
