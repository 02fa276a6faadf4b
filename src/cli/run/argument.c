#include "cli/run/argument.h"

#include <stdio.h>
#include <string.h>

bool pv_argument_repeats(const struct pv_argument *argument)
{
	return strstr(argument->name, "...") != NULL;
}

void pv_arguments_write(
    const struct pv_argument *arguments, char *text, size_t size)
{
	size_t len = 0;
	text[0] = '\0';
	for (; arguments && arguments->name && len < size; arguments++)
		len += (size_t)snprintf(text + len, size - len, "%s%s",
		    len ? " " : "", arguments->name);
}
