#include "serve/jobs/pulse.h"

#include "tap.h"

#define PATIENCE 1000

static const struct {
	uint64_t count;
	int64_t now_ms;
	bool beats;
	const char *claim;
} looks[] = {
    {7, 50000, true, "at first nobody can say that it does not"},
    {7, 51000, true, "it may rest for as long as it is given"},
    {7, 51001, false, "but no longer"},
    {7, 99000, false, "nor does it come back by being looked at"},
    {8, 99500, true, "it beats once its number has changed"},
    {8, 100500, true, "and has as long again"},
    {8, 100501, false, "and no longer"},
    {2, 200000, true, "another number is a beat, whichever it is"},
};

int main(void)
{
	struct pv_pulse pulse = {.count = 0};
	for (size_t i = 0; i < sizeof(looks) / sizeof(*looks); i++)
		ok(pv_pulse_beats(&pulse, looks[i].count, looks[i].now_ms,
		       PATIENCE) == looks[i].beats,
		    "%s", looks[i].claim);
	return tap_done();
}
