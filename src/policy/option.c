#include "policy/option.h"

#include "base/nearest.h"
#include "base/reader.h"

const char *pv_option_name(
    const struct pv_option *option, const struct pv_names *names)
{
	return names->name_of(option);
}

static size_t add_words(
    const char *const *added, const char *words[], size_t count)
{
	for (size_t i = 0; added && added[i] && count < PV_OPTION_WORDS_MAX;
	     i++)
		words[count++] = added[i];
	return count;
}

void pv_option_words(
    const struct pv_option *option, const char *words[PV_OPTION_WORDS_MAX + 1])
{
	static const char *const none[] = {"none", NULL};
	size_t count = add_words(option->kind->words, words, 0);
	count = add_words(option->choices, words, count);
	if (option->flags & PV_MAY_BE_NONE)
		count = add_words(none, words, count);
	words[count] = NULL;
}

/* Most names differ in their first letter, which is quickly seen. */
static bool begins_alike(const char *known, struct pv_str name)
{
	return name.len && known[0] == name.ptr[0];
}

const struct pv_option *pv_option_get(
    struct pv_str name, const struct pv_names *names)
{
	for (size_t i = 0; i < names->count; i++) {
		const char *known = pv_option_name(&names->options[i], names);
		if (known && begins_alike(known, name) &&
		    pv_str_equal(pv_str_of(known), name))
			return &names->options[i];
	}
	return NULL;
}

/* What follows the section in a name; empty if it does not lie in it. */
static struct pv_str rest_below(const char *name, struct pv_str section)
{
	struct pv_str known = pv_str_of(name);
	if (!section.len)
		return known;
	if (known.len > section.len + 1 && pv_str_starts(known, section) &&
	    known.ptr[section.len] == '.')
		return pv_str_from(known, section.len + 1);
	return PV_STR("");
}

bool pv_option_is_section(struct pv_str name, const struct pv_names *names)
{
	for (size_t i = 0; i < names->count; i++) {
		const char *known = pv_option_name(&names->options[i], names);
		if (known && begins_alike(known, name) &&
		    rest_below(known, name).len)
			return true;
	}
	return false;
}

/* Offers the next component of every name below the section. */
static void offer_siblings(struct pv_nearest *nearest, struct pv_str section,
    const struct pv_names *names, struct pv_buf *buf)
{
	struct pv_buf word;
	pv_buf_init(&word, 64);
	for (size_t i = 0; i < names->count; i++) {
		const char *known = pv_option_name(&names->options[i], names);
		struct pv_str rest =
		    known ? rest_below(known, section) : PV_STR("");
		struct pv_reader reader = pv_reader_of(rest);
		size_t before = nearest->distance;
		pv_buf_clear(&word);
		pv_buf_append(&word, pv_reader_take_until(&reader, '.'));
		pv_nearest_offer(nearest, pv_buf_text(&word));
		if (nearest->distance < before) {
			pv_buf_clear(buf);
			pv_buf_append(buf, section);
			pv_buf_append_text(buf, section.len ? "." : "");
			pv_buf_append(buf, pv_buf_str(&word));
		}
	}
	pv_buf_finish(&word);
}

/* Whether one text stands within the other, both long enough to mean
 * something. */
static bool is_part(struct pv_str part, struct pv_str whole)
{
	return part.len >= 4 && part.len <= whole.len &&
	       memmem(whole.ptr, whole.len, part.ptr, part.len);
}

/* The sibling that is a part of the key (pages of max_pages), or that the key
 * is a part of. */
static void find_part(struct pv_str section, struct pv_str key,
    const struct pv_names *names, struct pv_buf *buf)
{
	for (size_t i = 0; i < names->count && !buf->len; i++) {
		const char *known = pv_option_name(&names->options[i], names);
		struct pv_str rest =
		    known ? rest_below(known, section) : PV_STR("");
		struct pv_reader reader = pv_reader_of(rest);
		struct pv_str sibling = pv_reader_take_until(&reader, '.');
		if (!is_part(sibling, key) && !is_part(key, sibling))
			continue;
		pv_buf_append(buf, section);
		pv_buf_append_char(buf, '.');
		pv_buf_append(buf, sibling);
	}
}

/* Offers the last component of every name: a key in the wrong section. */
static void offer_all(struct pv_nearest *nearest, const struct pv_names *names,
    struct pv_buf *buf)
{
	for (size_t i = 0; i < names->count; i++) {
		const char *known = pv_option_name(&names->options[i], names);
		size_t before = nearest->distance;
		if (!known)
			continue;
		const char *dot = strrchr(known, '.');
		pv_nearest_offer(nearest, dot ? dot + 1 : known);
		if (nearest->distance < before) {
			pv_buf_clear(buf);
			pv_buf_append_text(buf, known);
		}
	}
}

const char *pv_option_nearest(struct pv_str section, struct pv_str key,
    const struct pv_names *names, struct pv_buf *buf)
{
	struct pv_nearest nearest = pv_nearest_to(key);
	pv_buf_clear(buf);
	offer_siblings(&nearest, section, names, buf);
	if (!buf->len && section.len)
		find_part(section, key, names, buf);
	if (nearest.distance > 1 && !buf->len)
		offer_all(&nearest, names, buf);
	return buf->len ? pv_buf_text(buf) : NULL;
}

const char *pv_option_list(
    struct pv_str section, const struct pv_names *names, struct pv_buf *buf)
{
	struct pv_str last = {"", 0};
	size_t last_start = 0;
	pv_buf_clear(buf);
	for (size_t i = 0; i < names->count; i++) {
		const char *known = pv_option_name(&names->options[i], names);
		struct pv_str rest =
		    known ? rest_below(known, section) : PV_STR("");
		struct pv_reader reader = pv_reader_of(rest);
		struct pv_str key = pv_reader_take_until(&reader, '.');
		if (!key.len || pv_str_equal(key, last))
			continue;
		last_start = buf->len;
		pv_buf_append_text(buf, last.len ? ", " : "");
		pv_buf_append(buf, key);
		last = key;
	}
	if (last_start) {
		pv_buf_cut(buf, last_start);
		pv_buf_append_text(buf, " and ");
		pv_buf_append(buf, last);
	}
	return pv_buf_text(buf);
}
