#ifndef PAVANE_TESTS_SERVER_INSIDE_H
#define PAVANE_TESTS_SERVER_INSIDE_H

#include <pthread.h>

#include "server/loop.h"
#include "server/request_log.h"
#include "server/route.h"
#include "server/server.h"
#include "server/tls.h"

/* What the parts of the server share. All of it but the log belongs to its
 * thread while that runs. */
struct server {
	struct server_plan plan;
	struct loop loop;
	struct request_log log;
	struct visit_counts counts;
	pthread_t thread;
	struct listener *listeners;
	size_t listener_count;
	uint16_t port;
	uint16_t tls_port;
	struct tls tls;
	uint32_t *door_uses;       /* of each door of the plan */
	uint32_t connection_count; /* all that were accepted */
	struct connection *connections;
	char in[65536];      /* what was just received */
	struct pv_buf piece; /* of an answer, just made */
};

#endif
