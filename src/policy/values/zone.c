#include "policy/values/zone.h"

#include <stdio.h>
#include <sys/stat.h>

#include "base/ascii.h"
#include "base/reader.h"

#define ZONE_FILES "/usr/share/zoneinfo"

static bool is_offset(struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	uint64_t hours;
	uint64_t minutes;
	return text.len == 6 && text.ptr[3] == ':' &&
	       (pv_reader_accept(&reader, '+') ||
		   pv_reader_accept(&reader, '-')) &&
	       pv_reader_take_number(&reader, 14, &hours) &&
	       pv_reader_accept(&reader, ':') &&
	       pv_reader_take_number(&reader, 59, &minutes) &&
	       hours * 60 + minutes <= 14 * 60 && pv_reader_is_end(&reader);
}

/* Letters, digits and what joins them, and no way up the directories. */
static bool is_zone_name(struct pv_str text)
{
	if (!text.len || text.len > 64 ||
	    !pv_is_alpha((unsigned char)text.ptr[0]))
		return false;
	for (size_t i = 0; i < text.len; i++) {
		char byte = text.ptr[i];
		if (!pv_is_alnum((unsigned char)byte) &&
		    (!byte || !strchr("_+-/", byte)))
			return false;
	}
	return true;
}

const char *pv_zone_fault(struct pv_str text)
{
	char path[sizeof(ZONE_FILES) + 80];
	if (pv_str_equal(text, PV_STR("local")) ||
	    pv_str_equal(text, PV_STR("UTC")) || is_offset(text))
		return NULL;
	if (!is_zone_name(text))
		return "";
	struct stat info;
	if (stat(ZONE_FILES, &info) != 0)
		return "time zone names need the package tzdata, which is not "
		       "installed";
	snprintf(path, sizeof(path), ZONE_FILES "/%.*s", PV_STR_ARG(text));
	if (stat(path, &info) != 0 || !S_ISREG(info.st_mode))
		return "unknown time zone";
	return NULL;
}
