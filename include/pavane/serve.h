#ifndef PAVANE_SERVE_H
#define PAVANE_SERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pavane/core.h"
#include "pavane/policy.h"

/* The service of the program: `pavane serve`. It is no part of the library, and
 * this header is not installed. */
struct pavane_service;

struct pavane_serve_options {
	const char *file; /* "-" is the standard input; NULL: the defaults */
	const char *const *settings; /* KEY=VALUE */
	size_t setting_count;
	const char *config_dir; /* the user's configuration; NULL for none */
	const char *credentials_dir; /* that systemd gives it; NULL for none */
	int socket; /* that is listened on already, such as systemd's; negative:
		       as the configuration says */
	pavane_line_fn on_line; /* in any thread, one at a time */
	void *ctx;
	bool *is_wrong; /* set where no service is opened: whether that is for a
			   mistake of the configuration; NULL: not told */
};

/* Whether this program was built with the service; if not, it opens none. */
bool pavane_service_is_there(void);

/* Reads the configuration, and listens. NULL, with each reason given to on_line,
 * if that cannot be done. */
struct pavane_service *pavane_service_open(
    const struct pavane_serve_options *options);

/* "http://127.0.0.1:7117" or "unix:/run/pavane.sock". */
const char *pavane_service_address(const struct pavane_service *service);

/* Reads the configuration again. What changes holds for what comes from then on,
 * but for its directory and where it listens. False, with each reason given to
 * on_line, if it is not right; then nothing changes. */
bool pavane_service_reload(
    struct pavane_service *service, const struct pavane_serve_options *options);

/* The time of a clock that never jumps (CLOCK_MONOTONIC). */
int64_t pavane_service_now_ms(void);

/* Whether its threads still do their work: each crawl goes round its loop, and jobs
 * are begun and ended. In any thread, one at a time, every minute or more often;
 * where a lock is not given back, it does not return. */
bool pavane_service_is_alive(struct pavane_service *service);

/* Takes no more jobs; those that run end what is in flight, and are continued by
 * the next service. The second call does not wait for it. */
void pavane_service_drain(struct pavane_service *service);

/* Waits for that; requests are answered meanwhile. */
void pavane_service_wait(struct pavane_service *service);

/* Waits as well; NULL is fine. */
void pavane_service_close(struct pavane_service *service);

/* The configuration with all defaults, and where each value comes from; false,
 * with each reason given to on_line, if it is not right. */
bool pavane_service_write_effective(const struct pavane_serve_options *options,
    pavane_write_fn write, void *ctx);

/* Sets `key` to the key of configurations of that number; false if there are
 * fewer. */
bool pavane_service_key_get(size_t index, struct pavane_key *key);

/* The part of the manual page that lists every key (in man(7) macros). */
void pavane_service_write_reference(pavane_write_fn write, void *ctx);

/* The JSON Schema of configurations. */
void pavane_service_write_schema(pavane_write_fn write, void *ctx);

#endif
