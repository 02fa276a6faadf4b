#include <stddef.h>
#include <stdint.h>

#include "audit/clock_event.h"
#include "base/buf.h"
#include "merge/line_end.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A line of what a worker wrote down of clocks: whatever it holds, what is read of
 * it is within it. The same as the line of a journal that is merged: its end is
 * written anew within its bounds. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_clock_event event;
	struct pv_str text = {(const char *)data, size};
	const struct pv_merge_line_was was = {size & 1, size & 2};
	const struct pv_merge_line_end end = {7, size & 4, size & 8};
	struct pv_buf buf;
	volatile size_t length = 0;
	if (pv_clock_event_read(&event, text)) {
		length = event.name.len;
		pv_clock_event_finish(&event);
	}
	pv_buf_init(&buf, 1 << 20);
	pv_merge_line_write(text, &was, &end, &buf);
	length = buf.len;
	(void)length;
	pv_buf_finish(&buf);
	return 0;
}
