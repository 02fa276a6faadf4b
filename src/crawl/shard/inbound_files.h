#ifndef PAVANE_CRAWL_SHARD_INBOUND_FILES_H
#define PAVANE_CRAWL_SHARD_INBOUND_FILES_H

#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/why.h"

/* Files from other shards, one after the other, line by line: neither a file nor
 * a line without end costs more memory than a line may have. */
struct pv_inbound_files {
	char **paths; /* owned */
	size_t count;
	size_t size;
	size_t number; /* of the one that is read */
	FILE *file;
	uint64_t line; /* of it */
	uint64_t told; /* of its lines that are none */
	struct pv_buf text;
	const struct pv_log *log; /* gets what is left out; NULL for nobody */
};

enum pv_inbound_step {
	PV_INBOUND_LINE,    /* files.text has it, without its end */
	PV_INBOUND_NOTHING, /* a line that is none, or the end of a file */
	PV_INBOUND_END,
};

void pv_inbound_files_init(struct pv_inbound_files *files);
void pv_inbound_files_finish(struct pv_inbound_files *files);

/* Adds a file, or that for the shard in the directory of a crawl, if there is
 * one. False, with the reason, if it cannot be read; it is read twice, so a pipe
 * cannot. */
bool pv_inbound_files_add(struct pv_inbound_files *files, const char *named,
    uint32_t shard, struct pv_why *why);

/* The last line of a file is none without its end: it was being written. */
enum pv_inbound_step pv_inbound_files_next(struct pv_inbound_files *files);

/* From the beginning of the first again. */
void pv_inbound_files_rewind(struct pv_inbound_files *files);

/* Logs that the line is left out, with its place, unless so many of its file
 * were that no more are told. */
void pv_inbound_files_refuse(struct pv_inbound_files *files, const char *fault);

#endif
