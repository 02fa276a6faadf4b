#include "audit/clock_event.h"

#include "tap.h"

#define TIME "\"wall_ms\":10,\"server_ms\":20,\"uncertainty_ms\":3"

static const struct {
	const char *claim;
	const char *line;
	bool is_read;
	enum pv_clock_event_kind kind;
} lines[] = {
    {"a time", "{\"event\":\"time\",\"worker\":3," TIME "}", true,
	PV_CLOCK_TIME},
    {"a clock that is taken",
	"{\"event\":\"taken\",\"worker\":3,\"clock\":\"a\",\"server_ms\":1}",
	true, PV_CLOCK_TAKEN},
    {"one that is given",
	"{\"event\":\"given\",\"worker\":3,\"clock\":\"a\",\"server_ms\":1}",
	true, PV_CLOCK_GIVEN},
    {"a worker whose lease is over",
	"{\"event\":\"reaped\",\"worker\":3,\"by\":4,\"server_ms\":1}", true,
	PV_CLOCK_REAPED},
    {"a member more", "{\"event\":\"time\",\"worker\":3,\"x\":[]," TIME "}",
	true, PV_CLOCK_TIME},
    {"nothing", "", false, 0},
    {"no JSON", "{", false, 0},
    {"an array", "[]", false, 0},
    {"no object", "3", false, 0},
    {"no event", "{\"worker\":3," TIME "}", false, 0},
    {"an event that nobody knows", "{\"event\":\"lost\",\"worker\":3," TIME "}",
	false, 0},
    {"no worker", "{\"event\":\"time\"," TIME "}", false, 0},
    {"a worker that is none", "{\"event\":\"time\",\"worker\":-1," TIME "}",
	false, 0},
    {"a worker beyond all numbers",
	"{\"event\":\"time\",\"worker\":2147483648," TIME "}", false, 0},
    {"a worker in words", "{\"event\":\"time\",\"worker\":\"3\"," TIME "}",
	false, 0},
    {"a fraction",
	"{\"event\":\"reaped\",\"worker\":3,\"by\":4,\"server_ms\":1.5}", false,
	0},
    {"a time beyond all numbers",
	"{\"event\":\"reaped\",\"worker\":3,\"by\":4,"
	"\"server_ms\":9223372036854775807}",
	false, 0},
    {"a time without its uncertainty",
	"{\"event\":\"time\",\"worker\":3,\"wall_ms\":1,\"server_ms\":1}",
	false, 0},
    {"an uncertainty below nothing",
	"{\"event\":\"time\",\"worker\":3,\"wall_ms\":1,\"server_ms\":1,"
	"\"uncertainty_ms\":-1}",
	false, 0},
    {"a clock without a name",
	"{\"event\":\"taken\",\"worker\":3,\"clock\":\"\",\"server_ms\":1}",
	false, 0},
    {"neither a clock nor an address",
	"{\"event\":\"taken\",\"worker\":3,\"server_ms\":1}", false, 0},
    {"nobody who ended it",
	"{\"event\":\"reaped\",\"worker\":3,\"server_ms\":1}", false, 0},
};

static void test_members(void)
{
	struct pv_clock_event event;
	if (!ok(pv_clock_event_read(&event,
		    PV_STR("{\"event\":\"time\",\"worker\":3," TIME "}")),
		"a time is read"))
		return;
	ok(event.worker == 3 && event.wall_ms == 10 && event.server_ms == 20 &&
		event.uncertainty_ms == 3,
	    "with all its numbers");
	pv_clock_event_finish(&event);
	if (!ok(pv_clock_event_read(&event,
		    PV_STR("{\"event\":\"taken\",\"worker\":0,\"address\":"
			   "\"192.0.2.1\",\"server_ms\":20}")),
		"an address is read"))
		return;
	is_text(event.name, "192.0.2.1", "by its name");
	ok(event.is_address && event.worker == 0, "as one");
	pv_clock_event_finish(&event);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct pv_clock_event event;
		bool is_read =
		    pv_clock_event_read(&event, pv_str_of(lines[i].line));
		ok(is_read == lines[i].is_read &&
			(!is_read || event.kind == lines[i].kind),
		    "%s: %s", lines[i].claim,
		    lines[i].is_read ? "is read" : "is no event");
		if (is_read)
			pv_clock_event_finish(&event);
	}
	test_members();
	return tap_done();
}
