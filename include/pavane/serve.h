#ifndef PAVANE_SERVE_H
#define PAVANE_SERVE_H

#include <stdbool.h>
#include <stddef.h>

#include "pavane/core.h"

/* The service of the program: `pavane serve`. It is no part of the library, and
 * this header is not installed. */
struct pavane_service;

struct pavane_serve_options {
	const char *file; /* "-" is the standard input; NULL: the defaults */
	const char *const *settings; /* KEY=VALUE */
	size_t setting_count;
	const char *config_dir; /* the user's configuration; NULL for none */
	int socket; /* that is listened on already, such as systemd's; negative:
		       as the configuration says */
	pavane_line_fn on_line; /* in any thread, one at a time */
	void *ctx;
};

/* Whether this program was built with the service; if not, it opens none. */
bool pavane_service_is_there(void);

/* Reads the configuration, and listens. NULL, with each reason given to on_line,
 * if that cannot be done. */
struct pavane_service *pavane_service_open(
    const struct pavane_serve_options *options);

/* "http://127.0.0.1:7117" or "unix:/run/pavane.sock". */
const char *pavane_service_address(const struct pavane_service *service);

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

/* The JSON Schema of configurations. */
void pavane_service_write_schema(pavane_write_fn write, void *ctx);

#endif
