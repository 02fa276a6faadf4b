#ifndef PAVANE_TESTS_API_CRAWL_FILE_SINK_H
#define PAVANE_TESTS_API_CRAWL_FILE_SINK_H

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pavane/pavane.h"

/* A sink as a program may write it: a file with a line for each answer, its
 * status, "last" or "more", and its address. It notes how it is called, and
 * fails, or has its process killed, where a test wants it to. */
struct file_sink {
	struct pavane_sink verbs; /* to be given to the crawl */
	char path[300];
	int file;
	uint64_t length;

	/* How it was called */
	unsigned recovers;
	uint64_t recovered; /* with that length, the last time */
	atomic_uint prepares;
	atomic_uint prepares_on_loop;
	unsigned appends;
	unsigned odd; /* calls on another thread than the writer's, or with
			 another part than was prepared */
	unsigned syncs;
	unsigned closes;
	bool has_news;
	uint64_t appended;    /* the last number ... */
	atomic_ullong synced; /* ... and as of the last sync */
	pthread_t loop, writer;
	bool has_writer;

	/* What the test wants */
	const char *fails_in; /* that verb; NULL: it does not */
	unsigned fails_until; /* it was called so often; 0: each time */
	int error;
	const char *text;
	bool prepares_nothing;
	size_t large;              /* a part of so many bytes first */
	atomic_uint large_taken;   /* how often that was taken ... */
	atomic_uint large_refused; /* ... and one byte more was not */
	uint64_t claims;           /* that length; 0: the truth */
	unsigned kill_at;          /* that moment; 0: never */
	atomic_uint moments;
};

static inline void file_sink_moment(struct file_sink *sink)
{
	if (atomic_fetch_add(&sink->moments, 1) + 1 == sink->kill_at)
		kill(getpid(), SIGKILL);
}

static inline bool file_sink_may(
    const struct file_sink *sink, const char *verb, struct pavane_fault *fault)
{
	if (!sink->fails_in || strcmp(sink->fails_in, verb) != 0)
		return true;
	fault->error = sink->error;
	/* As a program may do that counts badly: without the NUL. */
	if (sink->text)
		memcpy(fault->text, sink->text,
		    strnlen(sink->text, sizeof(fault->text)));
	return false;
}

static inline bool file_sink_recover(
    void *ctx, uint64_t length, struct pavane_fault *fault)
{
	struct file_sink *sink = ctx;
	struct stat facts;
	sink->recovers++;
	sink->recovered = length;
	if (!file_sink_may(sink, "recover", fault))
		return false;
	sink->file =
	    open(sink->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (sink->file < 0 || fstat(sink->file, &facts) != 0 ||
	    (uint64_t)facts.st_size < length ||
	    ftruncate(sink->file, (off_t)length) != 0) {
		snprintf(fault->text, sizeof(fault->text),
		    "the file is not as it was");
		return false;
	}
	sink->length = length;
	return true;
}

static inline void file_sink_prepare_large(
    struct file_sink *sink, struct pavane_part *part)
{
	char bytes[1024] = "";
	bool is_taken = true;
	for (size_t len = 0; is_taken && len < sink->large;
	     len += sizeof(bytes))
		is_taken = pavane_part_append(part, bytes, sizeof(bytes));
	sink->large_taken += is_taken;
	sink->large_refused += !pavane_part_append(part, "x", 1) &&
			       !pavane_part_append(part, bytes, SIZE_MAX);
}

static inline bool file_sink_prepare(void *ctx, const struct pavane_page *page,
    struct pavane_part *part, struct pavane_fault *fault)
{
	struct file_sink *sink = ctx;
	char status[16];
	file_sink_moment(sink);
	unsigned number = atomic_fetch_add(&sink->prepares, 1) + 1;
	if (pthread_equal(pthread_self(), sink->loop))
		atomic_fetch_add(&sink->prepares_on_loop, 1);
	if (sink->large) {
		file_sink_prepare_large(sink, part);
	} else if (!sink->prepares_nothing) {
		snprintf(status, sizeof(status), "%u ", page->status);
		pavane_part_append(part, status, strlen(status));
		pavane_part_append(part, page->address, strlen(page->address));
	}
	return (sink->fails_until && number > sink->fails_until) ||
	       file_sink_may(sink, "prepare", fault);
}

static inline void file_sink_note_writer(struct file_sink *sink)
{
	pthread_t self = pthread_self();
	if (!sink->has_writer)
		sink->writer = self;
	sink->has_writer = true;
	sink->odd += !pthread_equal(self, sink->writer) ||
		     pthread_equal(self, sink->loop);
}

static inline void file_sink_write(
    struct file_sink *sink, const char *bytes, size_t len)
{
	if (write(sink->file, bytes, len) == (ssize_t)len)
		sink->length += len;
}

static inline bool file_sink_append(
    void *ctx, const struct pavane_entry *entry, struct pavane_fault *fault)
{
	struct file_sink *sink = ctx;
	char line[1024], wanted[1024];
	const char *word = entry->is_final ? "last" : "more";
	file_sink_moment(sink);
	file_sink_note_writer(sink);
	sink->appends++;
	snprintf(
	    wanted, sizeof(wanted), "%u %s", entry->status, entry->address);
	sink->odd += !sink->prepares_nothing && !sink->large &&
		     (strlen(wanted) != entry->part_len ||
			 memcmp(wanted, entry->part, entry->part_len) != 0);
	size_t len = (size_t)snprintf(line, sizeof(line), "%u %s %s\n",
	    entry->status, word, entry->address);
	file_sink_write(sink, line, len / 2);
	file_sink_moment(sink);
	file_sink_write(sink, line + len / 2, len - len / 2);
	sink->appended = entry->number;
	sink->has_news = true;
	file_sink_moment(sink);
	return file_sink_may(sink, "append", fault);
}

static inline bool file_sink_sync(
    void *ctx, uint64_t *length, struct pavane_fault *fault)
{
	struct file_sink *sink = ctx;
	file_sink_moment(sink);
	file_sink_note_writer(sink);
	sink->odd += !sink->has_news;
	sink->has_news = false;
	sink->syncs++;
	if (!file_sink_may(sink, "sync", fault))
		return false;
	if (fdatasync(sink->file) != 0) {
		fault->error = errno;
		return false;
	}
	*length = sink->claims ? sink->claims : sink->length;
	atomic_store(&sink->synced, sink->appended);
	file_sink_moment(sink);
	return true;
}

static inline void file_sink_close(void *ctx)
{
	struct file_sink *sink = ctx;
	sink->closes++;
	if (sink->file >= 0)
		close(sink->file);
	sink->file = -1;
}

/* Its file is called as it is. */
static inline void file_sink_init(
    struct file_sink *sink, const char *directory, const char *name)
{
	memset(sink, 0, sizeof(*sink));
	sink->verbs = (struct pavane_sink)PAVANE_INIT(struct pavane_sink);
	sink->verbs.name = name;
	sink->verbs.ctx = sink;
	sink->verbs.recover = file_sink_recover;
	sink->verbs.prepare = file_sink_prepare;
	sink->verbs.append = file_sink_append;
	sink->verbs.sync = file_sink_sync;
	sink->verbs.close = file_sink_close;
	sink->file = -1;
	sink->loop = pthread_self();
	snprintf(sink->path, sizeof(sink->path), "%s/%s.txt", directory, name);
}

#endif
