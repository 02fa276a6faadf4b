#ifndef PAVANE_CRAWL_RUN_FLEET_NOTES_H
#define PAVANE_CRAWL_RUN_FLEET_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

/* What a fleet's worker hears of the hosts that it takes over, beside their rows
 * (frontier/sqlite/handover_notes.h). `ctx` is the crawl; but for wants_site, on the
 * writer's thread. */
struct pv_database;
struct pv_trap_body;
struct pv_trap_host;
struct pv_trap_session;
struct pv_voucher;

/* Of these hosts, by the hashes of their names which are sorted, nothing is counted
 * but what comes now. */
void pv_fleet_notes_forget(void *ctx, const uint64_t *hosts, size_t count);
void pv_fleet_notes_put_bodies(void *ctx, const struct pv_trap_body *body);
bool pv_fleet_notes_wants_site(void *ctx, struct pv_str host, uint64_t *site);
void pv_fleet_notes_put_host(void *ctx, const struct pv_trap_host *host);
void pv_fleet_notes_put_voucher(
    void *ctx, struct pv_database *database, const struct pv_voucher *voucher);
void pv_fleet_notes_put_session(
    void *ctx, const struct pv_trap_session *session);

#endif
