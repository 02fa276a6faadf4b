#include "config.h"
#include "pavane/pavane.h"

const char *pavane_version(void)
{
	return PACKAGE_VERSION;
}
