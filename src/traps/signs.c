#include "traps/signs.h"

#include "base/ascii.h"

/* What is worth a stop; all else is passed over at once. */
static const bool stops[256] = {
    ['0'] = true,
    ['1'] = true,
    ['2'] = true,
    ['3'] = true,
    ['4'] = true,
    ['5'] = true,
    ['6'] = true,
    ['7'] = true,
    ['8'] = true,
    ['9'] = true,
    ['%'] = true,
    ['&'] = true,
    [';'] = true,
    ['='] = true,
};

static bool is_opening(struct pv_str target, size_t at)
{
	return target.ptr[at] == '/' || target.ptr[at] == '=';
}

/* Looks at the digits from here on, and returns where the last one is. */
static size_t look_at_digits(
    struct pv_signs *signs, struct pv_str target, size_t first)
{
	size_t end = first + 1;
	while (end < target.len && pv_is_digit(target.ptr[end]))
		end++;
	bool is_minus = first > 1 && target.ptr[first - 1] == '-' &&
			is_opening(target, first - 2);
	bool is_number = first && is_opening(target, first - 1);
	if (end - first >= 4)
		signs->has_year = true;
	if (is_minus || (is_number && end - first >= 2))
		signs->has_number = true;
	return end - 1;
}

struct pv_signs pv_signs_of(struct pv_str target)
{
	struct pv_signs signs = {.ampersands = 0};
	bool has_value = false;
	for (size_t i = 0; i < target.len; i++) {
		char byte = target.ptr[i];
		if (!stops[(unsigned char)byte])
			continue;
		if (byte == '&') {
			signs.ampersands++;
			has_value = false;
		} else if (byte == '=') {
			signs.marks += has_value;
			has_value = true;
		} else if (byte == '%' || byte == ';') {
			signs.marks++;
			signs.has_percent = signs.has_percent || byte == '%';
		} else {
			i = look_at_digits(&signs, target, i);
		}
	}
	return signs;
}
