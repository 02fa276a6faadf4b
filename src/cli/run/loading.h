#ifndef PAVANE_CLI_RUN_LOADING_H
#define PAVANE_CLI_RUN_LOADING_H

#include <stdbool.h>

#include "cli/run/options.h"

/* Policies, as commands load them: with the user's configuration and the
 * settings of the command line, a missing contact asked for at a terminal. */
struct pavane_policy *pv_policy_of(
    const struct pv_options *options, const struct pavane_sources *sources);

/* The same once more, without asking anybody; NULL if it cannot be read again,
 * as from the standard input. Seeds that came from there are those that the
 * crawl in the directory has copied. */
struct pavane_policy *pv_policy_again(
    const struct pavane_sources *sources, const char *directory);

/* All that a command line says of a policy that is in a file; NULL for none. */
struct pavane_sources pv_sources_of(
    const struct pv_settings *settings, const char *file);

/* Prints a problem or a note, after some words, and its place in the file. */
void pv_problem_print(const char *before, const struct pavane_problem *problem);

/* Prints the problems of a policy; false if there are any. */
bool pv_policy_is_right(const struct pavane_policy *policy);

/* The same for a crawl with these options: a dry run needs no contact. */
bool pv_policy_suits(
    const struct pv_options *options, const struct pavane_policy *policy);

/* For the on_line of an order: prints what becomes of it. What begins with
 * "pavane set" says already who speaks. */
void pv_order_tell(void *ctx, enum pavane_level level, const char *line);

/* Prints when a pause ends, as --until says it, and ends the line. */
void pv_pause_end_print(const char *until);

/* For pavane_write_fn; ctx is the FILE. */
void pv_write_out(void *ctx, const char *text, size_t len);

/* Asks the person at the terminal for a contact, once for all of their crawls,
 * and keeps it in their configuration. False if they would rather not. */
bool pv_contact_ask(const char *config_dir);

#endif
