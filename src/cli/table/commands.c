#include "cli/table/commands.h"

#include <string.h>

const struct pv_command_entry pv_commands[] = {
    {"Crawl", &pv_command_mirror},
    {NULL, &pv_command_crawl},
    {NULL, &pv_command_continue},
    {NULL, &pv_command_update},
    {"From another terminal", &pv_command_stop},
    {NULL, &pv_command_pause},
    {NULL, &pv_command_resume},
    {NULL, &pv_command_set},
    {"See what a crawl does and did", &pv_command_status},
    {NULL, &pv_command_audit},
    {NULL, &pv_command_merge},
    {"Use a mirror", &pv_command_where},
    {NULL, &pv_command_links},
    {NULL, &pv_command_relink},
    {NULL, &pv_command_fields},
    {"Write a policy", &pv_command_init},
    {NULL, &pv_command_from},
    {NULL, &pv_command_check},
    {NULL, &pv_command_explain},
    {NULL, &pv_command_try},
    {"For other programs", &pv_command_serve},
    {"Try it", &pv_command_demo},
    {NULL, &pv_command_inspect},
    {"In a shell", &pv_command_completion},
};

const size_t pv_command_count = sizeof(pv_commands) / sizeof(*pv_commands);

_Static_assert(sizeof(pv_commands) / sizeof(*pv_commands) < PV_COMMANDS_MAX,
    "a list of their names has an end");

const struct pv_command *pv_command_get(const char *name)
{
	for (size_t i = 0; i < pv_command_count; i++) {
		if (strcmp(name, pv_commands[i].command->name) == 0)
			return pv_commands[i].command;
	}
	return NULL;
}

/* What the command says about an option itself; NULL: what all say. */
static const struct pv_meaning *meaning_of(
    const struct pv_command *command, char letter)
{
	for (size_t i = 0; i < PV_MEANINGS_MAX; i++) {
		if (command->meanings[i].letter == letter)
			return &command->meanings[i];
	}
	return NULL;
}

bool pv_command_option_get(const struct pv_command *command, size_t index,
    struct pv_command_option *option)
{
	for (size_t i = 0; i < pv_option_row_count; i++) {
		const struct pv_option_row *row = &pv_option_rows[i];
		bool is_taken =
		    row->letter == 'h' || strchr(command->options, row->letter);
		if (!is_taken || index--)
			continue;
		const struct pv_meaning *meaning =
		    meaning_of(command, row->letter);
		*option = (struct pv_command_option){
		    .row = row,
		    .sentence = meaning ? meaning->sentence : row->sentence,
		    .kind = meaning ? meaning->kind : row->argument.kind,
		};
		return true;
	}
	return false;
}
