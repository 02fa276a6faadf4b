#include "policy/values/units.h"

#include "base/ascii.h"
#include "base/reader.h"

#define LARGEST INT64_C(4000000000000000000)
#define FRACTION_DIGITS_MAX 9

struct unit {
	const char *name;
	int64_t size;
};

/* Each ordered as it is written: the first that divides a number wins. */
static const struct unit counts[] = {{"", 1}, {NULL, 0}};

static const struct unit times[] = {
    {"d", 86400000},
    {"h", 3600000},
    {"m", 60000},
    {"s", 1000},
    {"ms", 1},
    {NULL, 0},
};

static const struct unit sizes[] = {
    {"TiB", INT64_C(1) << 40},
    {"GiB", INT64_C(1) << 30},
    {"MiB", INT64_C(1) << 20},
    {"KiB", INT64_C(1) << 10},
    {"TB", INT64_C(1000000000000)},
    {"GB", INT64_C(1000000000)},
    {"MB", INT64_C(1000000)},
    {"kB", INT64_C(1000)},
    {"KB", INT64_C(1000)},
    {"B", 1},
    {NULL, 0},
};

static const struct unit shares[] = {{"%", 1}, {NULL, 0}};

static const struct {
	const struct unit *units;
	int64_t bare;       /* what a number without a unit is counted in; 0:
			       there is none */
	const char *suffix; /* behind each unit */
	const char *schema;
} kinds[] = {
    [PV_UNIT_NONE] = {counts, 1, "", ""},
    [PV_UNIT_TIME] = {times, 1000, "",
	"^(0|[1-9][0-9]*)(\\.[0-9]{1,9})?(d|h|m|s|ms)$"},
    [PV_UNIT_SIZE] = {sizes, 1, "",
	"^(0|[1-9][0-9]*)(\\.[0-9]{1,9})?([TGMK]iB|[TGMkK]?B)$"},
    [PV_UNIT_BANDWIDTH] = {sizes, 1, "/s",
	"^(0|[1-9][0-9]*)(\\.[0-9]{1,9})?([TGMK]iB|[TGMkK]?B)/s$"},
    [PV_UNIT_SHARE] = {shares, 0, "", "^(0|[1-9][0-9]?|100)(\\.0{1,9})?%$"},
};

const char *pv_unit_schema(enum pv_unit_kind kind)
{
	return kinds[kind].schema;
}

/* How many `bare` or named units the rest of the text stands for; 0 if it is
 * no unit. */
static int64_t unit_size(enum pv_unit_kind kind, struct pv_str text)
{
	struct pv_str suffix = pv_str_of(kinds[kind].suffix);
	if (!text.len)
		return kinds[kind].bare;
	if (!pv_str_ends(text, suffix))
		return 0;
	text.len -= suffix.len;
	for (const struct unit *unit = kinds[kind].units; unit->name; unit++) {
		if (text.len && pv_str_equal(text, pv_str_of(unit->name)))
			return unit->size;
	}
	return 0;
}

static bool is_digit(int byte)
{
	return pv_is_digit(byte);
}

/* Takes "12.34" as the whole 12 and the digits 34. */
static bool take_decimal(
    struct pv_reader *reader, struct pv_str *whole, struct pv_str *fraction)
{
	*whole = pv_reader_take_while(reader, is_digit);
	*fraction = (struct pv_str){"", 0};
	if (!whole->len || (whole->len > 1 && whole->ptr[0] == '0'))
		return false;
	if (!pv_reader_accept(reader, '.'))
		return true;
	*fraction = pv_reader_take_while(reader, is_digit);
	return fraction->len > 0;
}

/* The digits of a fraction as a part of `size`; false if some remains. */
static bool read_fraction(struct pv_str digits, int64_t size, int64_t *part)
{
	while (digits.len && digits.ptr[digits.len - 1] == '0')
		digits.len--;
	if (digits.len > FRACTION_DIGITS_MAX)
		return false;
	__int128 sum = 0;
	__int128 scale = 1;
	for (size_t i = 0; i < digits.len; i++) {
		sum = sum * 10 + (digits.ptr[i] - '0');
		scale *= 10;
	}
	*part = (int64_t)(sum * size / scale);
	return sum * size % scale == 0;
}

enum pv_unit_fault pv_unit_read(
    enum pv_unit_kind kind, struct pv_str text, int64_t *number, bool *is_bare)
{
	struct pv_reader reader = pv_reader_of(text);
	struct pv_str whole;
	struct pv_str fraction;
	if (!take_decimal(&reader, &whole, &fraction))
		return PV_UNIT_NOT_A_NUMBER;
	struct pv_str unit = pv_reader_rest(&reader);
	if (unit.len && !pv_is_alpha((unsigned char)unit.ptr[0]) &&
	    unit.ptr[0] != '%')
		return PV_UNIT_NOT_A_NUMBER;
	int64_t size = unit_size(kind, unit);
	if (!size)
		return PV_UNIT_UNKNOWN;
	int64_t part;
	if (!read_fraction(fraction, size, &part))
		return PV_UNIT_TOO_FINE;
	struct pv_reader digits = pv_reader_of(whole);
	uint64_t most = (uint64_t)(LARGEST / size);
	uint64_t count;
	if (!pv_reader_take_number(&digits, most - 1, &count))
		return PV_UNIT_TOO_LARGE;
	*number = (int64_t)count * size + part;
	*is_bare = !unit.len;
	return PV_UNIT_RIGHT;
}

void pv_unit_write(enum pv_unit_kind kind, int64_t number, struct pv_buf *buf)
{
	static const struct unit seconds = {"s", 1};
	static const struct unit bytes = {"B", 1};
	const struct unit *unit = kinds[kind].units;
	if (number == 0 && kind != PV_UNIT_SHARE)
		unit = kind == PV_UNIT_TIME ? &seconds : &bytes;
	while (number % unit->size)
		unit++;
	pv_buf_append_format(buf, "%lld", (long long)(number / unit->size));
	if (kind != PV_UNIT_NONE)
		pv_buf_append_format(
		    buf, "%s%s", unit->name, kinds[kind].suffix);
}

bool pv_decimal_read(struct pv_str text, double *number)
{
	struct pv_reader reader = pv_reader_of(text);
	struct pv_str whole;
	struct pv_str fraction;
	if (!take_decimal(&reader, &whole, &fraction) ||
	    !pv_reader_is_end(&reader) || whole.len > 9 || fraction.len > 6)
		return false;
	double sum = 0;
	double scale = 1;
	for (size_t i = 0; i < whole.len; i++)
		sum = sum * 10 + (whole.ptr[i] - '0');
	for (size_t i = 0; i < fraction.len; i++) {
		sum = sum * 10 + (fraction.ptr[i] - '0');
		scale *= 10;
	}
	*number = sum / scale;
	return true;
}

/* printf writes the locale's decimal point, so the point is ours. */
void pv_decimal_write(double number, struct pv_buf *buf)
{
	int64_t millionths = (int64_t)(number * 1e6 + 0.5);
	int64_t fraction = millionths % 1000000;
	pv_buf_append_format(buf, "%lld", (long long)(millionths / 1000000));
	if (!fraction)
		return;
	int digits = 6;
	for (; fraction % 10 == 0; digits--)
		fraction /= 10;
	pv_buf_append_format(buf, ".%0*lld", digits, (long long)fraction);
}
