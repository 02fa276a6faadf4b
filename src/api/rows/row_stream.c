#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/policy_object.h"
#include "base/alloc.h"
#include "pavane/pavane.h"
#include "store/state_look.h"
#include "store/tables/length.h"

/* The committed lines of one kind's rows, as they come. */
#define PIECE ((size_t)64 << 10)

bool pavane_policy_has_rows(
    const struct pavane_policy *policy, const char *kind)
{
	const struct pv_policy *loaded = policy->policy;
	size_t number = pv_pages_find(&loaded->pages, pv_str_of(kind));
	return number < loaded->pages.count &&
	       loaded->pages.items[number].field_count &&
	       (loaded->output.fields.forms & PV_FIELDS_JSONL);
}

struct pavane_row_stream {
	char *directory;
	struct pv_buf name; /* "fields/product.jsonl" */
	uint64_t done;      /* bytes that were given */
};

static uint64_t committed(const struct pavane_row_stream *stream)
{
	struct pv_why why;
	uint64_t length = 0;
	pv_why_init(&why);
	struct pv_database *database = pv_state_look(stream->directory, &why);
	if (database)
		length = pv_length_get(database, pv_buf_str(&stream->name));
	pv_database_close(database);
	pv_why_finish(&why);
	return length;
}

struct pavane_row_stream *pavane_row_stream_open(
    const char *directory, const char *kind)
{
	struct pavane_row_stream *stream = pv_alloc(sizeof(*stream));
	size_t len = strlen(directory);
	stream->directory = pv_alloc(len + 1);
	memcpy(stream->directory, directory, len + 1);
	pv_buf_init(&stream->name, 1024);
	pv_buf_append_format(&stream->name, "fields/%s.jsonl", kind);
	stream->done = committed(stream);
	return stream;
}

void pavane_row_stream_close(struct pavane_row_stream *stream)
{
	if (!stream)
		return;
	pv_buf_finish(&stream->name);
	free(stream->directory);
	free(stream);
}

static bool give(struct pavane_row_stream *stream, int file, uint64_t end,
    pavane_stream_fn take, void *ctx)
{
	char piece[PIECE];
	while (stream->done < end) {
		uint64_t left = end - stream->done;
		ssize_t got = pread(file, piece,
		    left < PIECE ? (size_t)left : PIECE, (off_t)stream->done);
		if (got <= 0 || !take(ctx, piece, (size_t)got))
			return false;
		stream->done += (uint64_t)got;
	}
	return true;
}

bool pavane_row_stream_read(
    struct pavane_row_stream *stream, pavane_stream_fn take, void *ctx)
{
	uint64_t end = committed(stream);
	struct pv_buf path;
	if (end <= stream->done)
		return true;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(
	    &path, "%s/%s", stream->directory, pv_buf_text(&stream->name));
	int file = open(pv_buf_text(&path), O_RDONLY | O_CLOEXEC);
	bool is_given = file >= 0 && give(stream, file, end, take, ctx);
	if (file >= 0)
		close(file);
	pv_buf_finish(&path);
	return is_given;
}
