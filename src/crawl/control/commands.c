#include "crawl/control/commands.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "crawl/conductor.h"
#include "crawl/control/control.h"
#include "crawl/control/host_look.h"
#include "crawl/control/order.h"

/* So many are answered in one round of the loop where nothing has to be
 * written: who gives the next as soon as one is answered does not keep the loop
 * to himself. */
#define ROUND 100

#define ENDING "the crawl is ending, or has ended"
#define CLOSED "the crawl was closed"

static void wake(void *ctx)
{
	struct pv_crawl *crawl = ctx;
	pv_wakeup_send(&crawl->wakeup);
}

void pv_commands_init(struct pv_crawl *crawl)
{
	struct pv_commands *commands = &crawl->commands;
	pv_mailbox_init(&commands->mailbox, wake, crawl);
	pv_added_init(&commands->added, crawl);
	commands->at_writer.crawl = crawl;
	commands->stays_open = crawl->options.stays_open;
}

void pv_commands_begin(struct pv_crawl *crawl)
{
	pv_mailbox_enter(&crawl->commands.mailbox, crawl->store->writer.thread);
}

void pv_commands_hand_over(struct pv_crawl *crawl)
{
	pv_mailbox_hand_over(&crawl->commands.mailbox);
}

enum pavane_answer pv_commands_send(struct pv_crawl *crawl,
    struct pv_command *command, const struct pv_mailbox_wait *wait)
{
	return pv_mailbox_send(&crawl->commands.mailbox, command, wait);
}

static bool is_busy(const struct pv_commands *commands)
{
	return commands->at_writer.command || commands->added.is_under_way;
}

bool pv_commands_are_idle(struct pv_crawl *crawl)
{
	return !is_busy(&crawl->commands) &&
	       !pv_mailbox_get(&crawl->commands.mailbox);
}

/* On the writer's thread */

static struct pv_command_job *of_job(struct pv_job *job)
{
	return (struct pv_command_job *)((char *)job -
					 offsetof(struct pv_command_job, job));
}

/* Each has a NUL behind it. */
static enum pavane_answer set(struct pv_command_job *given)
{
	const struct pv_command *command = given->command;
	const char **assignments =
	    pv_alloc_array(command->count + 1, sizeof(*assignments));
	const char *next = pv_buf_text(&command->text);
	for (size_t i = 0; i < command->count; i++) {
		assignments[i] = next;
		next += strlen(next) + 1;
	}
	const struct pv_order_values values = {
	    assignments, command->count, &given->notes};
	enum pavane_answer answer = pv_order_set_here(given->crawl->directory,
	    given->crawl->control.settings.given, &values, &given->why);
	free(assignments);
	return answer;
}

static enum pavane_answer carry_out(
    struct pv_command_job *given, struct pv_database *database)
{
	struct pv_command *command = given->command;
	const struct pavane_order order = {
	    .size = sizeof(order),
	    .directory = given->crawl->directory,
	    .host = command->text.len ? pv_buf_text(&command->text) : NULL,
	};
	const struct pv_order_here here = {
	    .database = database,
	    .wall_ms = given->wall_ms,
	    .until_wall_ms = command->until_wall_ms,
	    .because = pv_buf_text(&command->more),
	};
	switch (command->kind) {
	case PV_COMMAND_PAUSE:
		return pv_order_pause_here(&order, &here, &given->why);
	case PV_COMMAND_RESUME:
		return pv_order_resume_here(&order, &here, &given->why);
	case PV_COMMAND_SET:
		return set(given);
	default:
		return pv_host_look_kept(database, pv_buf_str(&command->text),
			   given->wall_ms, &command->host)
			   ? PAVANE_YES
			   : PAVANE_NO;
	}
}

/* What goes without saying where the answer is no. */
static const char *sentence_of_no(const struct pv_command *command)
{
	switch (command->kind) {
	case PV_COMMAND_RESUME:
		return "it was not paused";
	case PV_COMMAND_SET:
		return "that is set already";
	case PV_COMMAND_LOOK_HOST:
		return "it is no host of this crawl";
	default:
		return "";
	}
}

/* Which file it is says more than what was given. */
static void write_problem(const struct pv_problem *problem,
    enum pavane_answer answer, struct pv_buf *sentence)
{
	if (answer == PAVANE_UNREADABLE) {
		pv_problem_write(problem, sentence);
		return;
	}
	if (problem->key[0])
		pv_buf_append_format(sentence, "%s: ", problem->key);
	pv_buf_append_text(sentence, problem->text);
}

static void run(struct pv_job *job, struct pv_database *database)
{
	struct pv_command_job *given = of_job(job);
	struct pv_buf sentence;
	pv_buf_init(&sentence, SIZE_MAX);
	enum pavane_answer answer = carry_out(given, database);
	if (pv_why_has_problems(&given->why))
		write_problem(&given->why.problems.kept[0], answer, &sentence);
	else if (given->notes.notes.count)
		write_problem(&given->notes.notes.kept[0], answer, &sentence);
	else if (answer == PAVANE_NO)
		pv_buf_append_text(&sentence, sentence_of_no(given->command));
	pv_command_say(given->command, answer, "", pv_buf_text(&sentence));
	pv_buf_finish(&sentence);
}

