#ifndef PAVANE_SERVE_ACCESS_SESSIONS_H
#define PAVANE_SERVE_ACCESS_SESSIONS_H

#include "base/digest.h"

/* Sessions of browsers, which are not to keep a token: random names that stand
 * for the token that began them, for some hours. They are kept in memory alone,
 * and only as digests. When there are too many, the oldest goes. All functions
 * may be called on any thread. */
#define PV_SESSIONS_MAX 1000
#define PV_SESSION_ID_SIZE 65 /* 64 hexadecimal digits and a NUL */
#define PV_SESSION_MS ((int64_t)12 * 60 * 60 * 1000)

struct pv_sessions;

struct pv_sessions *pv_sessions_create(int64_t lifetime_ms);
void pv_sessions_destroy(struct pv_sessions *sessions);

/* Begins one for the token of that digest and gives its name; false if the
 * system has no random bytes. */
bool pv_sessions_begin(struct pv_sessions *sessions,
    const uint8_t token[PV_DIGEST_SIZE], int64_t now,
    char id[PV_SESSION_ID_SIZE]);

/* Gives the digest of the token; false if there is no such session. */
bool pv_sessions_find(struct pv_sessions *sessions, struct pv_str id,
    int64_t now, uint8_t token[PV_DIGEST_SIZE]);

/* Nothing happens if there is no such session. */
void pv_sessions_end(struct pv_sessions *sessions, struct pv_str id);

#endif
