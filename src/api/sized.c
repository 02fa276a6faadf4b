#include "api/sized.h"

#include <string.h>

/* 0 where it was never set. */
static size_t size_of(const void *sized)
{
	size_t size = 0;
	if (sized)
		memcpy(&size, sized, sizeof(size));
	return size > sizeof(size) ? size : 0;
}

static size_t lesser(size_t a, size_t b)
{
	return a < b ? a : b;
}

bool pv_sized_read(void *own, size_t own_size, const void *given)
{
	size_t given_size = size_of(given);
	memset(own, 0, own_size);
	if (!given_size)
		return false;
	memcpy(own, given, lesser(own_size, given_size));
	memcpy(own, &own_size, sizeof(own_size));
	return true;
}

bool pv_sized_write(void *given, const void *own, size_t own_size)
{
	size_t given_size = size_of(given);
	if (!given_size)
		return false;
	memcpy((char *)given + sizeof(given_size),
	    (const char *)own + sizeof(given_size),
	    lesser(own_size, given_size) - sizeof(given_size));
	return true;
}
