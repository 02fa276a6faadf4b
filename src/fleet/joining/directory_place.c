#include "fleet/joining/directory_place.h"

#include <sys/stat.h>

#include "base/buf.h"
#include "base/file.h"

#define BOOT_ID "/proc/sys/kernel/random/boot_id"
#define BOOT_ID_MAX 100

int64_t pv_directory_place(const char *directory, struct pv_hash_key key)
{
	struct stat found;
	struct pv_buf text;
	if (stat(directory, &found) != 0)
		return 0;
	pv_buf_init(&text, 2 * BOOT_ID_MAX);
	bool is_known =
	    pv_file_read(BOOT_ID, &text) == PV_FILE_READ && text.len;
	pv_buf_append_format(&text, "%llu:%llu",
	    (unsigned long long)found.st_dev, (unsigned long long)found.st_ino);
	int64_t place =
	    is_known ? (int64_t)(pv_hash(&key, pv_buf_str(&text)) >> 1) : 0;
	pv_buf_finish(&text);
	return place;
}
