#include "parse/rel.h"

#include "base/reader.h"

static bool is_gap(int byte)
{
	return byte == ' ' || (byte >= '\t' && byte <= '\r') || byte == ',';
}

static bool is_within_word(int byte)
{
	return byte >= 0 && !is_gap(byte);
}

/* Takes the next word; false after the last. */
static bool take_word(struct pv_reader *reader, struct pv_str *word)
{
	pv_reader_take_while(reader, is_gap);
	*word = pv_reader_take_while(reader, is_within_word);
	return word->len > 0;
}

static bool is_word(struct pv_str word, const char *wanted)
{
	return pv_str_equal_nocase(word, pv_str_of(wanted));
}

struct pv_rel pv_rel_read(struct pv_str words)
{
	struct pv_rel rel = {.is_page = false};
	struct pv_reader reader = pv_reader_of(words);
	struct pv_str word;
	bool is_style = false;
	while (take_word(&reader, &word)) {
		rel.is_page = rel.is_page || is_word(word, "canonical") ||
			      is_word(word, "alternate") ||
			      is_word(word, "next") || is_word(word, "prev");
		rel.is_nofollow = rel.is_nofollow || is_word(word, "nofollow");
		is_style = is_style || is_word(word, "stylesheet");
	}
	/* an "alternate stylesheet" is another dress, not another page */
	rel.is_page = rel.is_page && !is_style;
	return rel;
}

void pv_robots_words_read(struct pv_robots_words *words, struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	struct pv_str word;
	while (take_word(&reader, &word)) {
		bool is_none = is_word(word, "none");
		if (is_none || is_word(word, "noindex"))
			words->is_noindex = true;
		if (is_none || is_word(word, "nofollow"))
			words->is_nofollow = true;
		if (is_word(word, "noarchive"))
			words->is_noarchive = true;
	}
}
