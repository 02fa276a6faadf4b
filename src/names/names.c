#include "names/names.h"

#include <stdlib.h>

#include <uv.h>

#include "base/alloc.h"
#include "loop/clock.h"
#include "names/known_hosts.h"
#include "names/lookup.h"
#include "names/name_cache.h"
#include "names/wanted.h"

/* A host that somebody wants is answered at once, if nobody has to be asked, or
 * waits its turn to be looked up; answers wait to be delivered. All that
 * happens in turns of the loop, a bounded number at a time, so that the
 * receiver of an answer may call any function here: the look-ups' own callbacks
 * only take notes.
 *
 * A channel to the name servers is open while there is something to ask, and
 * opened anew after failures in a row: a machine that has moved to another
 * network has other name servers.
 */
struct pv_names {
	const struct pv_policy *policy;
	struct pv_names_limits limits;
	uv_loop_t *loop;
	const struct pv_clock_kind *clock_kind;
	const struct pv_clock *clock;
	uv_idle_t turn;
	struct pv_vetting vetting;
	struct pv_known_hosts known;
	struct pv_name_cache cache;
	struct pv_wanted_table wanted;
	struct pv_line waiting;
	struct pv_line answered;
	struct pv_wanted *told; /* the one that is being told; not in the
				   table */
	struct pv_channel *channel;
	uint32_t asked_count;
	uint32_t failures; /* in a row */
	bool is_over;
};

/* After this part of the deadline a name server is asked again, and then has
 * twice as long: a second try ends with the deadline. */
#define FIRST_TRY_PART 3

/* Beginning and ending. */

struct pv_names *pv_names_create(uv_loop_t *loop,
    const struct pv_policy *policy, const struct pv_clock_kind *clock_kind,
    const struct pv_clock *clock)
{
	return pv_names_create_by(
	    loop, policy, &pv_names_limits_usual, clock_kind, clock);
}

struct pv_names *pv_names_create_by(uv_loop_t *loop,
    const struct pv_policy *policy, const struct pv_names_limits *limits,
    const struct pv_clock_kind *clock_kind, const struct pv_clock *clock)
{
	struct pv_names *names = pv_alloc(sizeof(*names));
	struct pv_hash_key key = {{0}};
	/* Where the system has no randomness, a stranger can make names
	 * collide, which costs time and nothing else. */
	(void)uv_random(NULL, NULL, &key, sizeof(key), 0, NULL);
	names->policy = policy;
	names->limits = *limits;
	names->loop = loop;
	names->clock_kind = clock_kind;
	names->clock = clock;
	uv_idle_init(loop, &names->turn);
	names->turn.data = names;
	pv_known_hosts_init(&names->known, policy, limits->hosts_path);
	pv_vetting_init(&names->vetting, policy, &names->known.resolve);
	pv_name_cache_init(&names->cache, limits->kept_max, key);
	pv_wanted_table_init(&names->wanted, key);
	return names;
}

static void on_closed(uv_handle_t *turn)
{
	free(turn->data);
}

static void drop_lookups(struct pv_names *names)
{
	for (size_t i = 0; i < names->wanted.hosts.count; i++) {
		const struct pv_wanted *wanted = PV_WHOLE(
		    struct pv_wanted, named, names->wanted.hosts.items[i]);
		if (wanted->lookup)
			pv_lookup_drop(wanted->lookup);
	}
}

void pv_names_destroy(struct pv_names *names)
{
	if (!names)
		return;
	names->is_over = true;
	drop_lookups(names);
	pv_channel_close(names->channel);
	if (names->told)
		pv_wanted_clear(&names->wanted, names->told);
	pv_wanted_table_finish(&names->wanted);
	pv_name_cache_finish(&names->cache);
	pv_vetting_finish(&names->vetting);
	pv_known_hosts_finish(&names->known);
	uv_close((uv_handle_t *)&names->turn, on_closed);
}

/* What is known. */

static int64_t now_of(const struct pv_names *names)
{
	return names->clock_kind->now(names->clock).monotonic_ms;
}

void pv_names_add_named(struct pv_names *names, struct pv_str host)
{
	pv_vetting_add_named(&names->vetting, host);
	pv_name_cache_expire(&names->cache, host);
}

const struct pv_name_answer *pv_names_get(
    struct pv_names *names, struct pv_str host)
{
	return pv_name_cache_get(&names->cache, host, now_of(names));
}

uint32_t pv_names_count(const struct pv_names *names)
{
	return (uint32_t)names->wanted.hosts.count;
}

/* Answering. */

static void on_turn(uv_idle_t *turn);

static void wake(struct pv_names *names)
{
	uv_idle_start(&names->turn, on_turn);
}

/* The answer is there but for its times. */
static void on_answered(struct pv_names *names, struct pv_wanted *wanted)
{
	struct pv_name_answer *answer = &wanted->answer;
	answer->kept_until =
	    now_of(names) + pv_names_limits_kept_ms(&names->limits,
				answer->result, wanted->gathering.ttl_s);
	wanted->is_answered = true;
	pv_line_add(&names->answered, &wanted->link);
	wake(names);
}

