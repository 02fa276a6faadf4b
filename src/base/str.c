#include "base/str.h"

#include "base/ascii.h"

bool pv_str_equal_nocase(struct pv_str a, struct pv_str b)
{
	if (a.len != b.len)
		return false;
	for (size_t i = 0; i < a.len; i++) {
		if (pv_lower(a.ptr[i]) != pv_lower(b.ptr[i]))
			return false;
	}
	return true;
}

int pv_str_compare(struct pv_str a, struct pv_str b)
{
	size_t shared = a.len < b.len ? a.len : b.len;
	int order = shared ? memcmp(a.ptr, b.ptr, shared) : 0;
	if (order)
		return order;
	return (a.len > b.len) - (a.len < b.len);
}

size_t pv_str_find_last(struct pv_str str, char byte)
{
	const char *at = str.len ? memrchr(str.ptr, byte, str.len) : NULL;
	return at ? (size_t)(at - str.ptr) : PV_NOT_FOUND;
}

struct pv_str pv_str_trim(struct pv_str str)
{
	while (str.len && pv_is_blank(str.ptr[0]))
		str = pv_str_from(str, 1);
	while (str.len && pv_is_blank(str.ptr[str.len - 1]))
		str.len--;
	return str;
}
