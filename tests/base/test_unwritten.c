#include "base/unwritten.h"

#include <unistd.h>

#include "tap.h"

static const char status[] = "MemTotal:       24000000 kB\n"
			     "SwapFree:              0 kB\n"
			     "Dirty:              1200 kB\n"
			     "Writeback:           300 kB\n"
			     "AnonPages:        500000 kB\n"
			     "WritebackTmp:      70000 kB\n";

int main(void)
{
	ok(pv_unwritten_told(status) == 1500 * 1024,
	    "what waits for the disk counts, and what is being written");
	ok(pv_unwritten_told("MemTotal: 1 kB\nDirty: 2 kB\n") == UINT64_MAX,
	    "where one of them is not told nothing is known");
	ok(pv_unwritten_told("") == UINT64_MAX, "or nothing at all");
	ok((pv_unwritten_bytes() == UINT64_MAX) ==
		(access("/proc/meminfo", R_OK) != 0),
	    "this machine is asked");
	return tap_done();
}
