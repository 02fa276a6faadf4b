#include "tree/nodes/fault.h"

#include <stdarg.h>
#include <stdio.h>

void pv_expression_fault_tell(
    struct pv_expression_fault *fault, size_t offset, const char *format, ...)
{
	va_list list;
	if (fault->text[0])
		return;
	va_start(list, format);
	vsnprintf(fault->text, sizeof(fault->text), format, list);
	va_end(list);
	fault->offset = offset;
}
