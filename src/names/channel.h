#ifndef PAVANE_NAMES_CHANNEL_H
#define PAVANE_NAMES_CHANNEL_H

#include "names/reply.h"
#include "policy/values/texts.h"

/* Name servers, asked by c-ares on the loop.
 *
 * It keeps one question's tries, servers, truncated answers and wrong ones to
 * itself; the caller sees its end. The system's name servers are read when a
 * channel opens, so one that is open for long knows nothing of a change.
 */
struct uv_loop_s;
struct pv_channel;

/* The reply is borrowed for the call, which may come within pv_channel_ask. */
typedef void (*pv_reply_fn)(void *ctx, const struct pv_reply *reply);

/* `servers` are those to ask (fetch.name_servers); none: the system's. Each is
 * asked twice, and first waited for so long. Where c-ares cannot begin, every
 * question fails. */
struct pv_channel *pv_channel_open(
    struct uv_loop_s *loop, const struct pv_texts *servers, int64_t try_ms);

/* All that is asked is dropped, and told so; memory goes when the loop has run
 * its closing callbacks. NULL is fine. Not within a reply. */
void pv_channel_close(struct pv_channel *channel);

struct uv_loop_s *pv_channel_loop(const struct pv_channel *channel);

/* Asks for a name's addresses: of 32 or of 128 bits. A name without any dot is
 * sought in the system's search domains, as people on a local network mean
 * it. */
void pv_channel_ask(struct pv_channel *channel, const char *name, int bits,
    pv_reply_fn on_reply, void *ctx);

#endif
