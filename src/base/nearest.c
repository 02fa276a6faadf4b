#include "base/nearest.h"

#include "base/ascii.h"

/* Longer words are not compared: nobody mistypes a word of this length into
 * another, and the work stays bounded. */
#define WORD_MAX 63

struct pv_nearest pv_nearest_to(struct pv_str written)
{
	return (struct pv_nearest){
	    .written = written,
	    .distance = written.len / 3 + 1, /* to be beaten */
	};
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Case and the difference of - and _ count for nothing. */
static char folded(char c)
{
	return c == '-' ? '_' : pv_lower(c);
}

/* Optimal string alignment (Damerau), three rows at a time. */
static size_t distance(struct pv_str a, struct pv_str b)
{
	size_t rows[3][WORD_MAX + 1];
	for (size_t j = 0; j <= b.len; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= a.len; i++) {
		size_t *row = rows[i % 3];
		const size_t *above = rows[(i + 2) % 3];
		const size_t *over = rows[(i + 1) % 3];
		row[0] = i;
		for (size_t j = 1; j <= b.len; j++) {
			char x = folded(a.ptr[i - 1]);
			char y = folded(b.ptr[j - 1]);
			row[j] = least(least(above[j], row[j - 1]) + 1,
			    above[j - 1] + (x != y));
			if (i > 1 && j > 1 && x == folded(b.ptr[j - 2]) &&
			    y == folded(a.ptr[i - 2]))
				row[j] = least(row[j], over[j - 2] + 1);
		}
	}
	return rows[a.len % 3][b.len];
}

void pv_nearest_offer(struct pv_nearest *nearest, const char *word)
{
	struct pv_str offered = pv_str_of(word);
	if (nearest->written.len > WORD_MAX || offered.len > WORD_MAX)
		return;
	size_t found = distance(nearest->written, offered);
	if (found < nearest->distance && found < offered.len) {
		nearest->distance = found;
		nearest->word = word;
	}
}
