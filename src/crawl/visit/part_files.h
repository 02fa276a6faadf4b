#ifndef PAVANE_CRAWL_VISIT_PART_FILES_H
#define PAVANE_CRAWL_VISIT_PART_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where parts of bodies are kept (record/part.h): in the directory `parts` of
 * the crawl's, each in a file named by its address's number. What is known of
 * them stands in the state; a file counts for as many bytes as its row says,
 * and only while their digest is right, so that nothing has to be done in one
 * step with the state. A file without a row is removed when the crawl is opened
 * and when it is closed, and the directory with the last of them.
 *
 * Here, in one place, is how many there may be.
 */
#define PV_PART_FILES_MAX 64
#define PV_PART_FILES_BYTES_MAX ((uint64_t)64 << 30)

struct pv_crawl;
struct pv_digester;
struct pv_response;
struct pv_resumption;

struct pv_part_files {
	size_t count;
	uint64_t bytes;
};

void pv_part_files_open(struct pv_crawl *crawl);

/* When nobody else is at work on the state. */
void pv_part_files_close(struct pv_crawl *crawl);

/* Whether there is a file with so many bytes or more. */
bool pv_part_files_has(const char *directory, uint64_t address, uint64_t size);

/* Opens one to be read and written, or makes an empty one: a file, or -1 and
 * errno. In any thread. */
int pv_part_files_take(const char *directory, uint64_t address);
int pv_part_files_make(const char *directory, uint64_t address);

/* In any thread; none is fine. */
void pv_part_files_remove(const char *directory, uint64_t address);

/* What the pool does with the file of a visit's part (crawl/visit/resume.h):
 * begins it, makes it longer, or makes the whole of it and what has come; or
 * throws it away.
 *
 * Bytes are on the disk before the state knows of them, and those that were
 * there are held against their digest before anything is put behind them: what
 * was damaged, or cut short by the end of a process or of the power, is never
 * continued. What lies beyond the part was never committed, and is written
 * over. A body that has become whole is read from that file, whose name goes
 * when the page has been kept.
 *
 * Runs before the answer is read, whose body may become whole by it; the
 * crawl's directory is given. False, with errno, if the disk is in the way. */
bool pv_part_files_run(const char *directory, struct pv_resumption *resumption,
    struct pv_response *response, struct pv_digester *digester);

/* After the answer was read. */
void pv_part_files_end(
    const char *directory, const struct pv_resumption *resumption);

#endif
