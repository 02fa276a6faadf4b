#include <stdio.h>

#include "pavane/pavane.h"

int main(void)
{
	printf("pavane %s\n", pavane_version());
	return 0;
}
