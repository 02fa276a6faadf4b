#ifndef PAVANE_BASE_ASCII_H
#define PAVANE_BASE_ASCII_H

#include <stdbool.h>

/* Kinds of ASCII bytes, in any locale. Each takes any int, so the -1 that a
 * reader gives at its end is simply none of them. */

static inline bool pv_is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static inline bool pv_is_upper(int c)
{
	return c >= 'A' && c <= 'Z';
}

static inline bool pv_is_lower(int c)
{
	return c >= 'a' && c <= 'z';
}

static inline bool pv_is_alpha(int c)
{
	return pv_is_upper(c) || pv_is_lower(c);
}

static inline bool pv_is_alnum(int c)
{
	return pv_is_alpha(c) || pv_is_digit(c);
}

/* A space or a tab: what most formats of the web take for one. */
static inline bool pv_is_blank(int c)
{
	return c == ' ' || c == '\t';
}

static inline bool pv_is_control(int c)
{
	return (c >= 0 && c < 0x20) || c == 0x7f;
}

static inline char pv_lower(char c)
{
	return pv_is_upper(c) ? (char)(c + 32) : c;
}

/* The value of a hexadecimal digit; -1 if it is none. */
static inline int pv_hex_value(int c)
{
	if (pv_is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* A character of a token (RFC 9110, 5.6.2). */
extern const bool pv_token_bytes[256];

static inline bool pv_is_token(int c)
{
	return c >= 0 && c < 256 && pv_token_bytes[c];
}

#endif
