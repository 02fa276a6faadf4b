#include "base/coding.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/reader.h"
#include "base/unpacker.h"

#define ROOM ((size_t)64 * 1024)
#define RATIO_FROM ((uint64_t)1024 * 1024)

static const struct pv_unpacker_kind *const kinds[] = {
    &pv_unpacker_gzip,
    &pv_unpacker_deflate,
    &pv_unpacker_brotli,
    &pv_unpacker_zstd,
};

enum stage_state {
	STAGE_BEGINS,  /* a member does; its first bytes are gathered */
	STAGE_WITHIN,  /* a member */
	STAGE_BEHIND,  /* all members: what comes does not count */
	STAGE_PASSING, /* the coding is not there: all passes as it is */
};

/* One coding of the list, the last that was applied first. */
struct stage {
	const struct pv_unpacker_kind *kind;
	enum stage_state state;
	void *unpacker; /* NULL until a member began */
	char *room;
	uint64_t given;
	char start[PV_UNPACKER_START_MAX]; /* of the last member */
	size_t start_len;
};

struct pv_coding {
	struct pv_coding_plan plan;
	struct stage stages[PV_CODINGS_MAX];
	size_t count;
	uint64_t appended;
	enum pv_coding_result result; /* whole, until it is known better */
};

const char *pv_coding_result_text(enum pv_coding_result result)
{
	static const char *const texts[PV_CODING_COUNT] = {
	    [PV_CODING_WHOLE] = "",
	    [PV_CODING_CUT] = "the content coding ends early",
	    [PV_CODING_PLAIN] =
		"the content coding was announced but not applied",
	    [PV_CODING_UNKNOWN] = "the content coding is unknown",
	    [PV_CODING_BROKEN] = "the content coding is damaged",
	    [PV_CODING_TOO_LARGE] = "too large with its content coding undone",
	    [PV_CODING_TOO_STEEP] = "too large for its encoded size",
	    [PV_CODING_STOPPED] = "the decoded bytes were rejected",
	};
	return texts[result];
}

/* Names */

static const struct pv_unpacker_kind *find_kind(struct pv_str name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const struct pv_unpacker_kind *kind = kinds[i];
		if (pv_str_equal_nocase(name, pv_str_of(kind->name)) ||
		    (kind->alias &&
			pv_str_equal_nocase(name, pv_str_of(kind->alias))))
			return kind;
	}
	return NULL;
}

/* Puts the coding before those that were applied earlier. */
static bool add_stage(struct pv_coding *coding, struct pv_str name)
{
	const struct pv_unpacker_kind *kind = find_kind(name);
	if (!name.len || pv_str_equal_nocase(name, PV_STR("identity")))
		return true;
	if (!kind || coding->count == PV_CODINGS_MAX)
		return false;
	for (size_t i = coding->count; i > 0; i--)
		coding->stages[i] = coding->stages[i - 1];
	coding->stages[0] = (struct stage){.kind = kind};
	coding->count++;
	return true;
}

struct pv_coding *pv_coding_create(
    struct pv_str names, const struct pv_coding_plan *plan)
{
	struct pv_coding *coding = pv_alloc(sizeof(*coding));
	struct pv_reader reader = pv_reader_of(names);
	coding->plan = *plan;
	while (!pv_reader_is_end(&reader)) {
		struct pv_str name = pv_reader_take_until(&reader, ',');
		pv_reader_next(&reader);
		if (!add_stage(coding, pv_str_trim(name)))
			coding->result = PV_CODING_UNKNOWN;
	}
	return coding;
}

void pv_coding_destroy(struct pv_coding *coding)
{
	if (!coding)
		return;
	for (size_t i = 0; i < coding->count; i++) {
		struct stage *stage = &coding->stages[i];
		if (stage->unpacker)
			stage->kind->destroy(stage->unpacker);
		free(stage->room);
	}
	free(coding);
}

/* Failing */

static struct pv_str start_of(const struct stage *stage)
{
	return (struct pv_str){stage->start, stage->start_len};
}

