#ifndef PAVANE_SERVE_WEBHOOKS_RESULT_LINES_H
#define PAVANE_SERVE_WEBHOOKS_RESULT_LINES_H

#include <stdint.h>

#include "base/buf.h"

/* The lines that one delivery has: whole ones, read from the file of the job
 * itself, so that nothing is stored twice and each try has the same. */
#define PV_WEBHOOK_LINES_MAX 100
#define PV_WEBHOOK_LINES_BYTES ((size_t)1 << 20)

/* No line is longer; a delivery of one that is longer than PV_WEBHOOK_LINES_BYTES
 * has that one alone. */
#define PV_WEBHOOK_LINE_MAX ((size_t)64 << 20)

/* Appends the lines between two offsets, at each of which one begins, as far as
 * one delivery takes them, and says where they end. False if the file cannot be
 * read, or has not a whole line there. */
bool pv_webhook_lines_read(const char *path, uint64_t from, uint64_t length,
    struct pv_buf *lines, uint64_t *until);

#endif
