#ifndef PAVANE_SERVE_CONFIG_WEBHOOK_TABLE_H
#define PAVANE_SERVE_CONFIG_WEBHOOK_TABLE_H

#include <stdint.h>

#include "policy/document/origin.h"
#include "policy/values/texts.h"

/* The programs that the service tells of its jobs, by their names: `webhooks` of
 * its configuration, in which each entry has keys of its own. Jobs and fetches name
 * an entry; nobody but the owner of the configuration gives addresses. */
#define PV_WEBHOOK_SECRETS_MAX 2
#define PV_WEBHOOKS_MAX 100

/* What a webhook hears of, as bits. */
enum pv_webhook_events {
	PV_WEBHOOK_STATES = 1,  /* of a job */
	PV_WEBHOOK_JOURNAL = 2, /* its lines */
	PV_WEBHOOK_ROWS = 4,    /* lines of each kind of pages */
	PV_WEBHOOK_FETCHES = 8, /* single addresses that have ended */
};

struct pv_webhook {
	const char *name;
	const char *url;
	struct pv_texts secrets;  /* one or two: "whsec_" and base 64 */
	const char *secrets_file; /* that they were read from; NULL for none */
	unsigned events;          /* of enum pv_webhook_events */
	int64_t retry_for_ms;     /* PV_NONE: for ever */
	struct pv_texts allow; /* policy/values/host_pattern.h: private hosts */
	struct pv_origin *origins;
};

struct pv_webhook_table {
	struct pv_webhook *items;
	size_t count;
};

struct pv_kind;
extern const struct pv_kind pv_kind_webhooks; /* struct pv_webhook_table */

#endif
