#ifndef PAVANE_SERVE_WEBHOOKS_SIGNATURE_H
#define PAVANE_SERVE_WEBHOOKS_SIGNATURE_H

#include <stdint.h>

#include "base/buf.h"
#include "policy/values/texts.h"

/* How the receiver of a delivery knows that we sent it, after the Standard
 * Webhooks specification (https://www.standardwebhooks.com/): HMAC-SHA256 of
 * "ID.TIMESTAMP.BODY" under a secret that both know. */

/* Appends the value of webhook-signature: "v1," and base 64, once for each
 * secret (serve/config/webhook_secrets.h), with a blank between them. The time is
 * in seconds since 1970. */
void pv_webhook_sign(const struct pv_texts *secrets, struct pv_str id,
    int64_t time_s, struct pv_str body, struct pv_buf *signature);

#endif
