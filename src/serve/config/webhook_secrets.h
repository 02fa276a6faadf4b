#ifndef PAVANE_SERVE_CONFIG_WEBHOOK_SECRETS_H
#define PAVANE_SERVE_CONFIG_WEBHOOK_SECRETS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/why.h"
#include "policy/values/texts.h"

/* Secrets that webhooks are signed with: "whsec_" and 24 to 64 bytes in base 64,
 * as Standard Webhooks writes them. */
#define PV_WEBHOOK_SECRET_MAX 64

/* Appends the bytes of a secret; NULL, or what is wrong with it, which does not
 * repeat it. */
const char *pv_webhook_secret_read(struct pv_str text, struct pv_buf *bytes);

/* Reads a file of them, a line each, which nobody but its owner may be able to
 * read. False, with the reason, if there are not one or two. */
bool pv_webhook_secrets_load(const char *path, struct pv_arena *arena,
    struct pv_texts *secrets, struct pv_why *why);

#endif
