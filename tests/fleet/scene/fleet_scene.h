#ifndef PAVANE_TESTS_FLEET_SCENE_FLEET_SCENE_H
#define PAVANE_TESTS_FLEET_SCENE_FLEET_SCENE_H

#include <signal.h>

#include "fleet/cluster.h"
#include "fleet/scene/web.h"
#include "fleet/scene/worker.h"
#include "pavane/pavane.h"
#include "server/log_check.h"
#include "server/run_program.h"
#include "server/server.h"

/* Four workers that crawl a web of many hosts together, a PostgreSQL server by
 * which they meet, and what is said of it when all is over: by the log of the web's
 * server, and by the journals of all workers. What happens meanwhile is the test's.
 *
 * The claims are in fleet/scene/claims.h.
 *
 * PAVANE_FLEET_HOSTS is how many hosts there are, 200 where it is not set.
 */
#define FLEET_WORKERS 4
#define FLEET_DELAY_MS 400
#define FLEET_IP_DELAY_MS 100
#define FLEET_TOGETHER 4     /* hosts at each address */
#define FLEET_CONCURRENCY 40 /* of all workers together */
#define FLEET_TTL_MS 3000
#define FLEET_DRAIN_MS 2000
#define FLEET_STOP_GRACE_MS 2000

struct fleet_scene {
	struct home home;
	struct cluster cluster;
	struct web web;
	struct server *server;
	size_t reachable; /* pages */
	char url[300];    /* of PostgreSQL; the test may change it before the
			     start */
	int64_t ttl_ms;   /* of leases; the same */
	bool is_update;   /* what is started asks for one */
	const char *urls[FLEET_WORKERS]; /* where one has another; NULL */
	const char *const *environments[FLEET_WORKERS]; /* the same */
	pid_t workers[FLEET_WORKERS];                   /* 0: it has ended */
	unsigned merges;
};

/* Whether the machine lets it be: the word for tap_skip_all, or NULL. */
const char *fleet_scene_absence(void);

/* False if PostgreSQL cannot be made to run; then there is nothing to close. */
bool fleet_scene_open(struct fleet_scene *scene);

/* The same with another web, and a policy in which PORT stands for the port of its
 * server. `reachable` is the test's to set. */
bool fleet_scene_open_with(struct fleet_scene *scene, const char *policy,
    server_answer_fn answer, void *ctx);
void fleet_scene_close(struct fleet_scene *scene);

/* Writes the policy again, by which starts what starts from now on: what its scope
 * says besides, such as ", depth: 3", and lines at its end. */
void fleet_scene_set_policy(
    struct fleet_scene *scene, const char *scope, const char *more);

/* Starts those that do not run, in their directories. */
void fleet_scene_start(struct fleet_scene *scene);
void fleet_scene_start_one(struct fleet_scene *scene, unsigned number);

/* Waits until so many requests of a hundred came, of which each page needs one; false
 * if they do not. */
bool fleet_scene_reaches(struct fleet_scene *scene, unsigned percent);

/* kill -9. */
void fleet_scene_kill(struct fleet_scene *scene, unsigned number);

/* Whether all workers that run come to the end of the crawl. */
bool fleet_scene_ends(struct fleet_scene *scene);

/* The same, to such an end of their own. */
bool fleet_scene_ends_by(struct fleet_scene *scene, enum pavane_end end);

struct fleet_findings {
	struct log_gap gap;         /* the shortest of all hosts ... */
	struct log_gap address_gap; /* ... and of all addresses */
	size_t pages;               /* that were asked for at all */
	size_t page_repeats;
	size_t robots_repeats;
	size_t strays; /* requests for what there is not */
	size_t lines;  /* pages that have a final line in any journal ... */
	size_t line_repeats; /* ... and such lines beyond one for each */
};
struct fleet_findings fleet_scene_find(struct fleet_scene *scene);

/* Runs the program in the scene's home; its status, or -1 if it was killed. */
int fleet_scene_run(struct fleet_scene *scene, const char *const *arguments);
#define FLEET_RUN(scene, ...) \
	fleet_scene_run((scene), (const char *const[]){__VA_ARGS__, NULL})

/* What stands in a directory that was made of all workers'. */
struct fleet_merged {
	bool is_made;
	size_t addresses;   /* that are done, or left out */
	size_t final_lines; /* of its journal */
};
struct fleet_merged fleet_scene_merge(struct fleet_scene *scene);
struct fleet_merged fleet_scene_look(
    struct fleet_scene *scene, const char *directory);

/* Tells, as remarks, what the workers have said last. */
void fleet_scene_show(struct fleet_scene *scene);

/* How often the workers' logs have that text. */
size_t fleet_scene_says(struct fleet_scene *scene, const char *text);

int64_t fleet_scene_now_ms(void);
void fleet_scene_rest(int64_t ms);

#endif
