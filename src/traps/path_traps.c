#include "traps/path_traps.h"

#include "traps/recurrence.h"

size_t pv_path_traps_segments(struct pv_str path)
{
	size_t slashes = 0;
	for (size_t i = 0; i < path.len; i++)
		slashes += path.ptr[i] == '/';
	return slashes - (path.ptr[path.len - 1] == '/');
}

static bool take_segment(struct pv_reader *path, struct pv_str *segment)
{
	pv_reader_accept(path, '/');
	if (pv_reader_is_end(path))
		return false;
	*segment = pv_reader_take_until(path, '/');
	return true;
}

size_t pv_path_traps_repeats(struct pv_str path, size_t limit)
{
	if (pv_path_traps_segments(path) <= limit)
		return 0;
	return pv_recurrence_find(path, take_segment, limit);
}
