#include "crawl/consumers/program_sink.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/visible.h"
#include "crawl/visit/record.h"
#include "store/database.h"

#define NAME_MAX_BYTES 32
#define FILE_PREFIX "sink/"

/* A sentence with the name before it. */
#define SENTENCE_MAX 199

struct program_sink {
	struct pavane_sink verbs; /* but for the name, which is behind `/` */
	char file[sizeof(FILE_PREFIX) + NAME_MAX_BYTES];
	const char *files[2];
	struct pv_database *database;
	struct pv_buf address; /* of what is appended */
	uint64_t length;       /* as it was told the last time */
	bool has_news;         /* something was appended since */
	bool is_recovered;
};

static struct program_sink *own(struct pv_sink *sink)
{
	return (struct program_sink *)sink;
}

/* Before anything is opened */

static bool is_name(const char *name)
{
	size_t len = strnlen(name, NAME_MAX_BYTES + 1);
	bool is_one = len > 0 && len <= NAME_MAX_BYTES;
	for (size_t i = 0; is_one && i < len; i++)
		is_one = pv_is_digit(name[i]) || name[i] == '-' ||
			 (name[i] >= 'a' && name[i] <= 'z');
	return is_one;
}

static bool refuse(struct pv_why *why, const char *name, const char *what)
{
	pv_why_add(why, (struct pv_place){0}, PV_STR(""), "sink %s: %s",
	    name ? name : "without a name", what);
	return false;
}

static bool is_twice(
    const struct pavane_sink *const *sinks, size_t before, const char *name)
{
	for (size_t i = 0; i < before; i++) {
		if (strcmp(sinks[i]->name, name) == 0)
			return true;
	}
	return false;
}

bool pv_program_sinks_check(
    const struct pavane_sink *const *sinks, size_t count, struct pv_why *why)
{
	if (count > PV_PROGRAM_SINKS_MAX) {
		pv_why_add(why, (struct pv_place){0}, PV_STR(""),
		    "the program gives %zu sinks: a crawl has at most %d",
		    count, PV_PROGRAM_SINKS_MAX);
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		const struct pavane_sink *sink = sinks[i];
		if (!sink || !sink->size)
			return refuse(why, NULL,
			    "its size is not set: begin it with PAVANE_INIT");
		if (!sink->name || !is_name(sink->name))
			return refuse(why, sink->name,
			    "a name has 1 to 32 of the bytes a-z, 0-9 and -");
		if (is_twice(sinks, i, sink->name))
			return refuse(
			    why, sink->name, "another one has that name");
		if (!sink->recover || !sink->append || !sink->sync)
			return refuse(why, sink->name,
			    "recover, append and sync have to be there");
	}
	return true;
}

/* What it says of a failure */

/* Control characters are shown, and what is too long is cut. */
static void write_sentence(const struct program_sink *sink, const char *verb,
    const struct pavane_fault *fault, struct pv_buf *sentence)
{
	struct pv_str text = {
	    fault->text, strnlen(fault->text, sizeof(fault->text))};
	pv_buf_init(sentence, SENTENCE_MAX);
	pv_buf_append_format(sentence, "%s: ", sink->verbs.name);
	if (text.len)
		pv_visible_append(sentence, text);
	else if (fault->error)
		pv_buf_append_text(sentence, strerror(fault->error));
	else
		pv_buf_append_format(
		    sentence, "%s failed without saying why", verb);
}

static bool is_disk_full(int error)
{
	return error == ENOSPC || error == EDQUOT || error == EFBIG;
}

/* On the writer's thread: always false. */
static bool fail(const struct program_sink *sink, const char *verb,
    const struct pavane_fault *fault)
{
	struct pv_buf sentence;
	write_sentence(sink, verb, fault, &sentence);
	pv_database_fail(sink->database,
	    is_disk_full(fault->error) ? PV_STORE_FULL : PV_STORE_PROGRAM,
	    pv_buf_text(&sentence));
	pv_buf_finish(&sentence);
	return false;
}

/* In the pool: always false. For want of a descriptor a page is asked for once
 * more; of other errors no disk of ours is to be repaired. */
static bool fail_page(const struct program_sink *sink, struct pv_page *page,
    const struct pavane_fault *fault)
{
	struct pv_buf sentence;
	bool is_ours = is_disk_full(fault->error) || fault->error == EMFILE ||
		       fault->error == ENFILE;
	write_sentence(sink, "prepare", fault, &sentence);
	pv_page_fail(page, pv_buf_text(&sentence), is_ours ? fault->error : 0);
	pv_buf_finish(&sentence);
	return false;
}

