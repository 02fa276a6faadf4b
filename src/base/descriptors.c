#include "base/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool pv_descriptors_check(struct pv_why *why)
{
	int files[PV_DESCRIPTORS_LEAST];
	unsigned count = 0;
	while (count < PV_DESCRIPTORS_LEAST &&
	       (files[count] = open("/", O_PATH | O_CLOEXEC)) >= 0)
		count++;
	int error = errno;
	for (unsigned i = 0; i < count; i++)
		close(files[i]);
	if (count == PV_DESCRIPTORS_LEAST)
		return true;
	pv_why_add(why, (struct pv_place){.file = "this machine"}, PV_STR(""),
	    "no more than %u files can be opened (%s), and a crawl needs %u "
	    "at least: raise the limit (ulimit -n)",
	    count, strerror(error), (unsigned)PV_DESCRIPTORS_LEAST);
	return false;
}
