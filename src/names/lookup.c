#include "names/lookup.h"

#include <stdlib.h>

#include <uv.h>

#include "base/alloc.h"

/* Both questions and the timer: each has to have ended before the memory may
 * go, whatever became of the look-up. */
#define PARTS 3

/* What became of one of the questions. */
struct half {
	struct pv_lookup *lookup;
	bool is_answered;
	enum pv_reply_kind kind;
	const char *why;
};

struct pv_lookup {
	uv_timer_t timer;
	const struct pv_names_limits *limits;
	struct pv_gathering *gathering;
	pv_lookup_fn on_end;
	void *ctx;
	struct half v4;
	struct half v6;
	unsigned parts;
	bool is_asked; /* both questions are out */
	bool is_over;
};

static void end_part(struct pv_lookup *lookup)
{
	if (--lookup->parts == 0)
		free(lookup);
}

static void on_closed(uv_handle_t *timer)
{
	end_part(timer->data);
}

void pv_lookup_drop(struct pv_lookup *lookup)
{
	lookup->is_over = true;
	uv_close((uv_handle_t *)&lookup->timer, on_closed);
}

static bool is_definite(const struct half *half)
{
	return half->is_answered && half->kind != PV_REPLY_FAILED;
}

static void tell(
    struct pv_lookup *lookup, enum pv_name_result otherwise, const char *why)
{
	pv_lookup_fn on_end = lookup->on_end;
	void *ctx = lookup->ctx;
	pv_lookup_drop(lookup);
	on_end(ctx, otherwise, why);
}

/* There are name servers that deny a name when asked for its IPv6 addresses,
 * though it has others (RFC 4074, 4.2): whether the name exists is for the
 * other answer to say. */
static void end(struct pv_lookup *lookup)
{
	const struct half *v4 = &lookup->v4;
	const struct half *v6 = &lookup->v6;
	const struct half *failed = is_definite(v4) ? v6 : v4;
	if (is_definite(v4) && v4->kind == PV_REPLY_NO_NAME) {
		tell(lookup, PV_NAME_UNKNOWN, "the name does not exist");
	} else if (is_definite(v4) && is_definite(v6)) {
		tell(lookup, PV_NAME_UNKNOWN, "the name has no address");
	} else if (failed->is_answered) {
		tell(lookup, PV_NAME_NO_ANSWER, failed->why);
	} else {
		tell(lookup, PV_NAME_NO_ANSWER, PV_REPLY_TOO_LATE);
	}
}

static void on_timer(uv_timer_t *timer)
{
	end(timer->data);
}

/* The timer is set to the deadline, and never to later than it was. */
static void end_within(struct pv_lookup *lookup, int64_t time_ms)
{
	if (uv_timer_get_due_in(&lookup->timer) > (uint64_t)time_ms)
		uv_timer_start(&lookup->timer, on_timer, (uint64_t)time_ms, 0);
}

/* Sees whether it is over, or soon will be. */
static void proceed(struct pv_lookup *lookup)
{
	if (lookup->v4.is_answered && lookup->v6.is_answered)
		end(lookup);
	else if (is_definite(&lookup->v4) &&
		 lookup->v4.kind != PV_REPLY_NO_DATA)
		end_within(lookup, lookup->limits->patience_ms);
}

static void gather(struct pv_gathering *gathering, const struct pv_reply *reply)
{
	if (reply->kind != PV_REPLY_ADDRESSES)
		return;
	for (size_t i = 0; i < reply->count; i++)
		pv_gathering_add(gathering, &reply->addresses[i]);
	pv_gathering_add_ttl(gathering, reply->ttl_s);
}

static void on_reply(void *ctx, const struct pv_reply *reply)
{
	struct half *half = ctx;
	struct pv_lookup *lookup = half->lookup;
	half->is_answered = true;
	half->kind = reply->kind;
	half->why = reply->why;
	if (!lookup->is_over)
		gather(lookup->gathering, reply);
	if (!lookup->is_over && lookup->is_asked)
		proceed(lookup);
	end_part(lookup);
}

struct pv_lookup *pv_lookup_start(struct pv_channel *channel,
    const struct pv_names_limits *limits, struct pv_gathering *gathering,
    pv_lookup_fn on_end, void *ctx)
{
	uv_loop_t *loop = pv_channel_loop(channel);
	struct pv_lookup *lookup = pv_alloc(sizeof(*lookup));
	struct pv_buf name;
	*lookup = (struct pv_lookup){
	    .limits = limits,
	    .gathering = gathering,
	    .on_end = on_end,
	    .ctx = ctx,
	    .v4.lookup = lookup,
	    .v6.lookup = lookup,
	    .parts = PARTS,
	};
	uv_timer_init(loop, &lookup->timer);
	lookup->timer.data = lookup;
	pv_buf_init(&name, gathering->host.len);
	pv_buf_append(&name, gathering->host);
	pv_channel_ask(channel, pv_buf_text(&name), 32, on_reply, &lookup->v4);
	pv_channel_ask(channel, pv_buf_text(&name), 128, on_reply, &lookup->v6);
	pv_buf_finish(&name);
	lookup->is_asked = true;
	/* Where questions cannot even be sent, both have ended already. */
	bool is_answered = lookup->v4.is_answered && lookup->v6.is_answered;
	uv_timer_start(&lookup->timer, on_timer,
	    is_answered ? 0 : (uint64_t)limits->deadline_ms, 0);
	return lookup;
}
