#include "limiter/file_limiter.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/least.h"
#include "base/line.h"
#include "limiter/clock_file.h"
#include "limiter/clock_slot.h"
#include "limiter/clock_turn.h"
#include "schedule/wait.h"

/* How often to look whether a bucket is free: who has it needs it for less
 * than a microsecond, unless the system has put them aside. */
#define TRIES 100

/* After so long to see whether the crawl whose turn it is is still there. */
#define LOOK_MS 1000

struct file_limiter {
	struct pv_limiter limiter;
	struct pv_clock_file file;
};

static struct pv_limiter *open_file(
    const char *directory, const char *boot_id, struct pv_why *why)
{
	struct pv_clock_file file = {.fd = -1};
	if (!pv_clock_file_open(&file, directory, boot_id, why))
		return NULL;
	struct file_limiter *limiter = pv_alloc(sizeof(*limiter));
	limiter->limiter.kind = &pv_limiter_file;
	limiter->file = file;
	return &limiter->limiter;
}

static struct file_limiter *file_of(struct pv_limiter *limiter)
{
	return PV_WHOLE(struct file_limiter, limiter, limiter);
}

static void close_file(struct pv_limiter *limiter)
{
	struct file_limiter *whole = file_of(limiter);
	pv_clock_file_close(&whole->file);
	free(whole);
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

/* Finding */

/* A name is kept in one of two buckets, the one that had more room: so nearly
 * all slots are in use before any is shared. Who has both decides which; all
 * crawls use the same buckets. */
struct buckets {
	struct pv_clock_bucket *first;
	struct pv_clock_bucket *second; /* NULL: not ours */
};

#define SECOND_SHIFT 40

static struct pv_clock_bucket *second_of(
    const struct pv_clock_file *file, uint64_t name)
{
	uint32_t first = (uint32_t)name & file->bucket_mask;
	uint32_t second = (uint32_t)(name >> SECOND_SHIFT) & file->bucket_mask;
	return &file->buckets[second == first ? first ^ 1 : second];
}

/* Room for a new name in a bucket. */
struct room {
	struct pv_clock_bucket *bucket;
	unsigned place; /* a free one, or else that of the clock that has been
			   quiet for the longest time; PV_CLOCK_SLOTS if all
			   are in use */
	unsigned used;
};

static struct room find_room(const struct pv_clock_file *file,
    struct pv_clock_bucket *bucket, struct pv_time now)
{
	struct room room = {bucket, PV_CLOCK_SLOTS, 0};
	for (unsigned i = 0; i < PV_CLOCK_SLOTS; i++) {
		struct pv_clock_slot *slot = &bucket->slots[i];
		unsigned found = room.place;
		if (!bucket->names[i]) {
			room.place = i;
			return room;
		}
		pv_clock_slot_refresh(file, slot, now);
		if (!pv_clock_slot_is_quiet(slot, now.monotonic_ms))
			room.used++;
		else if (found == PV_CLOCK_SLOTS ||
			 pv_clock_slot_last(slot) <
			     pv_clock_slot_last(&bucket->slots[found]))
			room.place = i;
	}
	return room;
}

static struct pv_clock_slot *settle(const struct pv_clock_file *file,
    const struct room *room, uint64_t name, struct pv_time now)
{
	struct pv_clock_slot *slot = &room->bucket->slots[room->place];
	room->bucket->names[room->place] = 0;
	pv_clock_slot_start_anew(file, slot, now);
	room->bucket->names[room->place] = name;
	return slot;
}

/* Who once had to share a slot stays there until it is quiet, for it knows of
 * these requests. */
static struct pv_clock_slot *find_new(const struct pv_clock_file *file,
    const struct buckets *buckets, uint64_t name, struct pv_time now)
{
	struct pv_clock_slot *shared =
	    &buckets->first->slots[(name >> 32) % PV_CLOCK_SLOTS];
	pv_clock_slot_refresh(file, shared, now);
	struct room room = find_room(file, buckets->first, now);
	struct room other = find_room(file, buckets->second, now);
	if (other.used < room.used)
		room = other;
	if (room.place == PV_CLOCK_SLOTS)
		shared->is_shared = true;
	if (shared->is_shared &&
	    !pv_clock_slot_is_quiet(shared, now.monotonic_ms))
		return shared;
	return settle(file, &room, name, now);
}

static struct pv_clock_slot *find(const struct pv_clock_file *file,
    struct pv_clock_bucket *bucket, uint64_t name, struct pv_time now)
{
	for (unsigned i = 0; i < PV_CLOCK_SLOTS; i++) {
		struct pv_clock_slot *slot = &bucket->slots[i];
		if (bucket->names[i] != name)
			continue;
		pv_clock_slot_refresh(file, slot, now);
		if (slot->is_shared &&
		    pv_clock_slot_is_quiet(slot, now.monotonic_ms))
			slot->is_shared = false;
		return slot;
	}
	return NULL;
}

/* The slot of a name, of which we have the first bucket; NULL if somebody else
 * has the second one, which is taken only where it matters. */
static struct pv_clock_slot *find_in_both(const struct pv_clock_file *file,
    struct buckets *buckets, uint64_t name, struct pv_time now)
{
	struct pv_clock_slot *slot = find(file, buckets->first, name, now);
	if (slot)
		return slot;
	struct pv_clock_bucket *second = second_of(file, name);
	if (!take_bucket(file, second))
		return NULL;
	buckets->second = second;
	slot = find(file, second, name, now);
	return slot ? slot : find_new(file, buckets, name, now);
}

static void leave_buckets(struct buckets *buckets)
{
	if (buckets->second)
		leave_bucket(buckets->second);
	leave_bucket(buckets->first);
}

/* Claiming */

static bool is_busy(
    const struct pv_clock_slot *slot, const struct pv_limiter_ask *ask)
{
	uint64_t open = 0;
	bool is_connecting = false;
	bool has_rest = ask->rest_ms > 0;
	uint32_t open_max = ask->open_max;
	for (int i = 0; i < PV_CLOCK_HOLDERS; i++) {
		const struct pv_clock_holder *holder = &slot->holders[i];
		uint32_t holder_open = holder->open;
		if (holder_open && holder->open_max < open_max)
			open_max = holder->open_max;
		open += holder_open;
		if (!holder_open || !holder->connecting)
			continue;
		is_connecting = true;
		has_rest = has_rest || holder->has_rest;
	}
	return open >= open_max || (is_connecting && has_rest);
}

/* Starts and ends are rounded up, so that they may lie a moment ahead; who
 * needs no rest has nothing to do with them. */
static int64_t earliest(
    const struct pv_clock_slot *slot, const struct pv_limiter_ask *ask)
{
	int64_t base =
	    ask->is_from_end ? pv_clock_slot_last(slot) : slot->last_start;
	return ask->rest_ms ? pv_larger(slot->next, base + ask->rest_ms)
			    : slot->next;
}

/* The longest of all that were asked for: as long after a request nobody else
 * gets the slot. */
static void remember_rest(struct pv_clock_slot *slot, int64_t rest_ms)
{
	int64_t rest = pv_smaller(rest_ms, UINT32_MAX);
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
    const struct pv_limiter_ask *ask)
{
	struct pv_clock_holder *holder = &slot->holders[place];
	if (!holder->open)
		holder->connecting = 0; /* the previous owner of the place */
	if (!holder->connecting)
		holder->has_rest = false;
	if (ask->rest_ms)
		holder->has_rest = true;
	holder->number = number;
	holder->open_max =
	    (uint16_t)(ask->open_max < UINT16_MAX ? ask->open_max : UINT16_MAX);
	holder->connecting++;
	holder->open++;
}

static enum pv_limiter_answer decide(const struct pv_clock_file *file,
    struct pv_clock_slot *slot, const struct pv_limiter_ask *ask, int64_t now,
    struct pv_limiter_claim *claim)
{
	unsigned place = find_holder(slot, file->number);
	if (place == PV_CLOCK_HOLDERS || is_busy(slot, ask))
		return PV_LIMITER_BUSY;
	if (earliest(slot, ask) > now)
		return PV_LIMITER_EARLY;
	if (pv_clock_turn_is_others(file, slot, ask->since, now))
		return PV_LIMITER_BUSY;
	pv_clock_turn_end(file, slot);
	hold(slot, place, file->number, ask);
	*claim = (struct pv_limiter_claim){.held = slot, .place = place};
	return PV_LIMITER_GRANTED;
}

/* When to ask again: after the crawl whose turn it is, or soon enough to see
 * that it is over. */
static int64_t refuse(const struct pv_clock_file *file,
    struct pv_clock_slot *slot, const struct pv_limiter_ask *ask, int64_t now)
{
	int64_t until = pv_larger(now, earliest(slot, ask));
	if (pv_clock_turn_is_others(file, slot, ask->since, now))
		return pv_larger(
		    until, pv_smaller(slot->turn_at, now + LOOK_MS));
	pv_clock_turn_wait(file, slot, ask->since, until, now);
	return until;
}

/* Hosts and addresses are never mixed up. */
static uint64_t name_of(
    const struct pv_clock_file *file, const struct pv_limiter_ask *ask)
{
	struct pv_hash_key key = file->key;
	key.word[1] ^= ask->clock | (uint64_t)ask->port << 8;
	uint64_t name = pv_hash(&key, ask->name);
	return name ? name : 1;
}

/* `until` is now, or when to ask again. */
static enum pv_limiter_answer ask_slot(const struct pv_clock_file *file,
    struct pv_clock_slot *slot, const struct pv_limiter_ask *ask,
    int64_t *until, struct pv_limiter_claim *claim)
{
	remember_rest(slot, ask->rest_ms);
	enum pv_limiter_answer answer = decide(file, slot, ask, *until, claim);
	if (answer != PV_LIMITER_GRANTED)
		*until = refuse(file, slot, ask, *until);
	return answer;
}

static enum pv_limiter_answer claim_in_file(struct pv_limiter *limiter,
    const struct pv_limiter_ask *ask, struct pv_time now,
    struct pv_limiter_claim *claim, int64_t *until)
{
	const struct pv_clock_file *file = &file_of(limiter)->file;
	enum pv_limiter_answer answer = PV_LIMITER_BUSY;
	uint64_t name = name_of(file, ask);
	struct buckets buckets = {
	    &file->buckets[name & file->bucket_mask], NULL};
	*until = now.monotonic_ms;
	if (!take_bucket(file, buckets.first))
		return answer;
	struct pv_clock_slot *slot = find_in_both(file, &buckets, name, now);
	if (slot)
		answer = ask_slot(file, slot, ask, until, claim);
	leave_buckets(&buckets);
	return answer;
}

/* Afterwards, when others may have the bucket: times are written before the
 * request lets go, so that a crawl that finds it gone knows them. */

static struct pv_clock_holder *holder_of(const struct pv_limiter_claim *claim)
{
	struct pv_clock_slot *slot = claim->held;
	return &slot->holders[claim->place];
}

static void note_start(const struct pv_limiter_claim *claim, int64_t now)
{
	struct pv_clock_slot *slot = claim->held;
	pv_clock_slot_raise(&slot->last_start, now);
	holder_of(claim)->connecting--;
}

static void note_sent(struct pv_limiter *limiter,
    const struct pv_limiter_claim *claim, int64_t now, int64_t next)
{
	(void)limiter;
	struct pv_clock_slot *slot = claim->held;
	pv_clock_slot_raise(&slot->next, next);
	note_start(claim, now);
}

static void note_end(struct pv_limiter *limiter,
    const struct pv_limiter_claim *claim, int64_t now, int64_t next)
{
	(void)limiter;
	struct pv_clock_slot *slot = claim->held;
	pv_clock_slot_raise(&slot->last_end, now);
	pv_clock_slot_raise(&slot->next, next);
	if (!claim->is_sent)
		note_start(claim, now);
	holder_of(claim)->open--;
}

static void let_go(
    struct pv_limiter *limiter, const struct pv_limiter_claim *claim)
{
	(void)limiter;
	if (!claim->is_sent)
		holder_of(claim)->connecting--;
	holder_of(claim)->open--;
}

const struct pv_limiter_kind pv_limiter_file = {
    .name = "file",
    .open = open_file,
    .close = close_file,
    .claim = claim_in_file,
    .sent = note_sent,
    .end = note_end,
    .drop = let_go,
};
