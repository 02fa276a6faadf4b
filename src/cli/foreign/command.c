#include "cli/foreign/command.h"

#include <stdlib.h>
#include <string.h>

#include "pavane/pavane.h"

#define WORDS_MAX 4096

static const struct {
	const char *name;
	enum pv_tool tool;
} tools[] = {{"wget", PV_WGET}, {"wget2", PV_WGET}, {"curl", PV_CURL},
    {"httrack", PV_HTTRACK}};

#define TOOL_COUNT (sizeof(tools) / sizeof(*tools))

/* Words */

struct words {
	const char *items[WORDS_MAX];
	size_t count;
	char *text; /* in which they lie */
};

static bool refuse(const char *why)
{
	fprintf(stderr, "pavane: from: %s\n", why);
	return false;
}

/* Takes a word to its end; where that is written to, it ends. False if a quote
 * is open, or something stands there that only a shell knows. */
static bool take_word(const char **at, char **to)
{
	char quote = '\0';
	for (; **at && (quote || !strchr(" \t\n", **at)); (*at)++) {
		char byte = **at;
		if (byte == quote) {
			quote = '\0';
		} else if (!quote && (byte == '\'' || byte == '"')) {
			quote = byte;
		} else if (quote != '\'' && (byte == '$' || byte == '`')) {
			return refuse("$ and ` are known to your shell alone: "
				      "write what they stand for");
		} else if (!quote && strchr(";|&<>()", byte)) {
			return refuse("one command at a time, without ; | & < "
				      "> ( or )");
		} else {
			if (byte == '\\' && quote != '\'' && (*at)[1])
				byte = *++*at;
			if (byte != '\n')
				*(*to)++ = byte;
		}
	}
	*(*to)++ = '\0';
	return !quote || refuse("a quote is never closed");
}

static bool split(struct words *words, const char *text)
{
	char *to = words->text = malloc(strlen(text) + 2);
	if (!to)
		pavane_out_of_memory(strlen(text));
	while (*(text += strspn(text, " \t\n"))) {
		if (words->count == WORDS_MAX)
			return refuse("more words than any command has");
		words->items[words->count++] = to;
		if (!take_word(&text, &to))
			return false;
	}
	return true;
}

/* Options */

static void take(struct pv_translation *translation,
    const struct pv_foreign_option *option, const char *written,
    const char *argument)
{
	char shown[512];
	snprintf(shown, sizeof(shown), "%s%s%s", written, argument ? " " : "",
	    argument ? argument : "");
	pv_translation_take(translation, option, shown, argument);
}

static size_t read_name(struct pv_translation *translation, unsigned of_tools,
    const char *word, const char *next)
{
	char name[64];
	size_t len = strcspn(word, "=");
	const struct pv_foreign_option *option =
	    pv_foreign_find_name(of_tools, word, len);
	if (!option || len >= sizeof(name))
		return 0;
	memcpy(name, word, len);
	name[len] = '\0';
	if (!option->has_argument) {
		take(translation, option, name, NULL);
		return 1;
	}
	if (word[len])
		next = word + len + 1;
	if (!next)
		pv_translation_refuse(
		    translation, word, "its argument is missing");
	else
		take(translation, option, name, next);
	return word[len] || !next ? 1 : 2;
}

/* A word of single letters, of which the last may have an argument. */
static size_t read_letters(struct pv_translation *translation,
    unsigned of_tools, const char *word, const char *next)
{
	for (const char *letter = word + 1; *letter; letter++) {
		const char written[] = {'-', *letter, '\0'};
		const struct pv_foreign_option *option =
		    pv_foreign_find_letter(of_tools, *letter);
		if (!option && letter == word + 1)
			return 0;
		if (!option) {
			pv_translation_refuse(translation, written,
			    "there is no such option, or it means different "
			    "things: write the long one");
			continue;
		}
		if (!option->has_argument) {
			take(translation, option, written, NULL);
			continue;
		}
		if (letter[1])
			take(translation, option, written, letter + 1);
		else if (next)
			take(translation, option, written, next);
		else
			pv_translation_refuse(
			    translation, written, "its argument is missing");
		return !letter[1] && next ? 2 : 1;
	}
	return 1;
}

size_t pv_foreign_option_read(struct pv_translation *translation,
    unsigned of_tools, const char *word, const char *next)
{
	bool is_pair = word[0] == '-' && word[1] == 'n' && word[2] && !word[3];
	if (strncmp(word, "--", 2) == 0 || is_pair) {
		size_t taken = read_name(translation, of_tools, word, next);
		if (taken || !is_pair)
			return taken;
	}
	return read_letters(translation, of_tools, word, next);
}

/* HTTrack, whose letters have their numbers behind them */