/* Compressed bytes hold no control among so many once in millions of times;
 * where fewer came, not much is lost. */
static bool looks_like_text(const struct stage *stage)
{
	for (size_t i = 0; i < stage->start_len; i++) {
		int byte = (unsigned char)stage->start[i];
		bool is_space = byte == '\t' || (byte >= '\n' && byte <= '\r');
		if (pv_is_control(byte) && !is_space)
			return false;
	}
	return true;
}

static bool fail(struct pv_coding *coding, enum pv_coding_result result)
{
	coding->result = result;
	return false;
}

/* Formats without a mark read the beginning of any text before they stumble:
 * then it is the text that tells. Within another coding it is of no use to who
 * has only the coded bytes. */
static bool fail_at(struct pv_coding *coding, const struct stage *stage,
    enum pv_coding_result result)
{
	bool is_outermost = stage == &coding->stages[0];
	if (!stage->kind->is_mark && looks_like_text(stage))
		result = is_outermost ? PV_CODING_PLAIN : PV_CODING_BROKEN;
	return fail(coding, result);
}

/* Bytes on their way through the stages */

static bool give(struct pv_coding *coding, struct pv_str bytes)
{
	if (!coding->plan.give(coding->plan.ctx, bytes))
		return fail(coding, PV_CODING_STOPPED);
	return true;
}

/* Whether a stage may give out so much more. */
static bool count(struct pv_coding *coding, uint64_t *given, size_t len)
{
	const struct pv_coding_plan *plan = &coding->plan;
	if (len > plan->bytes_max - *given)
		return fail(coding, PV_CODING_TOO_LARGE);
	*given += len;
	if (plan->ratio_max && *given > RATIO_FROM &&
	    *given / plan->ratio_max > coding->appended)
		return fail(coding, PV_CODING_TOO_STEEP);
	return true;
}

static bool push(struct pv_coding *coding, size_t number, struct pv_str bytes);

/* From a stage to the next, or out. */
static bool pass(struct pv_coding *coding, size_t number, struct pv_str bytes)
{
	if (!count(coding, &coding->stages[number].given, bytes.len))
		return false;
	return number + 1 < coding->count ? push(coding, number + 1, bytes)
					  : give(coding, bytes);
}

static void end_member(struct stage *stage)
{
	stage->state = STAGE_BEHIND;
	if (stage->kind->restart) {
		stage->state = STAGE_BEGINS;
		stage->start_len = 0;
	}
}

/* Feeds the member that the stage is in, until it ends or wants more; takes
 * what it used. */
static bool unpack(
    struct pv_coding *coding, size_t number, struct pv_str *input)
{
	struct stage *stage = &coding->stages[number];
	for (;;) {
		struct pv_unpack_room room = {stage->room, ROOM, 0};
		size_t before = input->len;
		enum pv_unpack said =
		    stage->kind->step(stage->unpacker, input, &room);
		struct pv_str bytes = {room.ptr, room.used};
		if (bytes.len && !pass(coding, number, bytes))
			return false;
		bool is_stuck =
		    input->len && input->len == before && !room.used;
		if (said == PV_UNPACK_TOO_LARGE)
			return fail(coding, PV_CODING_TOO_LARGE);
		if (said == PV_UNPACK_BROKEN ||
		    (said == PV_UNPACK_MORE && is_stuck))
			return fail_at(coding, stage, PV_CODING_BROKEN);
		if (said == PV_UNPACK_END)
			end_member(stage);
		if (said == PV_UNPACK_END || (!input->len && room.used < ROOM))
			return true;
	}
}

static bool has_mark(const struct stage *stage)
{
	return !stage->kind->is_mark || stage->kind->is_mark(start_of(stage));
}

/* What begins is no member. Behind others it is padding, or anything. */
static bool begin_nothing(struct pv_coding *coding, size_t number)
{
	struct stage *stage = &coding->stages[number];
	if (stage->unpacker) {
		stage->state = STAGE_BEHIND;
		return true;
	}
	if (number == 0)
		return fail(coding, PV_CODING_PLAIN);
	stage->state = STAGE_PASSING;
	return pass(coding, number, start_of(stage));
}

