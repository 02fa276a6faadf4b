#include "base/ascii.h"

#include <stddef.h>
#include <string.h>

bool pv_is_token(int c)
{
	return pv_is_alnum(c) ||
	       (c > 0 && c < 0x80 && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}