static void on_lookup_end(
    void *ctx, enum pv_name_result otherwise, const char *why)
{
	struct pv_wanted *wanted = ctx;
	struct pv_names *names = wanted->names;
	pv_gathering_answer(
	    &wanted->gathering, otherwise, why, &wanted->answer);
	wanted->answer.took_ms = now_of(names) - wanted->asked_at;
	wanted->lookup = NULL;
	names->asked_count--;
	names->failures = wanted->answer.result == PV_NAME_NO_ANSWER
			      ? names->failures + 1
			      : 0;
	on_answered(names, wanted);
}

static void ask(struct pv_names *names, struct pv_wanted *wanted)
{
	if (!names->channel)
		names->channel = pv_channel_open(names->loop,
		    &names->policy->fetch.name_servers,
		    names->limits.deadline_ms / FIRST_TRY_PART);
	wanted->asked_at = now_of(names);
	names->asked_count++;
	wanted->lookup = pv_lookup_start(names->channel, &names->limits,
	    &wanted->gathering, on_lookup_end, wanted);
}

/* The first of a line, which it leaves. */
static struct pv_wanted *pop(struct pv_line *line)
{
	struct pv_wanted *wanted =
	    PV_WHOLE(struct pv_wanted, link, line->first);
	pv_line_remove(line, &wanted->link);
	return wanted;
}

/* Tells all who wait for an answer; one of them may end it all. False if that
 * was so. */
static bool tell(struct pv_names *names, struct pv_wanted *wanted)
{
	pv_name_cache_put(&names->cache, wanted->named.name, &wanted->answer);
	pv_wanted_take(&names->wanted, wanted);
	names->told = wanted;
	while (pv_wanted_tell(&names->wanted, wanted))
		;
	names->told = NULL;
	pv_wanted_destroy(&names->wanted, wanted);
	return !names->is_over;
}

static bool is_stale(const struct pv_names *names)
{
	return names->failures >= names->limits.failures_max;
}

static bool may_ask(const struct pv_names *names)
{
	return names->waiting.first &&
	       names->asked_count < names->limits.asked_max &&
	       (!is_stale(names) || !names->asked_count);
}

/* A channel on which nothing is asked and nothing will be, or none that
 * helps. */
static void close_idle(struct pv_names *names)
{
	if (names->asked_count || (names->waiting.first && !is_stale(names)))
		return;
	pv_channel_close(names->channel);
	names->channel = NULL;
	names->failures = 0;
}

static void on_turn(uv_idle_t *turn)
{
	struct pv_names *names = turn->data;
	uint32_t told = 0;
	while (names->answered.first && told++ < names->limits.turn_max) {
		if (!tell(names, pop(&names->answered)))
			return;
	}
	close_idle(names);
	for (uint32_t i = 0; i < names->limits.turn_max && may_ask(names); i++)
		ask(names, pop(&names->waiting));
	if (!names->answered.first && !may_ask(names))
		uv_idle_stop(turn);
}

/* Wanting. */

static void want(struct pv_names *names, struct pv_str host)
{
	struct pv_wanted *wanted = pv_wanted_add(&names->wanted, host);
	wanted->names = names;
	pv_gathering_init(&wanted->gathering, &names->vetting,
	    wanted->named.name, pv_name_cache_first(&names->cache, host));
	if (pv_known_hosts_answer(
		&names->known, &wanted->gathering, &wanted->answer)) {
		on_answered(names, wanted);
		return;
	}
	pv_line_add(&names->waiting, &wanted->link);
	wake(names);
}

void pv_names_find(
    struct pv_names *names, struct pv_str host, pv_name_fn on_answer, void *ctx)
{
	if (!pv_wanted_get(&names->wanted, host))
		want(names, host);
	pv_wanted_add_request(&names->wanted,
	    pv_wanted_get(&names->wanted, host), on_answer, ctx);
}

/* What waits its turn and is wanted by nobody any more is not asked for. */
static void drop_unwanted(struct pv_names *names, struct pv_wanted *wanted)
{
	if (wanted->requests.first || wanted->lookup || wanted->is_answered)
		return;
	pv_line_remove(&names->waiting, &wanted->link);
	pv_wanted_take(&names->wanted, wanted);
	pv_wanted_destroy(&names->wanted, wanted);
}

void pv_names_forget(struct pv_names *names, const void *ctx)
{
	struct pv_wanted *wanted;
	while ((wanted = pv_wanted_forget(&names->wanted, ctx)))
		drop_unwanted(names, wanted);
}

const struct pv_names_kind pv_real_names = {
    .create = pv_names_create,
    .destroy = pv_names_destroy,
    .add_named = pv_names_add_named,
    .get = pv_names_get,
    .find = pv_names_find,
    .forget = pv_names_forget,
    .count = pv_names_count,
};
