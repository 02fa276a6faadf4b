#ifndef PAVANE_AUDIT_REPORT_H
#define PAVANE_AUDIT_REPORT_H

#include "audit/evidence.h"

/* What an audit has found, as a table that could be sent to a webmaster, or as
 * one line of JSON. Texts from the web are made visible. */
typedef void (*pv_audit_write_fn)(void *ctx, const char *text, size_t len);

struct pv_audit_report {
	struct pv_audit *audit;
	struct pv_str host; /* the only one to report, in more detail;
			       empty: all */
	pv_audit_write_fn write;
	void *ctx;
};

/* Whether such a host was ever asked for anything. */
bool pv_audit_knows(const struct pv_audit *audit, struct pv_str host);

/* How many promises to whom the report is about were broken. */
uint64_t pv_audit_broken(const struct pv_audit_report *report);

/* For who writes it: hands out what has gathered; whether it is about that host,
 * or about all of them; and what that is called. */
void pv_audit_report_flush(
    const struct pv_audit_report *report, struct pv_buf *buf);
bool pv_audit_report_tells(const struct pv_audit_report *report, uint32_t host);
struct pv_str pv_audit_report_name(const struct pv_audit *audit, uint32_t host);

/* Of one host, or of a promise that was broken. */
#define PV_AUDIT_TEXT_MAX ((size_t)1 << 20)

void pv_audit_write_text(const struct pv_audit_report *report);
void pv_audit_write_json(const struct pv_audit_report *report);

#endif
