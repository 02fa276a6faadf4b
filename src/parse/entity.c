#include "parse/entity.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "parse/entity_table.h"

#define NAME_LEN_MAX 31
#define CHARACTER_MAX 0x10ffff
#define REPLACEMENT 0xfffd

#define NAMES (sizeof(entity_table) / sizeof(*entity_table))

static bool is_alnum(int byte)
{
	return pv_is_alnum(byte);
}

/* As strcmp, but of a row of the table only the name counts. */
static int compare(struct pv_str name, const char *row)
{
	int difference = strncmp(name.ptr, row, name.len);
	return difference ? difference : -pv_is_alnum(row[name.len]);
}

/* What stands behind the name in its row; NULL if no row has it. */
static const char *find(struct pv_str name)
{
	size_t low = 0, high = NAMES;
	if (!name.len || name.len > NAME_LEN_MAX)
		return NULL;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int difference = compare(name, entity_table[middle]);
		if (!difference)
			return entity_table[middle] + name.len;
		if (difference < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

/* Within an attribute nothing shorter than all the letters and digits that
 * stand together can be a name, and one without its semicolon counts for
 * nothing before an equals sign: so addresses keep their "&copy=1". */
static bool take_named(struct pv_reader *reader, struct pv_entity *entity)
{
	struct pv_str name = pv_reader_take_while(reader, is_alnum);
	const char *found = find(name);
	if (!found)
		return false;
	bool is_ended = pv_reader_accept(reader, ';');
	bool may_be_open = *found == '+' && pv_reader_peek(reader) != '=';
	if (!is_ended && !may_be_open)
		return false;
	struct pv_reader text = pv_reader_of(pv_str_of(found + 1));
	entity->first = pv_utf8_next(&text);
	if (!pv_reader_is_end(&text))
		entity->second = pv_utf8_next(&text);
	return true;
}

/* Characters that pages of the past meant as windows-1252: 0x80 to 0x9f. */
static const uint16_t windows[32] = {0x20ac, 0x81, 0x201a, 0x0192, 0x201e,
    0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d,
    0x017d, 0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
    0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d, 0x017e, 0x0178};

/* https://html.spec.whatwg.org/#numeric-character-reference-end-state */
static int32_t meant_by(uint32_t number)
{
	bool is_surrogate = number >= 0xd800 && number <= 0xdfff;
	if (!number || number > CHARACTER_MAX || is_surrogate)
		return REPLACEMENT;
	if (number >= 0x80 && number <= 0x9f)
		return windows[number - 0x80];
	return (int32_t)number;
}

static int digit_of(const struct pv_reader *reader, uint32_t base)
{
	int byte = pv_reader_peek(reader);
	return base == 16 || pv_is_digit(byte) ? pv_hex_value(byte) : -1;
}

static bool take_numeric(struct pv_reader *reader, struct pv_entity *entity)
{
	bool is_hex =
	    pv_reader_accept(reader, 'x') || pv_reader_accept(reader, 'X');
	uint32_t base = is_hex ? 16 : 10, number = 0;
	if (digit_of(reader, base) < 0)
		return false;
	for (int digit; (digit = digit_of(reader, base)) >= 0;) {
		if (number <= CHARACTER_MAX)
			number = number * base + (uint32_t)digit;
		pv_reader_next(reader);
	}
	pv_reader_accept(reader, ';');
	entity->first = meant_by(number);
	return true;
}

struct pv_entity pv_entity_take(struct pv_reader *reader)
{
	struct pv_entity entity = {'&', -1};
	pv_reader_next(reader);
	struct pv_reader ahead = *reader;
	bool is_numeric = pv_reader_accept(&ahead, '#');
	if (is_numeric ? take_numeric(&ahead, &entity)
		       : take_named(&ahead, &entity))
		*reader = ahead;
	return entity;
}
