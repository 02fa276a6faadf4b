#include "cli/run/foreign_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/foreign/command.h"
#include "pavane/pavane.h"

/* A letter that says one thing to wget and another to curl; what wget says is so
 * anyway may be said. */
static bool is_ambiguous(char letter)
{
	const struct pv_foreign_option *wget =
	    pv_foreign_find_letter(PV_WGET, letter);
	const struct pv_foreign_option *curl =
	    pv_foreign_find_letter(PV_CURL, letter);
	return wget && curl && strcmp(wget->name, curl->name) != 0 &&
	       wget->effect != PV_FOREIGN_IS_SO;
}

/* The letter of a word that is only one; 0 if it is more. */
static char letter_of(const char *word)
{
	return word[0] == '-' && word[1] && word[1] != '-' && word[1] != 'n'
		   ? word[1]
		   : '\0';
}

static size_t read_one(
    struct pv_translation *translation, const char *word, const char *next)
{
	char letter = letter_of(word);
	if (letter && is_ambiguous(letter)) {
		pv_translation_refuse(translation, word,
		    "it says one thing to wget and another to curl: write the "
		    "long option");
		return 1;
	}
	size_t taken = pv_foreign_option_read(translation, PV_WGET, word, next);
	return taken ? taken
		     : pv_foreign_option_read(translation, PV_CURL, word, next);
}

static bool tell_refused(const struct pv_translation *translation)
{
	bool are_understood = true;
	for (size_t i = 0; i < translation->count; i++) {
		if (!translation->items[i].is_refused)
			continue;
		fprintf(stderr, "pavane: %s: %s\n",
		    translation->items[i].option, translation->items[i].says);
		are_understood = false;
	}
	return are_understood;
}

/* Only for those commands that begin a crawl. */
static bool is_meant(int argc, char **argv)
{
	return argc > 1 && (strcmp(argv[1], "mirror") == 0 ||
			       strcmp(argv[1], "crawl") == 0);
}

bool pv_foreign_options_take(struct pv_foreign_options *foreign, int argc,
    char **argv, pv_own_option_fn own)
{
	pv_translation_init(&foreign->translation);
	foreign->words = NULL;
	if (!is_meant(argc, argv))
		return true;
	foreign->words = calloc((size_t)argc + 1, sizeof(*foreign->words));
	if (!foreign->words)
		pavane_out_of_memory((size_t)argc);
	foreign->count = 0;
	bool are_options = true;
	for (int i = 0; i < argc;) {
		const char *next = i + 1 < argc ? argv[i + 1] : NULL;
		bool is_option = are_options && argv[i][0] == '-' && argv[i][1];
		int ours = is_option ? own(argv[i]) : 1;
		if (strcmp(argv[i], "--") == 0)
			are_options = false;
		size_t taken =
		    ours ? 0 : read_one(&foreign->translation, argv[i], next);
		i += (int)taken;
		for (int keep = taken  ? 0
				: ours ? ours
				       : 1;
		     keep && i < argc; keep--)
			foreign->words[foreign->count++] = argv[i++];
	}
	return tell_refused(&foreign->translation);
}

void pv_foreign_options_finish(struct pv_foreign_options *foreign)
{
	pv_translation_finish(&foreign->translation);
	free(foreign->words);
}
