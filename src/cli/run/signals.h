#ifndef PAVANE_CLI_RUN_SIGNALS_H
#define PAVANE_CLI_RUN_SIGNALS_H

#include <stdbool.h>

/* The signals of a program that crawls.
 *
 * They are blocked in every thread and waited for by one of its own, so that
 * nothing here runs in the middle of something else. SIGINT and SIGTERM ask the
 * crawl to stop; a second one does not let it wait; a third ends the program as
 * it would have without us, if it does not come to an end by itself. SIGHUP
 * means that the policy is to be read again; but if the terminal at which we
 * started is gone, that it was hung up, which stops the crawl. SIGPIPE does
 * nothing, nor does SIGXFSZ: a file that may grow no further is a disk that is
 * full. SIGTSTP (Ctrl+Z) suspends the program as usual. A SIGHUP or SIGTSTP that
 * is ignored when we start, as by nohup, stays so.
 */
struct pavane_crawl;
struct pv_signals;

/* To be called before there are other threads. */
struct pv_signals *pv_signals_start(void);

/* What is written to the standard error before a signal ends or suspends the
 * program; the text is static. */
void pv_signals_farewell(struct pv_signals *signals, const char *text);

/* From now on the crawl is asked, also for what has come before; NULL: it is
 * being closed, and nobody is. */
void pv_signals_attach(struct pv_signals *signals, struct pavane_crawl *crawl);

/* Whether SIGHUP asked for the policy to be read again since the last call. */
bool pv_signals_take_reload(struct pv_signals *signals);

/* Whether anybody has asked to stop so far. */
bool pv_signals_has_stop(struct pv_signals *signals);

/* Whether SIGUSR1 asked for the status since the last call. */
bool pv_signals_take_question(struct pv_signals *signals);

/* Whether the program was stopped and goes on (SIGCONT) since the last call,
 * and others may have written to the terminal. */
bool pv_signals_take_return(struct pv_signals *signals);

/* The signals stay blocked: what comes while the program ends does not end it
 * otherwise. NULL is fine. */
void pv_signals_stop(struct pv_signals *signals);

#endif
