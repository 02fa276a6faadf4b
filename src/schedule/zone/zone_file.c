#include "schedule/zone/zone_file.h"

#include "base/ascii.h"
#include "base/file.h"
#include "base/reader.h"
#include "schedule/zone/time_zone.h"

#define ZONE_FILES "/usr/share/zoneinfo/"
#define ZONE_FILE_MAX ((size_t)1 << 20)
#define PATH_MAX_BYTES ((size_t)4096)

static struct pv_time_zone *read_path(const char *path)
{
	struct pv_buf bytes;
	struct pv_time_zone *zone = NULL;
	pv_buf_init(&bytes, ZONE_FILE_MAX);
	if (pv_file_read(path, &bytes) == PV_FILE_READ)
		zone = pv_time_zone_read(pv_buf_str(&bytes));
	pv_buf_finish(&bytes);
	return zone;
}

/* Without a dot, so that there is no way up the directories. */
static bool is_name_byte(int byte)
{
	return pv_is_alnum(byte) || byte == '_' || byte == '+' || byte == '-' ||
	       byte == '/';
}

static struct pv_time_zone *read_named(struct pv_str name)
{
	struct pv_buf path;
	struct pv_time_zone *zone = NULL;
	struct pv_reader reader = pv_reader_of(name);
	pv_reader_take_while(&reader, is_name_byte);
	if (!name.len || !pv_reader_is_end(&reader))
		return NULL;
	pv_buf_init(&path, PATH_MAX_BYTES);
	pv_buf_append_text(&path, ZONE_FILES);
	if (pv_buf_append(&path, name))
		zone = read_path(pv_buf_text(&path));
	pv_buf_finish(&path);
	return zone;
}

/* +02:00 */
static struct pv_time_zone *read_offset(struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	uint64_t hours;
	uint64_t minutes;
	bool is_west = pv_reader_accept(&reader, '-');
	if (!is_west && !pv_reader_accept(&reader, '+'))
		return NULL;
	if (!pv_reader_take_number(&reader, 24, &hours) ||
	    !pv_reader_accept(&reader, ':') ||
	    !pv_reader_take_number(&reader, 59, &minutes) ||
	    !pv_reader_is_end(&reader))
		return NULL;
	int32_t offset_s = (int32_t)(hours * 3600 + minutes * 60);
	return pv_time_zone_fixed(is_west ? -offset_s : offset_s);
}

/* What TZ may hold (POSIX.1-2017, 8.3): a path, a zone file's name, both maybe
 * behind a colon, or a rule, which stands in the footer of a zone file. */
static struct pv_time_zone *read_local(const char *environment)
{
	if (!environment)
		return read_path("/etc/localtime");
	struct pv_str text = pv_str_of(environment);
	if (pv_str_starts(text, PV_STR(":")))
		text = pv_str_from(text, 1);
	if (pv_str_starts(text, PV_STR("/")))
		return read_path(text.ptr);
	struct pv_time_zone *zone = read_named(text);
	return zone ? zone : pv_time_zone_ruled(text);
}

static struct pv_time_zone *find_zone(
    struct pv_str name, const char *environment)
{
	if (pv_str_equal(name, PV_STR("UTC")))
		return NULL;
	if (pv_str_equal(name, PV_STR("local")))
		return read_local(environment);
	struct pv_time_zone *zone = read_offset(name);
	return zone ? zone : read_named(name);
}

struct pv_time_zone *pv_zone_file_open(
    struct pv_str name, const char *environment)
{
	struct pv_time_zone *zone = find_zone(name, environment);
	return zone ? zone : pv_time_zone_fixed(0);
}
