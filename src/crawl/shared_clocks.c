#include "crawl/shared_clocks.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "crawl/clock_file.h"
#include "crawl/clock_turn.h"
#include "schedule/wait.h"

/* A clock that has been quiet for so long may be given up. */
#define QUIET_MS 10000

/* Before any request that anybody remembers. */
#define LONG_AGO (INT64_MIN / 4)

/* Nobody waits longer than that (schedule/host_clock.c); and what was written
 * down as just now lies no more than a millisecond ahead, but for a loop that
 * was held up. What is beyond is damage. */
#define WAIT_MAX_MS (INT64_C(3651) * 24 * 3600 * 1000)
#define AHEAD_MAX_MS 60000

/* How often to look whether a bucket is free: who has it needs it for less
 * than a microsecond, unless the system has put them aside. */
#define TRIES 100

/* After so long to see whether the crawl whose turn it is is still there. */
#define LOOK_MS 1000

struct pv_shared_clocks {
	struct pv_clock_file file;
};

struct pv_shared_clocks *pv_shared_clocks_open(
    const char *directory, const char *boot_id, struct pv_why *why)
{
	struct pv_clock_file file = {.fd = -1};
	if (!pv_clock_file_open(&file, directory, boot_id, why))
		return NULL;
	struct pv_shared_clocks *clocks = pv_alloc(sizeof(*clocks));
	clocks->file = file;
	return clocks;
}