/* On the loop */

static void answer(struct pv_crawl *crawl, struct pv_command *command)
{
	if (command->kind == PV_COMMAND_LOOK_HOST &&
	    command->reply.answer == PAVANE_YES)
		pv_host_look_pause(
		    crawl, pv_buf_str(&command->text), &command->host);
	pv_mailbox_answer(&crawl->commands.mailbox, command);
}

static struct pv_command *take_back(struct pv_command_job *given)
{
	struct pv_command *command = given->command;
	given->command = NULL;
	pv_why_finish(&given->why);
	pv_why_finish(&given->notes);
	return command;
}

/* What was written holds before it is answered. */
static void on_done(struct pv_job *job, enum pv_store_status status)
{
	struct pv_command_job *given = of_job(job);
	struct pv_crawl *crawl = given->crawl;
	struct pv_command *command = take_back(given);
	pv_outbox_came_back(&crawl->outbox);
	pv_halt_note_status(crawl, status);
	if (status != PV_STORE_OK)
		pv_command_say(
		    command, PAVANE_UNREADABLE, "", crawl->halt.reason);
	else if (command->kind != PV_COMMAND_LOOK_HOST)
		pv_control_look(crawl);
	answer(crawl, command);
}

static void give_to_writer(struct pv_crawl *crawl, struct pv_command *command)
{
	struct pv_command_job *given = &crawl->commands.at_writer;
	given->command = command;
	given->wall_ms = crawl->now.wall_ms;
	given->job = (struct pv_job){
	    .run = run, .done = on_done, .is_answered_at_once = true};
	pv_why_init(&given->why);
	pv_why_init(&given->notes);
	pv_outbox_give(
	    &crawl->outbox, PV_PAPER_JOBS, &given->job, pv_crawl_now(crawl));
}

static void finish(struct pv_crawl *crawl, struct pv_command *command)
{
	bool stayed_open = crawl->commands.stays_open;
	crawl->commands.stays_open = false;
	pv_command_say(command, stayed_open ? PAVANE_YES : PAVANE_NO, "",
	    stayed_open ? "" : "it ends anyhow when nothing is left to do");
	answer(crawl, command);
}

static void look_host(struct pv_crawl *crawl, struct pv_command *command)
{
	if (!pv_host_look_held(
		crawl, pv_buf_str(&command->text), &command->host)) {
		give_to_writer(crawl, command);
		return;
	}
	pv_command_say(command, PAVANE_YES, "", "");
	answer(crawl, command);
}

static void begin(struct pv_crawl *crawl, enum pv_command_kind kind)
{
	struct pv_commands *commands = &crawl->commands;
	if (kind == PV_COMMAND_ADD) {
		pv_added_step(&commands->added, &commands->mailbox);
		return;
	}
	struct pv_command *command = pv_mailbox_take(&commands->mailbox);
	if (kind == PV_COMMAND_FINISH)
		finish(crawl, command);
	else if (kind == PV_COMMAND_LOOK_HOST)
		look_host(crawl, command);
	else
		give_to_writer(crawl, command);
}

/* While it is looked whether anything is left, nothing more is added: if the
 * answer is no, this is the end. */
static bool must_wait(
    const struct pv_crawl *crawl, const struct pv_command *command)
{
	return is_busy(&crawl->commands) || (command->kind == PV_COMMAND_ADD &&
						crawl->finishing.is_counting);
}

void pv_commands_step(struct pv_crawl *crawl)
{
	struct pv_mailbox *mailbox = &crawl->commands.mailbox;
	const struct pv_command *next;
	if (crawl->halt.is_ending) {
		pv_commands_end(crawl);
		return;
	}
	for (size_t i = 0; i < ROUND; i++) {
		next = pv_mailbox_get(mailbox);
		if (!next || must_wait(crawl, next))
			return;
		begin(crawl, next->kind);
	}
	wake(crawl);
}

/* The end */

void pv_commands_end(struct pv_crawl *crawl)
{
	char why[sizeof(crawl->halt.reason) + 40];
	snprintf(why, sizeof(why), "%s%s%s", ENDING,
	    crawl->halt.reason[0] ? ": " : "", crawl->halt.reason);
	pv_mailbox_close(&crawl->commands.mailbox, why);
}

void pv_commands_leave(struct pv_crawl *crawl)
{
	pv_mailbox_abandon(&crawl->commands.mailbox, CLOSED);
}

void pv_commands_finish(struct pv_crawl *crawl)
{
	struct pv_commands *commands = &crawl->commands;
	if (commands->at_writer.command) {
		struct pv_command *command = take_back(&commands->at_writer);
		pv_command_say(command, PAVANE_OVER, "", CLOSED);
		pv_mailbox_answer(&commands->mailbox, command);
	}
	pv_added_give_up(&commands->added,
	    "the crawl was closed before it was known what came of it");
	pv_added_finish(&commands->added);
	pv_mailbox_finish(&commands->mailbox);
}