/* Verbs */

static struct pv_sink *open_program_sink(
    const struct pv_sink_plan *plan, struct pv_why *why)
{
	struct program_sink *sink = pv_alloc(sizeof(*sink));
	(void)why;
	sink->verbs = *plan->own_sink;
	sink->database = plan->database;
	snprintf(sink->file, sizeof(sink->file), FILE_PREFIX "%s",
	    plan->own_sink->name);
	sink->verbs.name = sink->file + strlen(FILE_PREFIX);
	sink->files[0] = sink->file;
	pv_buf_init(&sink->address, SIZE_MAX);
	return (struct pv_sink *)sink;
}

static const char *const *files(const struct pv_sink *sink)
{
	return ((const struct program_sink *)sink)->files;
}

static bool recover(
    struct pv_sink *sink, const uint64_t *lengths, struct pv_why *why)
{
	struct program_sink *self = own(sink);
	struct pavane_fault fault = {.error = 0};
	struct pv_buf sentence;
	self->length = lengths[0];
	self->is_recovered = true;
	if (self->verbs.recover(self->verbs.ctx, self->length, &fault))
		return true;
	write_sentence(self, "recover", &fault, &sentence);
	pv_why_add(why, (struct pv_place){0}, PV_STR(""), "%s",
	    pv_buf_text(&sentence));
	pv_buf_finish(&sentence);
	return false;
}

static bool prepare(
    struct pv_sink *sink, struct pv_page *page, struct pv_buf *part)
{
	const struct program_sink *self = own(sink);
	struct pavane_fault fault = {.error = 0};
	if (!page->shown)
		return true;
	page->is_shown = true;
	pv_buf_clear(part);
	part->ceiling = PV_PROGRAM_PART_MAX;
	return !self->verbs.prepare ||
	       self->verbs.prepare(self->verbs.ctx, page->shown,
		   (struct pavane_part *)part, &fault) ||
	       fail_page(self, page, &fault);
}

static bool append(struct pv_sink *sink, const struct pv_sink_entry *entry)
{
	struct program_sink *self = own(sink);
	struct pavane_fault fault = {.error = 0};
	if (!entry->record || !entry->page->is_shown)
		return true;
	pv_buf_clear(&self->address);
	pv_buf_append(&self->address, entry->record->url);
	const struct pavane_entry told = {
	    .address = pv_buf_text(&self->address),
	    .status = entry->page->response->http_status,
	    .is_final = entry->is_final,
	    .number = *entry->number,
	    .part = pv_buf_text(entry->part),
	    .part_len = entry->part->len,
	};
	self->has_news = true;
	return self->verbs.append(self->verbs.ctx, &told, &fault) ||
	       fail(self, "append", &fault);
}

/* What was committed is there for good; and the state has no larger numbers. */
static bool is_length(const struct program_sink *sink, uint64_t length)
{
	struct pavane_fault fault = {.error = 0};
	if (length >= sink->length && length <= INT64_MAX)
		return true;
	snprintf(fault.text, sizeof(fault.text),
	    "sync says that it is %" PRIu64 " bytes long, after %" PRIu64,
	    length, sink->length);
	return fail(sink, "sync", &fault);
}

static bool sync_program_sink(struct pv_sink *sink, uint64_t *lengths)
{
	struct program_sink *self = own(sink);
	struct pavane_fault fault = {.error = 0};
	uint64_t length = self->length;
	if (!self->has_news)
		return true;
	if (!self->verbs.sync(self->verbs.ctx, &length, &fault))
		return fail(self, "sync", &fault);
	if (!is_length(self, length))
		return false;
	self->has_news = false;
	self->length = lengths[0] = length;
	return true;
}

static void close_program_sink(struct pv_sink *sink)
{
	struct program_sink *self = own(sink);
	if (self->is_recovered && self->verbs.close)
		self->verbs.close(self->verbs.ctx);
	pv_buf_finish(&self->address);
	free(self);
}

const struct pv_sink_kind pv_consumer_program_sink = {
    .name = "sink of the program",
    .files = files,
    .open = open_program_sink,
    .recover = recover,
    .prepare = prepare,
    .append = append,
    .sync = sync_program_sink,
    .close = close_program_sink,
};