static const struct {
	const char *begin;
	const char *key;
	const char *after; /* the number */
	const char *says;  /* without a key */
	bool is_refused;
} numbers[] = {
    {"-r", "scope.depth", "", NULL, false},
    {"-%c", "rate.max_rate", "", NULL, false},
    {"-c", "rate.concurrency", "", NULL, false},
    {"-A", "rate.bandwidth", "B/s", NULL, false},
    {"-E", "limits.time", "s", NULL, false},
    {"-M", "limits.bytes", "B", NULL, false},
    {"-m", "fetch.max_size", "B", NULL, false},
    {"-T", "fetch.timeout.stall", "s", NULL, false},
    {"-R", "fetch.retries", "", NULL, false},
    {"-s", NULL, "",
	"robots.txt is obeyed; of a host of yours, `domains` may "
	"say robots: ignore",
	true},
    {"-b", NULL, "", "cookies: fetch.cookies", true},
    {"-N", NULL, "", "files are named after their addresses", true},
    {"-K", NULL, "", "links to pages that are kept are relative", false},
    {"-u", NULL, "", "types are known from the answers", false},
    {"-j", NULL, "", "links in scripts are not read", true},
};

static bool read_number(struct pv_translation *translation, const char *word)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		size_t len = strlen(numbers[i].begin);
		const char *digits = word + len;
		char value[64];
		if (strncmp(word, numbers[i].begin, len) != 0 || !*digits ||
		    digits[strspn(digits, "0123456789")])
			continue;
		struct pv_foreign_option option = {
		    .effect = numbers[i].key          ? PV_FOREIGN_SETS
			      : numbers[i].is_refused ? PV_FOREIGN_ANSWER
						      : PV_FOREIGN_IS_SO,
		    .value = PV_VALUE_AS_IS,
		    .key = numbers[i].key,
		    .says = numbers[i].says,
		};
		snprintf(
		    value, sizeof(value), "%.40s%s", digits, numbers[i].after);
		pv_translation_take(translation, &option, word, value);
		return true;
	}
	return false;
}

/* "-*.zip" denies; what "+*.png" admits is fetched anyhow, or is elsewhere. */
static bool read_filter(struct pv_translation *translation, const char *word)
{
	static const struct pv_foreign_option endings = {
	    .effect = PV_FOREIGN_SETS,
	    .value = PV_VALUE_ENDINGS,
	    .key = "scope.rules",
	};
	if (*word == '+') {
		pv_translation_refuse(translation, word,
		    "a rule says so: scope.rules: [{allow: {...}}]");
		return true;
	}
	if (strncmp(word, "-*", 2) != 0)
		return false;
	return pv_translation_take(translation, &endings, word, word + 1);
}

static size_t read_httrack(
    struct pv_translation *translation, const char *word, const char *next)
{
	static const struct pv_foreign_option agent = {
	    .effect = PV_FOREIGN_SETS,
	    .value = PV_VALUE_QUOTED,
	    .key = "identity.agent",
	};
	static const struct pv_foreign_option directory = {
	    .effect = PV_FOREIGN_STORES};
	if (strcmp(word, "-F") == 0 && next) {
		take(translation, &agent, word, next);
		return 2;
	}
	if (strcmp(word, "-O") == 0 && next) {
		take(translation, &directory, word, next);
		return 2;
	}
	return read_filter(translation, word) || read_number(translation, word);
}

/* The command */

static void read_words(struct pv_translation *translation, enum pv_tool tool,
    const char *const *words, size_t count)
{
	bool are_options = true;
	for (size_t i = 0; i < count;) {
		const char *word = words[i];
		const char *next = i + 1 < count ? words[i + 1] : NULL;
		size_t taken = 0;
		if (are_options && strcmp(word, "--") == 0) {
			are_options = false;
			i++;
			continue;
		}
		bool is_option =
		    are_options && ((word[0] == '-' && word[1]) ||
				       (tool == PV_HTTRACK && word[0] == '+'));
		if (!is_option) {
			pv_translation_add_address(translation, word);
			i++;
			continue;
		}
		taken =
		    tool == PV_HTTRACK
			? read_httrack(translation, word, next)
			: pv_foreign_option_read(translation, tool, word, next);
		if (!taken)
			pv_translation_refuse(translation, word,
			    "pavane knows no such option: if another word "
			    "belongs to it, that was taken for an address");
		i += taken ? taken : 1;
	}
}

static bool read_tool(
    struct pv_translation *translation, const char *const *words, size_t count)
{
	const char *slash = count ? strrchr(words[0], '/') : NULL;
	const char *name = !count ? "" : slash ? slash + 1 : words[0];
	for (size_t i = 0; i < TOOL_COUNT; i++) {
		if (strcmp(name, tools[i].name) == 0) {
			read_words(
			    translation, tools[i].tool, words + 1, count - 1);
			return true;
		}
	}
	fprintf(stderr,
	    "pavane: from: %s is no tool that is known here: wget, wget2, "
	    "curl and httrack are\n",
	    *name ? name : "nothing");
	return false;
}

bool pv_foreign_command_read(
    struct pv_translation *translation, const char *const *words, size_t count)
{
	struct words *split_words = NULL;
	bool is_read = true;
	if (count == 1) {
		split_words = calloc(1, sizeof(*split_words));
		if (!split_words)
			pavane_out_of_memory(sizeof(*split_words));
		is_read = split(split_words, words[0]);
		words = split_words->items;
		count = split_words->count;
	}
	is_read = is_read && read_tool(translation, words, count);
	if (split_words)
		free(split_words->text);
	free(split_words);
	return is_read;
}
