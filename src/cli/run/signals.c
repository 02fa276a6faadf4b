#include "cli/run/signals.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/terminal/side_thread.h"
#include "pavane/pavane.h"

/* So many times the crawl is asked. */
#define STOPS_MAX 2

struct pv_signals {
	pthread_t thread;
	pthread_mutex_t lock;
	sigset_t awaited;
	const char *farewell; /* borrowed; "" for none */
	struct pavane_crawl *crawl;
	int stops;         /* how often somebody has asked to stop */
	bool has_terminal; /* when it began */
	bool has_question;
	bool has_reload;
	bool has_returned;
	bool is_ending;
};

/* Not where that would wait, as for a terminal that is held by Ctrl+S. */
static void say_farewell(const struct pv_signals *signals)
{
	struct pollfd wanted = {STDERR_FILENO, POLLOUT, 0};
	size_t len = strlen(signals->farewell);
	if (len && poll(&wanted, 1, 0) == 1 && wanted.revents == POLLOUT &&
	    write(STDERR_FILENO, signals->farewell, len) < 0)
		return;
}

/* Lets the signal end or suspend the program, as if nobody had ever looked at
 * it. */
static void take_effect(struct pv_signals *signals, int number)
{
	struct sigaction usual = {.sa_handler = SIG_DFL};
	sigset_t only;
	say_farewell(signals);
	sigaction(number, &usual, NULL);
	sigemptyset(&only);
	sigaddset(&only, number);
	pthread_sigmask(SIG_UNBLOCK, &only, NULL);
	raise(number);
	pthread_sigmask(SIG_BLOCK, &only, NULL);
}

static void take_stop(struct pv_signals *signals, int number)
{
	if (signals->stops == STOPS_MAX)
		take_effect(signals, number);
	signals->stops++;
	if (signals->crawl)
		pavane_crawl_stop(signals->crawl);
}

/* The controlling terminal, even if no standard file is it. */
static bool is_at_terminal(void)
{
	int file = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (file >= 0)
		close(file);
	return file >= 0;
}

static void take_hangup(struct pv_signals *signals)
{
	if (signals->has_terminal && !is_at_terminal())
		take_stop(signals, SIGHUP);
	else
		signals->has_reload = true;
}

static void take(struct pv_signals *signals, int number)
{
	switch (number) {
	case SIGUSR1:
		signals->has_question = true;
		break;
	case SIGTSTP:
		take_effect(signals, number);
		break;
	case SIGCONT:
		signals->has_returned = true;
		break;
	case SIGHUP:
		take_hangup(signals);
		break;
	default:
		take_stop(signals, number);
	}
}

static void *wait_for_signals(void *ctx)
{
	struct pv_signals *signals = ctx;
	bool is_ending = false;
	int number;
	while (!is_ending) {
		if (sigwait(&signals->awaited, &number) != 0)
			continue;
		pthread_mutex_lock(&signals->lock);
		is_ending = signals->is_ending;
		if (!is_ending)
			take(signals, number);
		pthread_mutex_unlock(&signals->lock);
	}
	return NULL;
}

static bool is_ignored(int number)
{
	struct sigaction found;
	return sigaction(number, NULL, &found) == 0 &&
	       found.sa_handler == SIG_IGN;
}

struct pv_signals *pv_signals_start(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGUSR1, SIGCONT};
	static const int usual[] = {SIGHUP, SIGTSTP};
	struct sigaction nothing = {.sa_handler = SIG_IGN};
	struct pv_signals *signals = calloc(1, sizeof(*signals));
	if (!signals)
		pavane_out_of_memory(sizeof(*signals));
	signals->farewell = "";
	sigemptyset(&signals->awaited);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		sigaddset(&signals->awaited, numbers[i]);
	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++) {
		if (!is_ignored(usual[i]))
			sigaddset(&signals->awaited, usual[i]);
	}
	pthread_sigmask(SIG_BLOCK, &signals->awaited, NULL);
	sigaction(SIGPIPE, &nothing, NULL);
	sigaction(SIGXFSZ, &nothing, NULL);
	pthread_mutex_init(&signals->lock, NULL);
	signals->has_terminal = is_at_terminal();
	signals->thread = pv_side_thread_start(wait_for_signals, signals);
	return signals;
}

void pv_signals_farewell(struct pv_signals *signals, const char *text)
{
	pthread_mutex_lock(&signals->lock);
	signals->farewell = text;
	pthread_mutex_unlock(&signals->lock);
}

void pv_signals_attach(struct pv_signals *signals, struct pavane_crawl *crawl)
{
	pthread_mutex_lock(&signals->lock);
	signals->crawl = crawl;
	for (int i = 0; crawl && i < signals->stops; i++)
		pavane_crawl_stop(crawl);
	pthread_mutex_unlock(&signals->lock);
}

static bool take_flag(struct pv_signals *signals, bool *flag)
{
	pthread_mutex_lock(&signals->lock);
	bool was_set = *flag;
	*flag = false;
	pthread_mutex_unlock(&signals->lock);
	return was_set;
}

bool pv_signals_take_reload(struct pv_signals *signals)
{
	return take_flag(signals, &signals->has_reload);
}

bool pv_signals_has_stop(struct pv_signals *signals)
{
	pthread_mutex_lock(&signals->lock);
	bool has_stop = signals->stops > 0;
	pthread_mutex_unlock(&signals->lock);
	return has_stop;
}

bool pv_signals_take_question(struct pv_signals *signals)
{
	return take_flag(signals, &signals->has_question);
}

bool pv_signals_take_return(struct pv_signals *signals)
{
	return take_flag(signals, &signals->has_returned);
}

void pv_signals_stop(struct pv_signals *signals)
{
	if (!signals)
		return;
	pthread_mutex_lock(&signals->lock);
	signals->is_ending = true;
	pthread_mutex_unlock(&signals->lock);
	pthread_kill(signals->thread, SIGUSR1);
	pthread_join(signals->thread, NULL);
	pthread_mutex_destroy(&signals->lock);
	free(signals);
}
