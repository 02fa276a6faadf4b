#include "api/crawl/sinks.h"

#include "api/sized.h"

void pv_given_sinks_read(
    struct pv_given_sinks *given, struct pavane_crawl_options *options)
{
	if (options->sink_count > PV_PROGRAM_SINKS_MAX)
		return;
	for (size_t i = 0; i < options->sink_count; i++) {
		struct pavane_sink *item = &given->items[i];
		bool is_read =
		    pv_sized_read(item, sizeof(*item), options->sinks[i]);
		given->list[i] = is_read ? item : NULL;
	}
	options->sinks = given->list;
}

bool pavane_part_append(struct pavane_part *part, const void *bytes, size_t len)
{
	return pv_buf_append(
	    (struct pv_buf *)part, (struct pv_str){bytes, len});
}