void pv_shared_clocks_close(struct pv_shared_clocks *clocks)
{
	if (!clocks)
		return;
	pv_clock_file_close(&clocks->file);
	free(clocks);
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static void raise_to(_Atomic int64_t *time, int64_t value)
{
	int64_t found = *time;
	while (
	    found < value && !atomic_compare_exchange_weak(time, &found, value))
		;
}

/* Buckets */

/* A crawl that ended while it had a bucket left nothing there that is wrong:
 * each step leaves it as good as before. We have none when we ask for one. */
static bool take_bucket(
    const struct pv_clock_file *file, struct pv_clock_bucket *bucket)
{
	uint32_t found = 0;
	for (int i = 0; i < TRIES; i++) {
		found = 0;
		if (atomic_compare_exchange_strong(
			&bucket->taken_by, &found, file->number))
			return true;
	}
	bool is_over = found == file->number || !pv_clock_file_has(file, found);
	return is_over && atomic_compare_exchange_strong(
			      &bucket->taken_by, &found, file->number);
}

static void leave_bucket(struct pv_clock_bucket *bucket)
{
	bucket->taken_by = 0;
}

/* Slots, whose bucket is ours */

static int64_t last_of(const struct pv_clock_slot *slot)
{
	return larger(slot->last_start, slot->last_end);
}

/* What a crawl left open that is over: it may have ended only now, which is by
 * the end of this millisecond. */
static void bury(
    struct pv_clock_slot *slot, struct pv_clock_holder *holder, int64_t now)
{
	raise_to(&slot->last_start, now + 1);
	raise_to(&slot->last_end, now + 1);
	raise_to(&slot->next, pv_rest_end(now + 1, slot->rest_ms));
	holder->number = 0;
	holder->connecting = 0;
	holder->open = 0;
}

static void bury_all(const struct pv_clock_file *file,
    struct pv_clock_slot *slot, bool is_after_boot, int64_t now)
{
	for (int i = 0; i < PV_CLOCK_HOLDERS; i++) {
		struct pv_clock_holder *holder = &slot->holders[i];
		if (holder->open &&
		    (is_after_boot || !pv_clock_file_has(file, holder->number)))
			bury(slot, holder, now);
	}
}

/* How long ago something was by the wall clock, which may have been set in
 * between, as a time of this boot. What lies between both clocks is one
 * millisecond more or less from look to look (schedule/saved_clock.h): no wait
 * is to end too soon by that. */
static int64_t translated(int64_t time, int64_t to_wall_ms, struct pv_time now)
{
	int64_t ago_ms = now.wall_ms - (time + to_wall_ms + 1);
	return time == LONG_AGO ? LONG_AGO
				: now.monotonic_ms - larger(0, ago_ms);
}

static void translate(struct pv_clock_slot *slot, struct pv_time now)
{
	int64_t wait_ms = slot->next - last_of(slot);
	int64_t left_ms = slot->next + slot->to_wall_ms + 1 - now.wall_ms;
	int64_t to_wall_ms = slot->to_wall_ms;
	slot->last_start = translated(slot->last_start, to_wall_ms, now);
	slot->last_end = translated(slot->last_end, to_wall_ms, now);
	slot->next = now.monotonic_ms + larger(0, smaller(left_ms, wait_ms));
	slot->turn_number = 0;
}

static bool is_far(int64_t time)
{
	return time < LONG_AGO || time > -LONG_AGO;
}

/* What nobody would write. */
static bool is_damaged(const struct pv_clock_slot *slot)
{
	return is_far(slot->last_start) || is_far(slot->last_end) ||
	       is_far(slot->next) || is_far(slot->to_wall_ms) ||
	       is_far(slot->turn_since) || is_far(slot->turn_at) ||
	       slot->next - last_of(slot) > WAIT_MAX_MS;
}

/* As if it had been asked just now. */
static void repair(struct pv_clock_slot *slot, int64_t now)
{
	slot->last_start = now;
	slot->last_end = now;
	slot->rest_ms = (uint32_t)smaller(slot->rest_ms, QUIET_MS);
	slot->next = now + slot->rest_ms;
	slot->turn_number = 0;
	slot->turn_since = now;
	slot->turn_at = now;
}

/* Makes what a slot says true of this boot and of the crawls that are there. */
static void refresh(const struct pv_clock_file *file,
    struct pv_clock_slot *slot, struct pv_time now)
{
	bool is_after_boot = slot->boot != file->boot;
	if (is_damaged(slot))
		repair(slot, now.monotonic_ms);
	else if (is_after_boot)
		translate(slot, now);
	else if (last_of(slot) > now.monotonic_ms + AHEAD_MAX_MS)
		repair(slot, now.monotonic_ms);
	bury_all(file, slot, is_after_boot, now.monotonic_ms);
	slot->to_wall_ms = now.wall_ms - now.monotonic_ms;
	slot->boot = file->boot;
}

static bool is_held(const struct pv_clock_slot *slot)
{
	for (int i = 0; i < PV_CLOCK_HOLDERS; i++) {
		if (slot->holders[i].open)
			return true;
	}
	return false;
}

static bool is_quiet(const struct pv_clock_slot *slot, int64_t now)
{
	return !is_held(slot) && slot->next <= now &&
	       last_of(slot) + larger(slot->rest_ms, QUIET_MS) <= now;
}

/* Finding */

static void start_anew(const struct pv_clock_file *file,
    struct pv_clock_slot *slot, struct pv_time now)
{
	bury_all(file, slot, false, now.monotonic_ms);
	slot->is_shared = false;
	slot->turn_number = 0;
	slot->next = LONG_AGO;
	slot->last_start = LONG_AGO;
	slot->last_end = LONG_AGO;
	slot->rest_ms = 0;
	slot->to_wall_ms = now.wall_ms - now.monotonic_ms;
	slot->boot = file->boot;
}

/* The place for a new name: a free one, or else that of the clock that has been
 * quiet for the longest time; PV_CLOCK_SLOTS if all are in use. */
static unsigned find_room(const struct pv_clock_file *file,
    struct pv_clock_bucket *bucket, struct pv_time now)
{
	unsigned found = PV_CLOCK_SLOTS;
	for (unsigned i = 0; i < PV_CLOCK_SLOTS; i++) {
		struct pv_clock_slot *slot = &bucket->slots[i];
		if (!bucket->names[i])
			return i;
		refresh(file, slot, now);
		if (is_quiet(slot, now.monotonic_ms) &&
		    (found == PV_CLOCK_SLOTS ||
			last_of(slot) < last_of(&bucket->slots[found])))
			found = i;
	}
	return found;
}

/* Who once had to share a slot stays there until it is quiet, for it knows of
 * these requests. */
static struct pv_clock_slot *find_new(const struct pv_clock_file *file,
    struct pv_clock_bucket *bucket, uint64_t name, struct pv_time now)
{
	struct pv_clock_slot *shared =
	    &bucket->slots[(name >> 32) % PV_CLOCK_SLOTS];
	refresh(file, shared, now);
	unsigned room = find_room(file, bucket, now);
	if (room == PV_CLOCK_SLOTS)
		shared->is_shared = true;
	if (shared->is_shared && !is_quiet(shared, now.monotonic_ms))
		return shared;
	bucket->names[room] = 0;
	start_anew(file, &bucket->slots[room], now);
	bucket->names[room] = name;
	return &bucket->slots[room];
}

static struct pv_clock_slot *find(const struct pv_clock_file *file,
    struct pv_clock_bucket *bucket, uint64_t name, struct pv_time now)
{
	for (unsigned i = 0; i < PV_CLOCK_SLOTS; i++) {
		struct pv_clock_slot *slot = &bucket->slots[i];
		if (bucket->names[i] != name)
			continue;
		refresh(file, slot, now);
		if (slot->is_shared && is_quiet(slot, now.monotonic_ms))
			slot->is_shared = false;
		return slot;
	}
	return find_new(file, bucket, name, now);
}

/* Claiming */

static bool is_busy(
    const struct pv_clock_slot *slot, const struct pv_shared_ask *ask)
{
	uint64_t open = 0;
	uint64_t connecting = 0;
	uint32_t open_max = ask->open_max;
	for (int i = 0; i < PV_CLOCK_HOLDERS; i++) {
		const struct pv_clock_holder *holder = &slot->holders[i];
		uint32_t holder_open = holder->open;
		if (holder_open && holder->open_max < open_max)
			open_max = holder->open_max;
		open += holder_open;
		connecting += holder_open ? holder->connecting : 0;
	}
	return open >= open_max ||
	       (connecting && (ask->rest_ms || slot->rest_ms));
}

/* Starts and ends are rounded up, so that they may lie a moment ahead; who
 * needs no rest has nothing to do with them. */
static int64_t earliest(
    const struct pv_clock_slot *slot, const struct pv_shared_ask *ask)
{
	int64_t base = ask->is_from_end ? last_of(slot) : slot->last_start;
	return ask->rest_ms ? larger(slot->next, base + ask->rest_ms)
			    : slot->next;
}

/* The longest of all that were asked for counts as long as the slot has its
 * name, be it that who asked for it is refused. */
static void remember_rest(struct pv_clock_slot *slot, int64_t rest_ms)
{
	int64_t rest = smaller(rest_ms, UINT32_MAX);
	if (rest > slot->rest_ms)
		slot->rest_ms = (uint32_t)rest;
}

/* The place of our requests among those that hold the slot; PV_CLOCK_HOLDERS if
 * there is none. */
static unsigned find_holder(const struct pv_clock_slot *slot, uint32_t number)
{
	unsigned found = PV_CLOCK_HOLDERS;
	for (unsigned i = 0; i < PV_CLOCK_HOLDERS; i++) {
		if (slot->holders[i].number == number)
			return i;
		if (!slot->holders[i].open)
			found = i;
	}
	return found;
}

static void hold(struct pv_clock_slot *slot, unsigned place, uint32_t number,
    uint32_t open_max)
{
	struct pv_clock_holder *holder = &slot->holders[place];
	if (!holder->open)
		holder->connecting = 0; /* whoever had the place before */
	holder->number = number;
	holder->open_max = open_max;
	holder->connecting++;
	holder->open++;
}

static enum pv_shared_answer decide(const struct pv_clock_file *file,
    struct pv_clock_slot *slot, const struct pv_shared_ask *ask, int64_t now,
    struct pv_shared_claim *claim)
{
	unsigned place = find_holder(slot, file->number);
	if (place == PV_CLOCK_HOLDERS || is_busy(slot, ask))
		return PV_SHARED_BUSY;
	if (earliest(slot, ask) > now)
		return PV_SHARED_EARLY;
	if (pv_clock_turn_is_others(file, slot, ask->since, now))
		return PV_SHARED_BUSY;
	pv_clock_turn_end(file, slot);
	hold(slot, place, file->number, ask->open_max);
	*claim = (struct pv_shared_claim){.slot = slot, .holder = place};
	return PV_SHARED_GRANTED;
}

/* When to ask again: after whoever's turn it is, or soon enough to see that
 * they are over. */
static int64_t refuse(const struct pv_clock_file *file,
    struct pv_clock_slot *slot, const struct pv_shared_ask *ask, int64_t now)
{
	int64_t until = larger(now, earliest(slot, ask));
	if (pv_clock_turn_is_others(file, slot, ask->since, now))
		return larger(until, smaller(slot->turn_at, now + LOOK_MS));
	pv_clock_turn_wait(file, slot, ask->since, until, now);
	return until;
}

/* Hosts and addresses are never mixed up. */
static uint64_t name_of(
    const struct pv_clock_file *file, const struct pv_shared_ask *ask)
{
	struct pv_hash_key key = file->key;
	key.word[1] ^= ask->kind | (uint64_t)ask->port << 8;
	uint64_t name = pv_hash(&key, ask->name);
	return name ? name : 1;
}

enum pv_shared_answer pv_shared_clocks_claim(struct pv_shared_clocks *clocks,
    const struct pv_shared_ask *ask, struct pv_time now,
    struct pv_shared_claim *claim, int64_t *until)
{
	const struct pv_clock_file *file = &clocks->file;
	uint64_t name = name_of(file, ask);
	struct pv_clock_bucket *bucket =
	    &file->buckets[name & file->bucket_mask];
	*until = now.monotonic_ms;
	if (!take_bucket(file, bucket))
		return PV_SHARED_BUSY;
	struct pv_clock_slot *slot = find(file, bucket, name, now);
	remember_rest(slot, ask->rest_ms);
	enum pv_shared_answer answer =
	    decide(file, slot, ask, now.monotonic_ms, claim);
	if (answer != PV_SHARED_GRANTED)
		*until = refuse(file, slot, ask, now.monotonic_ms);
	leave_bucket(bucket);
	return answer;
}

/* Afterwards, when others may have the bucket: times are told before the
 * request lets go, so that whoever finds it gone knows them. */

static void note_start(struct pv_shared_claim *claim, int64_t now)
{
	raise_to(&claim->slot->last_start, now);
	claim->slot->holders[claim->holder].connecting--;
	claim->is_sent = true;
}

void pv_shared_claim_sent(
    struct pv_shared_claim *claim, int64_t now, int64_t next)
{
	if (!claim->slot || claim->is_sent)
		return;
	raise_to(&claim->slot->next, next);
	note_start(claim, now);
}

void pv_shared_claim_end(
    struct pv_shared_claim *claim, int64_t now, int64_t next)
{
	if (!claim->slot)
		return;
	raise_to(&claim->slot->last_end, now);
	raise_to(&claim->slot->next, next);
	if (!claim->is_sent)
		note_start(claim, now);
	pv_shared_claim_drop(claim);
}

void pv_shared_claim_drop(struct pv_shared_claim *claim)
{
	if (!claim->slot)
		return;
	struct pv_clock_holder *holder = &claim->slot->holders[claim->holder];
	if (!claim->is_sent)
		holder->connecting--;
	holder->open--;
	*claim = (struct pv_shared_claim){.slot = NULL};
}
