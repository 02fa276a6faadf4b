#include "tree/page_words.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/nearest.h"
#include "base/reader.h"

/* Of so many different words; of a hostile page the rest is not looked at. */
#define DIFFERENT_MAX 3000

struct collection {
	const struct pv_tree *tree;
	struct pv_arena *arena;
	struct pv_map known;
	const char *words[DIFFERENT_MAX];
	size_t count;
};

static bool is_word_byte(int byte)
{
	return !pv_is_html_space(byte);
}

static void collect(struct collection *collection, struct pv_str word)
{
	if (!word.len || collection->count == DIFFERENT_MAX ||
	    !pv_map_add(&collection->known, word, 0))
		return;
	collection->words[collection->count++] =
	    pv_arena_text(collection->arena, word);
}

static void collect_all(struct collection *collection, char sort)
{
	const struct pv_tree_node *node = pv_tree_document(collection->tree);
	const struct pv_tree_node *end = pv_node_end(node);
	struct pv_str name =
	    sort == PV_WORD_ID ? PV_STR("id") : PV_STR("class");
	uint64_t bit = pv_node_word(PV_WORD_ATTRIBUTE, name);
	for (; node < end; node++) {
		if (!(node->words & bit))
			continue;
		struct pv_reader reader =
		    pv_reader_of(pv_node_attribute(node, name));
		while (!pv_reader_is_end(&reader)) {
			pv_reader_take_while(&reader, pv_is_html_space);
			collect(collection,
			    pv_reader_take_while(&reader, is_word_byte));
		}
	}
}

static void add(struct pv_page_words *words, const char *word)
{
	for (size_t i = 0; i < words->count; i++) {
		if (words->items[i] == word)
			return;
	}
	if (words->count < PV_PAGE_WORDS_MAX)
		words->items[words->count++] = word;
}

void pv_page_words_find(struct pv_page_words *words, const struct pv_tree *tree,
    char sort, struct pv_str written, struct pv_arena *arena)
{
	struct collection *collection = pv_alloc(sizeof(*collection));
	struct pv_nearest nearest = pv_nearest_to(written);
	*words = (struct pv_page_words){.count = 0};
	collection->tree = tree;
	collection->arena = arena;
	pv_map_init(&collection->known, (struct pv_hash_key){{0, 0}});
	collect_all(collection, sort);
	for (size_t i = 0; i < collection->count; i++)
		pv_nearest_offer(&nearest, collection->words[i]);
	if (nearest.word)
		add(words, nearest.word);
	for (size_t i = 0; i < collection->count; i++) {
		struct pv_str word = pv_str_of(collection->words[i]);
		if (pv_str_starts(word, written) ||
		    (nearest.word &&
			pv_str_starts(word, pv_str_of(nearest.word))))
			add(words, collection->words[i]);
	}
	pv_map_finish(&collection->known);
	free(collection);
}
