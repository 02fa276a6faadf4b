#ifndef PAVANE_AUDIT_MEMORY_H
#define PAVANE_AUDIT_MEMORY_H

#include "audit/request.h"
#include "base/why.h"
#include "store/database.h"

/* All requests of a journal, to be gone through in one order or another.
 *
 * A journal may have more of them than fit into memory, so they stand in a
 * database without a name, which spills into a temporary file and ends with the
 * connection that opened it.
 */
struct pv_audit_memory {
	struct pv_database *database;
	struct pv_statement *add;
	struct pv_statement *ask;
};

/* In each order, those of a run stand together, by their release; in those of
 * all workers they are as they were released by the server's time, once that is
 * set (pv_audit_memory_order). */
enum pv_audit_order {
	PV_AUDIT_BY_TIME,
	PV_AUDIT_BY_HOST,
	PV_AUDIT_BY_CLOCK,
	PV_AUDIT_BY_ADDRESS,   /* those of which it is known */
	PV_AUDIT_BY_AUTHORITY, /* of all */
	PV_AUDIT_BY_TIME_OF_ALL,
	PV_AUDIT_BY_CLOCK_OF_ALL,
	PV_AUDIT_BY_ADDRESS_OF_ALL,
	PV_AUDIT_ORDER_COUNT,
};

struct pv_audit_promise;

/* Faults are the database's. */
void pv_audit_memory_open(struct pv_audit_memory *memory);
void pv_audit_memory_close(struct pv_audit_memory *memory);

void pv_audit_memory_add(struct pv_audit_memory *memory,
    const struct pv_audit_request *request,
    const struct pv_audit_promise *promise);

/* A Crawl-delay was in force for the request of that line. */
void pv_audit_memory_ask(
    struct pv_audit_memory *memory, int64_t line, int64_t asked_ms);

/* Says of all that were added when each was released by the server's time, so
 * that what several workers did comes in its order; within a run that is as the
 * run had it. Without this all runs come one after the other. */
void pv_audit_memory_order(struct pv_audit_memory *memory);

typedef void (*pv_audit_request_fn)(
    void *ctx, const struct pv_audit_request *request);

/* Calls it with each; texts are valid for the call. */
void pv_audit_memory_walk(struct pv_audit_memory *memory,
    enum pv_audit_order order, pv_audit_request_fn on_request, void *ctx);

/* The ends of all requests of a run, in their order. */
struct pv_audit_ends;
struct pv_audit_ends *pv_audit_memory_ends(
    struct pv_audit_memory *memory, int64_t run);

/* NULL is fine. */
void pv_audit_ends_close(struct pv_audit_ends *ends);

/* The next one; false after the last. */
bool pv_audit_ends_next(struct pv_audit_ends *ends, int64_t *end_ms);

#endif
