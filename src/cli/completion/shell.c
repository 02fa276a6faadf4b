#include "cli/completion/shell.h"

#include "pavane/serve.h"

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
	    [PV_IS_SERVICE_KEY] = "service_key",
	    [PV_IS_OPTION] = "option",
	};
	return words[kind];
}

bool pv_kind_key_get(
    enum pv_argument_kind kind, size_t index, struct pavane_key *key)
{
	switch (kind) {
	case PV_IS_KEY:
		return pavane_key_get(PAVANE_KEYS_OF_POLICY, index, key);
	case PV_IS_HOST_KEY:
		return pavane_key_get(PAVANE_KEYS_OF_HOST, index, key);
	case PV_IS_LIVE_KEY:
		return pavane_key_get(PAVANE_KEYS_OF_RUNNING, index, key);
	case PV_IS_SERVICE_KEY:
		return pavane_service_key_get(index, key);
	default:
		return false;
	}
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
