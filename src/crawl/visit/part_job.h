#ifndef PAVANE_CRAWL_VISIT_PART_JOB_H
#define PAVANE_CRAWL_VISIT_PART_JOB_H

#include <stdbool.h>

/* What the pool does with the file of a part (crawl/visit/resume.h): begins it,
 * makes it longer, or makes the whole of it and what has come; or throws it
 * away.
 *
 * Bytes are on the disk before the state knows of them, and those that were
 * there are held against their digest before anything is put behind them: what
 * was damaged, or cut short by the end of a process or of the power, is never
 * continued. What lies beyond the part was never committed, and is written
 * over. A body that has become whole is read from that file, whose name goes
 * when the page has been kept.
 */
struct pv_digester;
struct pv_response;
struct pv_resumption;

/* Before the answer is read, whose body may become whole by it; the crawl's
 * directory is given. False, with errno, if the disk is in the way. */
bool pv_part_job_run(const char *directory, struct pv_resumption *resumption,
    struct pv_response *response, struct pv_digester *digester);

/* After it. */
void pv_part_job_finish(
    const char *directory, const struct pv_resumption *resumption);

#endif
