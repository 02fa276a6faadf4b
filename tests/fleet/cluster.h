#ifndef PAVANE_TESTS_FLEET_CLUSTER_H
#define PAVANE_TESTS_FLEET_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A PostgreSQL server of the test's own: made by initdb in a directory of its own,
 * run by a user that is not root, reached by a socket there and by a free port of
 * 127.0.0.1, with fsync as in earnest. It takes two seconds to make, so that a
 * test has one, or a second one as its standby.
 *
 * It ends with the test, however that ends. Its user is "pavane", and each program
 * of this machine may log in. What goes wrong is in its log, which is printed.
 */
struct cluster {
	char directory[160]; /* data, log and socket */
	uint16_t port;
	pid_t postmaster; /* 0: it does not run */
	pid_t network;    /* in which it runs (line/network.h); 0: the test's */
};

/* Whether PostgreSQL is there: the word for tap_skip_all, or NULL. */
const char *cluster_absence(void);

/* Makes it, with a database "crawls", and starts it. False, with remarks, if that
 * fails; then there is nothing to remove. */
bool cluster_make(struct cluster *cluster);

/* Makes a copy of one that runs, which follows it, and starts it. Under
 * `is_synchronous` the primary waits for it at each commit from then on. */
bool cluster_follow(struct cluster *standby, const struct cluster *primary,
    bool is_synchronous);

/* It becomes a primary, on a timeline of its own. */
bool cluster_promote(const struct cluster *standby);

/* Waits until it takes connections. */
bool cluster_start(struct cluster *cluster);

/* As an operator stops it: who is connected is thrown out. */
void cluster_stop(struct cluster *cluster);

/* As a loss of power ends it, but for what the system still writes. */
void cluster_kill(struct cluster *cluster);

/* All of its processes stand still, and go on. */
void cluster_freeze(const struct cluster *cluster);
void cluster_thaw(const struct cluster *cluster);

/* Stopped at once, and its directory removed. */
void cluster_remove(struct cluster *cluster);

/* The URL by its socket, or by its port; until the next call. */
const char *cluster_url(const struct cluster *cluster);
const char *cluster_port_url(const struct cluster *cluster);

/* Runs SQL by a connection of its own, and gives the first field of the last
 * result, until the next call; NULL, with a remark, if it fails. */
const char *cluster_ask(const struct cluster *cluster, const char *sql);

/* The processor's time that all of its processes have taken, also those that have
 * ended. */
double cluster_cpu_ms(const struct cluster *cluster);

/* Changes a setting of the server, and reads its configuration again. */
bool cluster_set(
    const struct cluster *cluster, const char *setting, const char *value);

#endif
