#include "base/reader.h"

#include "base/ascii.h"

bool pv_reader_accept_str(struct pv_reader *reader, struct pv_str str)
{
	if (!pv_str_starts(pv_reader_rest(reader), str))
		return false;
	reader->at += str.len;
	return true;
}

static bool is_within_line(int byte)
{
	return byte != '\n' && byte != '\r';
}

struct pv_str pv_reader_take_line(struct pv_reader *reader)
{
	struct pv_str line = pv_reader_take_while(reader, is_within_line);
	pv_reader_accept(reader, '\r');
	pv_reader_accept(reader, '\n');
	return line;
}

bool pv_reader_take_number(
    struct pv_reader *reader, uint64_t max, uint64_t *number)
{
	struct pv_reader ahead = *reader;
	uint64_t sum = 0;
	if (!pv_is_digit(pv_reader_peek(&ahead)))
		return false;
	while (pv_is_digit(pv_reader_peek(&ahead))) {
		uint64_t digit = (uint64_t)(pv_reader_next(&ahead) - '0');
		if (digit > max || sum > (max - digit) / 10)
			return false;
		sum = sum * 10 + digit;
	}
	*reader = ahead;
	*number = sum;
	return true;
}
