#include "base/unwritten.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

#define STATUS "/proc/meminfo"
#define STATUS_MAX ((size_t)64 << 10)

/* Of a line like "Dirty:   1200 kB"; false if there is none. */
static bool add(const char *status, const char *name, uint64_t *bytes)
{
	const char *line = strstr(status, name);
	if (!line)
		return false;
	*bytes += strtoull(line + strlen(name), NULL, 10) * 1024;
	return true;
}

uint64_t pv_unwritten_told(const char *status)
{
	uint64_t bytes = 0;
	bool is_told = add(status, "\nDirty:", &bytes) &&
		       add(status, "\nWriteback:", &bytes);
	return is_told ? bytes : UINT64_MAX;
}

uint64_t pv_unwritten_bytes(void)
{
	struct pv_buf status;
	pv_buf_init(&status, STATUS_MAX);
	bool is_read = pv_file_read(STATUS, &status) == PV_FILE_READ;
	uint64_t bytes =
	    is_read ? pv_unwritten_told(pv_buf_text(&status)) : UINT64_MAX;
	pv_buf_finish(&status);
	return bytes;
}
