#include "cli/completion/shell.h"

const char *pv_kind_word(enum pv_argument_kind kind)
{
	static const char *const words[] = {
	    [PV_IS_TEXT] = "text",
	    [PV_IS_FILE] = "file",
	    [PV_IS_DIRECTORY] = "directory",
	    [PV_IS_CRAWL] = "crawl",
	    [PV_IS_WORD] = "word",
	    [PV_IS_KEY] = "key",
	    [PV_IS_HOST_KEY] = "host_key",
	    [PV_IS_LIVE_KEY] = "live_key",
	    [PV_IS_OPTION] = "option",
	};
	return words[kind];
}

void pv_words_each(
    FILE *file, const struct pv_command *command, pv_words_fn visit)
{
	const struct pv_word_list *words = command->arguments[0].words;
	struct pv_word word;
	for (size_t i = 0; words && words->get(i, &word); i++) {
		if (word.arguments)
			visit(file, command, &word);
	}
}
