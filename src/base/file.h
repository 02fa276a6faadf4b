#ifndef PAVANE_BASE_FILE_H
#define PAVANE_BASE_FILE_H

#include "base/buf.h"

enum pv_file_read {
	PV_FILE_READ,
	PV_FILE_TOO_LARGE, /* for the buffer's ceiling */
	PV_FILE_FAILED,    /* errno says why */
};

/* Appends all of a file ("-" is the standard input) to a buffer. */
enum pv_file_read pv_file_read(const char *path, struct pv_buf *buf);

#endif