/* Begins a member with the bytes that were gathered, if they are of one. */
static bool begin(struct pv_coding *coding, size_t number)
{
	struct stage *stage = &coding->stages[number];
	if (!has_mark(stage))
		return begin_nothing(coding, number);
	if (!stage->unpacker) {
		stage->unpacker = stage->kind->create(start_of(stage));
		stage->room = pv_alloc(ROOM);
	} else {
		stage->kind->restart(stage->unpacker);
	}
	stage->state = STAGE_WITHIN;
	return push(coding, number, start_of(stage));
}

static bool gather(
    struct pv_coding *coding, size_t number, struct pv_str *input)
{
	struct stage *stage = &coding->stages[number];
	size_t missing = stage->kind->start_len - stage->start_len;
	size_t len = input->len < missing ? input->len : missing;
	memcpy(stage->start + stage->start_len, input->ptr, len);
	stage->start_len += len;
	*input = pv_str_from(*input, len);
	return len < missing || begin(coding, number);
}

/* A text that has an end by chance goes on behind it. */
static bool ignore(struct pv_coding *coding, size_t number)
{
	const struct stage *stage = &coding->stages[number];
	if (!stage->kind->is_mark && looks_like_text(stage))
		return fail_at(coding, stage, PV_CODING_PLAIN);
	return true;
}

static bool push(struct pv_coding *coding, size_t number, struct pv_str bytes)
{
	const struct stage *stage = &coding->stages[number];
	bool is_going = true;
	while (bytes.len && is_going) {
		switch (stage->state) {
		case STAGE_BEGINS:
			is_going = gather(coding, number, &bytes);
			break;
		case STAGE_WITHIN:
			is_going = unpack(coding, number, &bytes);
			break;
		case STAGE_BEHIND:
			return ignore(coding, number);
		case STAGE_PASSING:
			return pass(coding, number, bytes);
		}
	}
	return is_going;
}

/* Without a coding, all passes. */
static bool push_plain(struct pv_coding *coding, struct pv_str bytes)
{
	uint64_t given = coding->appended - bytes.len;
	return count(coding, &given, bytes.len) && give(coding, bytes);
}

bool pv_coding_append(struct pv_coding *coding, struct pv_str bytes)
{
	if (coding->result != PV_CODING_WHOLE)
		return false;
	if (!bytes.len)
		return true;
	coding->appended += bytes.len;
	return coding->count ? push(coding, 0, bytes)
			     : push_plain(coding, bytes);
}

static void end_stage(struct pv_coding *coding, size_t number)
{
	const struct stage *stage = &coding->stages[number];
	bool is_marked = stage->kind->is_mark != NULL;
	bool has_begun = stage->state == STAGE_BEGINS && stage->start_len > 0;
	if (has_begun && !is_marked && !begin(coding, number))
		return;
	if (has_begun && is_marked && !has_mark(stage))
		begin_nothing(coding, number);
	else if (has_begun && is_marked && !stage->unpacker)
		fail(coding, PV_CODING_CUT);
	else if (stage->state == STAGE_WITHIN)
		fail_at(coding, stage, PV_CODING_CUT);
}

enum pv_coding_result pv_coding_end(struct pv_coding *coding)
{
	for (size_t i = 0; i < coding->count; i++) {
		if (coding->result == PV_CODING_WHOLE)
			end_stage(coding, i);
	}
	return coding->result;
}

enum pv_coding_result pv_coding_undo(
    struct pv_str names, struct pv_str bytes, const struct pv_coding_plan *plan)
{
	struct pv_coding *coding = pv_coding_create(names, plan);
	pv_coding_append(coding, bytes);
	enum pv_coding_result result = pv_coding_end(coding);
	pv_coding_destroy(coding);
	return result;
}
