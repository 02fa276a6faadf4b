#include "audit/clock_event.h"

#include "base/json/json.h"

/* No time or length of time of ours is as large as this. */
#define NUMBER_MAX (INT64_C(1) << 50)

static bool read_kind(struct pv_str word, enum pv_clock_event_kind *kind)
{
	static const char *const words[PV_CLOCK_EVENT_COUNT] = {
	    [PV_CLOCK_TIME] = "time",
	    [PV_CLOCK_TAKEN] = "taken",
	    [PV_CLOCK_GIVEN] = "given",
	    [PV_CLOCK_REAPED] = "reaped",
	};
	for (unsigned i = 0; i < PV_CLOCK_EVENT_COUNT; i++) {
		if (!pv_str_equal(word, pv_str_of(words[i])))
			continue;
		*kind = (enum pv_clock_event_kind)i;
		return true;
	}
	return false;
}

static bool read_number(
    const struct pv_json *value, const char *name, int64_t max, int64_t *number)
{
	*number = pv_json_get_integer(value, name, -1);
	return *number >= 0 && *number < max;
}

static bool read_name(struct pv_clock_event *event)
{
	event->name = pv_json_get_text(event->value, "clock");
	event->is_address = !event->name.len;
	if (event->is_address)
		event->name = pv_json_get_text(event->value, "address");
	return event->name.len > 0;
}

static bool read_members(struct pv_clock_event *event)
{
	const struct pv_json *value = event->value;
	if (!read_kind(pv_json_get_text(value, "event"), &event->kind) ||
	    !read_number(value, "worker", PV_WORKER_MAX, &event->worker) ||
	    !read_number(value, "server_ms", NUMBER_MAX, &event->server_ms))
		return false;
	switch (event->kind) {
	case PV_CLOCK_TIME:
		return read_number(
			   value, "wall_ms", NUMBER_MAX, &event->wall_ms) &&
		       read_number(value, "uncertainty_ms", NUMBER_MAX,
			   &event->uncertainty_ms);
	case PV_CLOCK_TAKEN:
	case PV_CLOCK_GIVEN:
		return read_name(event);
	case PV_CLOCK_REAPED:
		return read_number(value, "by", PV_WORKER_MAX, &event->by);
	default:
		return false;
	}
}

bool pv_clock_event_read(struct pv_clock_event *event, struct pv_str line)
{
	struct pv_clock_event read = {.value = pv_json_read(line)};
	if (!pv_json_is_object(read.value) || !read_members(&read)) {
		pv_json_destroy(read.value);
		return false;
	}
	*event = read;
	return true;
}

void pv_clock_event_finish(struct pv_clock_event *event)
{
	pv_json_destroy(event->value);
}
