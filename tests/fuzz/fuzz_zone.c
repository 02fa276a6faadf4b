#include <stdint.h>
#include <stdlib.h>

#include "schedule/zone/time_zone.h"

/* Reads a zone file, or else a rule alone. What must hold of any zone: its
 * changes lie ahead, and until the next one nothing changes. */

#define STEPS 64

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void walk(const struct pv_time_zone *zone, int64_t at_s)
{
	for (int i = 0; i < STEPS; i++) {
		int64_t change_s;
		int64_t again_s;
		int32_t offset_s = pv_time_zone_offset(zone, at_s, &change_s);
		require(offset_s >= -26 * 3600 && offset_s <= 26 * 3600);
		require(change_s > at_s);
		if (change_s > INT64_C(1) << 40)
			return;
		require(pv_time_zone_offset(zone, change_s - 1, &again_s) ==
			offset_s);
		require(again_s == change_s);
		at_s = change_s;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_str text = {(const char *)data, size};
	struct pv_time_zone *zone = pv_time_zone_read(text);
	if (!zone)
		zone = pv_time_zone_ruled(text);
	if (!zone)
		return 0;
	walk(zone, -(INT64_C(1) << 40));
	walk(zone, 0);
	walk(zone, INT64_C(1800000000));
	pv_time_zone_destroy(zone);
	return 0;
}
