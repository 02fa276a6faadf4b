#include "base/hash.h"

#include <endian.h>

static uint64_t rotate(uint64_t word, int bits)
{
	return word << bits | word >> (64 - bits);
}

static inline void mix(uint64_t v[4])
{
	v[0] += v[1];
	v[1] = rotate(v[1], 13) ^ v[0];
	v[0] = rotate(v[0], 32);
	v[2] += v[3];
	v[3] = rotate(v[3], 16) ^ v[2];
	v[0] += v[3];
	v[3] = rotate(v[3], 21) ^ v[0];
	v[2] += v[1];
	v[1] = rotate(v[1], 17) ^ v[2];
	v[2] = rotate(v[2], 32);
}

static uint64_t take_word(const char *ptr)
{
	uint64_t word;
	memcpy(&word, ptr, sizeof(word));
	return le64toh(word);
}

/* The bytes behind the last whole word, and the length at the end of them. */
static uint64_t take_end(struct pv_str text)
{
	size_t rest = text.len % 8;
	uint64_t word = 0;
	if (rest && text.len > 8)
		word = take_word(text.ptr + text.len - 8) >> (64 - 8 * rest);
	else
		for (size_t i = 0; i < rest; i++)
			word |= (uint64_t)(unsigned char)text.ptr[i] << (8 * i);
	return word | (uint64_t)text.len << 56;
}

uint64_t pv_hash(const struct pv_hash_key *key, struct pv_str text)
{
	uint64_t v[4] = {
	    key->word[0] ^ 0x736f6d6570736575,
	    key->word[1] ^ 0x646f72616e646f6d,
	    key->word[0] ^ 0x6c7967656e657261,
	    key->word[1] ^ 0x7465646279746573,
	};
	size_t whole = text.len / 8;
	for (size_t i = 0; i <= whole; i++) {
		uint64_t word =
		    i < whole ? take_word(text.ptr + i * 8) : take_end(text);
		v[3] ^= word;
		mix(v);
		v[0] ^= word;
	}
	v[2] ^= 0xff;
	for (int i = 0; i < 3; i++)
		mix(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}
