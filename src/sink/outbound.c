#include "sink/outbound.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "sink/line_file.h"
#include "sink/outbound_line.h"
#include "sink/sink.h"

#define DIRECTORY_MODE 0777

struct outbound {
	const struct pv_policy *policy;
	struct pv_shard shard;
	struct pv_buf directory;     /* of the crawl */
	const char **names;          /* of the files, NULL behind the last */
	struct pv_line_file **files; /* NULL: nothing was written to it */
	struct pv_buf line;
};

static struct outbound *outbound_of(const struct pv_sink *sink)
{
	return (struct outbound *)(uintptr_t)sink;
}

static bool is_wanted(const struct pv_sink_plan *plan)
{
	return plan->shard.count > 0;
}

static char *name_of(uint32_t shard)
{
	struct pv_buf name;
	pv_buf_init(&name, 64);
	pv_buf_append_format(
	    &name, PV_OUTBOUND_DIRECTORY "/%u.jsonl", (unsigned)shard);
	return pv_buf_take(&name);
}

static struct pv_sink *open_outbound(
    const struct pv_sink_plan *plan, struct pv_why *why)
{
	struct outbound *outbound = pv_alloc(sizeof(*outbound));
	uint32_t count = plan->shard.count;
	(void)why;
	outbound->policy = plan->policy;
	outbound->shard = plan->shard;
	outbound->names = pv_alloc_array(count + 1, sizeof(*outbound->names));
	outbound->files = pv_alloc_array(count, sizeof(*outbound->files));
	for (uint32_t i = 0; i < count; i++)
		outbound->names[i] = name_of(i + 1);
	pv_buf_init(&outbound->directory, SIZE_MAX);
	pv_buf_append_text(&outbound->directory, plan->directory);
	pv_buf_init(&outbound->line, SIZE_MAX);
	return (struct pv_sink *)outbound;
}

static void close_outbound(struct pv_sink *sink)
{
	struct outbound *outbound = outbound_of(sink);
	if (!outbound)
		return;
	for (uint32_t i = 0; i < outbound->shard.count; i++) {
		free((char *)(uintptr_t)outbound->names[i]);
		pv_line_file_close(outbound->files[i]);
	}
	free(outbound->names);
	free(outbound->files);
	pv_buf_finish(&outbound->directory);
	pv_buf_finish(&outbound->line);
	free(outbound);
}

static const char *const *files(const struct pv_sink *sink)
{
	return outbound_of(sink)->names;
}

static void path_in(
    const struct outbound *outbound, const char *name, struct pv_buf *path)
{
	pv_buf_init(path, SIZE_MAX);
	pv_buf_append(path, pv_buf_str(&outbound->directory));
	pv_buf_append_char(path, '/');
	pv_buf_append_text(path, name);
}

static bool is_there(const struct outbound *outbound, const char *name)
{
	struct pv_buf path;
	path_in(outbound, name, &path);
	bool is_there = access(pv_buf_text(&path), F_OK) == 0;
	pv_buf_finish(&path);
	return is_there;
}

static bool make_directory(const struct outbound *outbound)
{
	struct pv_buf path;
	path_in(outbound, PV_OUTBOUND_DIRECTORY, &path);
	bool is_made =
	    pv_file_make_directory(pv_buf_text(&path), DIRECTORY_MODE);
	pv_buf_finish(&path);
	return is_made;
}

static bool open_file(
    struct outbound *outbound, uint32_t number, struct pv_why *why)
{
	outbound->files[number] = pv_line_file_open(
	    pv_buf_text(&outbound->directory), outbound->names[number], why);
	return outbound->files[number];
}

/* What was promised, and what an end has left beyond that; where there is
 * neither, there is no file. */
static bool recover(
    struct pv_sink *sink, const uint64_t *lengths, struct pv_why *why)
{
	struct outbound *outbound = outbound_of(sink);
	for (uint32_t i = 0; i < outbound->shard.count; i++) {
		if (!lengths[i] && !is_there(outbound, outbound->names[i]))
			continue;
		if (!make_directory(outbound) || !open_file(outbound, i, why) ||
		    !pv_line_file_recover(outbound->files[i], lengths[i], why))
			return false;
	}
	return true;
}

/* Made when it is first needed; what is wrong says errno. */
static bool begin_file(struct outbound *outbound, uint32_t number)
{
	struct pv_why why;
	if (!make_directory(outbound))
		return false;
	errno = 0;
	pv_why_init(&why);
	bool is_open = open_file(outbound, number, &why);
	pv_why_finish(&why);
	if (!is_open && !errno)
		errno = EINVAL;
	return is_open;
}

static bool append_to(struct outbound *outbound, uint32_t shard)
{
	uint32_t number = shard - 1;
	if (shard < 1 || shard > outbound->shard.count) {
		errno = EINVAL;
		return false;
	}
	return (outbound->files[number] || begin_file(outbound, number)) &&
	       pv_line_file_append(outbound->files[number],
		   pv_buf_str(&outbound->line), PV_STR("\n"));
}

static void write_line(
    struct outbound *outbound, const struct pv_link *link, struct pv_str via)
{
	const struct pv_pages *kinds = &outbound->policy->pages;
	unsigned kind = link->standing.kind;
	struct pv_str name = {NULL, 0};
	if (kind && kind <= kinds->count)
		name = pv_str_of(kinds->items[kind - 1].name);
	pv_buf_clear(&outbound->line);
	pv_outbound_line_write(link, name, via, &outbound->line);
}

bool pv_outbound_append(
    struct pv_sink *sink, const struct pv_link *link, struct pv_str via)
{
	struct outbound *outbound = outbound_of(sink);
	write_line(outbound, link, via);
	return append_to(outbound, link->standing.verdict.line);
}

bool pv_outbound_append_to_all(struct pv_sink *sink, struct pv_str host,
    const struct pv_link *link, struct pv_str via)
{
	struct outbound *outbound = outbound_of(sink);
	uint32_t count = outbound->shard.count;
	uint32_t owner = pv_shard_of(outbound->policy, count, host);
	bool is_written = true;
	write_line(outbound, link, via);
	for (uint32_t i = 1; is_written && i <= count; i++) {
		if (i != owner && i != outbound->shard.number)
			is_written = append_to(outbound, i);
	}
	return is_written;
}

static bool sync_outbound(struct pv_sink *sink, uint64_t *lengths)
{
	struct outbound *outbound = outbound_of(sink);
	bool is_synced = true;
	for (uint32_t i = 0; is_synced && i < outbound->shard.count; i++) {
		if (outbound->files[i])
			is_synced =
			    pv_line_file_sync(outbound->files[i], &lengths[i]);
	}
	return is_synced;
}

const struct pv_sink_kind pv_sink_outbound = {
    .name = "addresses for other shards",
    .files = files,
    .is_wanted = is_wanted,
    .open = open_outbound,
    .recover = recover,
    .sync = sync_outbound,
    .close = close_outbound,
};
