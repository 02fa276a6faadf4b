#include "parse/rel.h"

#include "base/reader.h"
#include "http/file_type.h"

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

static bool is_one_of(struct pv_str word, const char *const *words)
{
	while (*words && !is_word(word, *words))
		words++;
	return *words != NULL;
}

static const char *const pages[] = {
    "canonical", "alternate", "next", "prev", NULL};

/* Parts of this page, be they alternate or not: another dress is not another
 * page. */
static const char *const parts[] = {"stylesheet", "icon", NULL};

static const char *const resources[] = {"apple-touch-icon",
    "apple-touch-icon-precomposed", "manifest", "mask-icon", "modulepreload",
    "prefetch", "preload", "prerender", NULL};

/* Of these alone a browser asks for what they say that it is. */
static const char *const fetched[] = {
    "modulepreload", "prefetch", "preload", "prerender", NULL};

/* Where people may go next. */
static const char *const ahead[] = {"prefetch", "prerender", NULL};

/* Nothing is asked for by GET where these lead to. */
static const char *const hints[] = {
    "dns-prefetch", "preconnect", "pingback", NULL};

/* What the page does not stand behind: it was paid for it, or others wrote
 * it. */
static const char *const unfollowed[] = {"nofollow", "ugc", "sponsored", NULL};

struct pv_rel pv_rel_read(struct pv_str words)
{
	struct pv_rel rel = {.is_empty = true};
	struct pv_reader reader = pv_reader_of(words);
	struct pv_str word;
	bool is_part = false, is_hint = false, is_more = false;
	while (take_word(&reader, &word)) {
		rel.is_empty = false;
		rel.is_page = rel.is_page || is_one_of(word, pages);
		rel.is_resource = rel.is_resource || is_one_of(word, resources);
		rel.is_fetched = rel.is_fetched || is_one_of(word, fetched);
		rel.is_ahead = rel.is_ahead || is_one_of(word, ahead);
		rel.is_nofollow =
		    rel.is_nofollow || is_one_of(word, unfollowed);
		is_part = is_part || is_one_of(word, parts);
		bool is_of_hints = is_one_of(word, hints);
		is_hint = is_hint || is_of_hints;
		is_more = is_more || !is_of_hints;
	}
	rel.is_page = rel.is_page && !is_part;
	rel.is_resource = !rel.is_page && (rel.is_resource || is_part);
	rel.is_fetched = rel.is_fetched && rel.is_resource && !is_part;
	rel.is_ahead = rel.is_ahead && rel.is_fetched;
	rel.is_hint = is_hint && !is_more;
	return rel;
}

/* Whether the name of a file tells that it is no page. */
static bool is_named_part(struct pv_str target)
{
	size_t end = 0;
	while (end < target.len && target.ptr[end] != '?' &&
	       target.ptr[end] != '#')
		end++;
	return pv_file_types(pv_str_head(target, end)) != NULL;
}

void pv_rel_see(struct pv_rel *rel, struct pv_str as, struct pv_str target)
{
	if (as.len)
		rel->is_ahead = rel->is_fetched && is_word(as, "document");
	else
		rel->is_ahead = rel->is_ahead && !is_named_part(target);
}
