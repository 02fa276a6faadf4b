#ifndef PAVANE_AUDIT_ENTRY_H
#define PAVANE_AUDIT_ENTRY_H

#include "record/ledger.h"

/* A line of the journal (sink/journal_line.h), read again: as much of it as an
 * audit wants to know. Its texts belong to it until it is finished. */
struct pv_json;

struct pv_audit_entry {
	struct pv_json *value; /* owned */
	struct pv_str url;
	struct pv_str host;
	struct pv_str ip;        /* empty where none is known */
	struct pv_str digest;    /* of the body; empty where there was none */
	struct pv_str robots_of; /* where a robots.txt lies elsewhere */
	struct pv_ledger_entry request;
	int64_t attempt;
	int64_t held_ms;  /* of what it took, our own doing */
	int64_t worker;   /* of a fleet, or a merge; -1: nobody says */
	int64_t round;    /* of the address by itself; 0: its first */
	bool is_final;    /* the last word on its address */
	bool is_asked;    /* there was a request */
	bool is_answered; /* and its answer came whole, as far as wanted */
	bool is_success;  /* and that was all of it, with a status of 2xx */
	bool is_failure;  /* the server failed, or could not be reached ... */
	bool is_unreachable; /* ... with no connection being made */
};

/* False if the line is none of ours; there is nothing to be finished then. */
bool pv_audit_entry_read(struct pv_audit_entry *entry, struct pv_str line);
void pv_audit_entry_finish(struct pv_audit_entry *entry);

/* Reads "2026-03-01T09:30:00.250Z". */
bool pv_audit_time_read(struct pv_str text, int64_t *wall_ms);

#endif
