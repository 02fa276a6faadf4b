#ifndef PAVANE_CRAWL_CONTROL_COMMANDS_H
#define PAVANE_CRAWL_CONTROL_COMMANDS_H

#include "base/why.h"
#include "crawl/control/added.h"
#include "crawl/control/mailbox.h"

/* Commands of the program that runs the crawl (pavane/command.h), carried out in
 * their order, one after the other.
 *
 * Pauses and settings go into the file `control`, as the orders of other
 * processes do: the writer's thread writes it, and when that is done the loop
 * reads it as it reads theirs (control.h). So there is one place that says what
 * was asked for, and one that heeds it, whoever asked.
 */
struct pv_crawl;

/* One that the writer's thread carries out. */
struct pv_command_job {
	struct pv_job job;
	struct pv_crawl *crawl;
	struct pv_command *command; /* NULL: none is under way */
	int64_t wall_ms;
	struct pv_why why;
	struct pv_why notes;
};

struct pv_commands {
	struct pv_mailbox mailbox;
	struct pv_added added;
	struct pv_command_job at_writer;
	bool stays_open; /* though nothing is left to do */
};

/* The calling thread is taken for the loop's until pv_commands_begin. */
void pv_commands_init(struct pv_crawl *crawl);

/* The crawl runs, on the calling thread: before that what is sent is kept. */
void pv_commands_begin(struct pv_crawl *crawl);

/* Each round of the loop, before anything is released. */
void pv_commands_step(struct pv_crawl *crawl);

/* Whether nothing is in the mailbox or under way. */
bool pv_commands_are_idle(struct pv_crawl *crawl);

/* Nothing is left for the loop to do. */
void pv_commands_end(struct pv_crawl *crawl);

/* It is closed: nobody waits from now on; and, when the writer has been stopped,
 * what is left is answered. */
void pv_commands_leave(struct pv_crawl *crawl);
void pv_commands_finish(struct pv_crawl *crawl);

/* From any thread. Another thread than the one that opened it will run the
 * crawl. */
void pv_commands_hand_over(struct pv_crawl *crawl);

/* From any thread, as pv_mailbox_send. */
enum pavane_answer pv_commands_send(struct pv_crawl *crawl,
    struct pv_command *command, const struct pv_mailbox_wait *wait);

#endif
