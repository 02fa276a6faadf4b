#include "crawl/control/mailbox.h"

#include "bell.h"
#include "tap.h"

/* Commands from several threads, a loop of the test's own that answers them, and
 * what becomes of those that nobody answers. */

#define THREADS 4
#define COMMANDS 200 /* of each thread */
#define WAIT_MS 60000

struct heard {
	unsigned count;
	unsigned order[8]; /* by their depth */
	enum pavane_answer last;
	char sentence[400];
};

static struct pv_mailbox mailbox;
static struct bell bell; /* the loop is woken */

static void on_reply(void *ctx, const struct pavane_reply *reply)
{
	struct heard *heard = ctx;
	if (heard->count < 8)
		heard->order[heard->count] =
		    (unsigned)strtoul(reply->word, NULL, 10);
	heard->count++;
	heard->last = reply->answer;
	snprintf(
	    heard->sentence, sizeof(heard->sentence), "%s", reply->sentence);
}

static struct pv_command *make(uint32_t depth, struct heard *heard)
{
	struct pv_command *command = pv_command_create(PV_COMMAND_ADD);
	command->depth = depth;
	command->on_reply = heard ? on_reply : NULL;
	command->ctx = heard;
	return command;
}

static enum pavane_answer send(
    struct pv_command *command, int wait_ms, struct pavane_reply *reply)
{
	const struct pv_mailbox_wait wait = {.ms = wait_ms, .reply = reply};
	return pv_mailbox_send(&mailbox, command, &wait);
}

static void open_box(void)
{
	bell_init(&bell);
	pv_mailbox_init(&mailbox, bell_ring, &bell);
}

static void close_box(void)
{
	pv_mailbox_close(&mailbox, "it is closed");
	pv_mailbox_finish(&mailbox);
	bell_finish(&bell);
}

/* As the loop does: with the number of the command for a word. */
static bool answer_one(void)
{
	struct pv_command *command = pv_mailbox_take(&mailbox);
	char word[16];
	if (!command)
		return false;
	snprintf(word, sizeof(word), "%u", (unsigned)command->depth);
	pv_command_say(command, PAVANE_YES, word, "done");
	pv_mailbox_answer(&mailbox, command);
	return true;
}

static void test_order(void)
{
	struct heard heard = {.count = 0};
	open_box();
	for (uint32_t i = 1; i <= 3; i++)
		ok(send(make(i, &heard), 0, NULL) == PAVANE_LATE,
		    "who does not wait hears that the answer comes later");
	ok(bell.rings == 1, "the loop is woken once for all of them (%u)",
	    bell.rings);
	ok(!heard.count, "nobody is answered before");
	while (answer_one())
		continue;
	ok(heard.count == 3 && heard.order[0] == 1 && heard.order[1] == 2 &&
		heard.order[2] == 3,
	    "they are answered in their order, each once");
	send(make(1, NULL), 0, NULL);
	ok(bell.rings == 2, "the next one wakes it again");
	ok(answer_one() && !answer_one(), "one without a callback goes, too");
	close_box();
}

static void test_room(void)
{
	struct heard heard = {.count = 0};
	struct pavane_reply reply = {.word = "x"};
	open_box();
	for (uint32_t i = 0; i < PV_MAILBOX_MAX; i++)
		send(make(i, &heard), 0, NULL);
	ok(send(make(0, &heard), 0, &reply) == PAVANE_FULL &&
		reply.answer == PAVANE_FULL && reply.sentence[0],
	    "a box that is full says so");
	answer_one();
	ok(send(make(0, &heard), 0, NULL) == PAVANE_LATE,
	    "once one is taken there is room for one");
	ok(heard.count == 1, "what had no room is not answered later");
	close_box();
	ok(heard.count == 1 + PV_MAILBOX_MAX && heard.last == PAVANE_OVER &&
		strcmp(heard.sentence, "it is closed") == 0,
	    "all that is in a box when it is closed is answered (%u)",
	    heard.count);
}

static void test_bytes(void)
{
	struct pv_command *large = make(1, NULL);
	char *text = calloc(1, PV_MAILBOX_BYTES);
	open_box();
	pv_buf_append(&large->text, (struct pv_str){text, PV_MAILBOX_BYTES});
	ok(send(large, 0, NULL) == PAVANE_LATE, "one that is large fits");
	ok(send(make(2, NULL), 0, NULL) == PAVANE_FULL,
	    "but then there is no room for more");
	answer_one();
	ok(send(make(3, NULL), 0, NULL) == PAVANE_LATE,
	    "until it has been taken");
	free(text);
	close_box();
}

static void test_closed(void)
{
	struct heard heard = {.count = 0};
	struct pavane_reply reply = {.word = "x"};
	open_box();
	pv_mailbox_close(&mailbox, "it has ended");
	pv_mailbox_close(&mailbox, "for another reason");
	ok(send(make(1, &heard), WAIT_MS, &reply) == PAVANE_OVER &&
		strcmp(reply.sentence, "it has ended") == 0 && !reply.word[0],
	    "after the end a command is answered at once");
	ok(!heard.count && !pv_mailbox_get(&mailbox) && !bell.rings,
	    "with no callback, and the loop is not woken");
	close_box();
}

/* On the loop's thread and on the writer's a wait would have no end. */
static void test_own_threads(void)
{
	struct heard heard = {.count = 0};
	open_box();
	ok(send(make(1, &heard), -1, NULL) == PAVANE_LATE,
	    "the thread that opens it does not wait for itself");
	pv_mailbox_hand_over(&mailbox);
	ok(send(make(2, &heard), 1, NULL) == PAVANE_LATE,
	    "when another will run it, a wait ends when its time is over");
	pv_mailbox_enter(&mailbox, pthread_self());
	pv_mailbox_hand_over(&mailbox);
	ok(send(make(3, &heard), -1, NULL) == PAVANE_LATE,
	    "nor does the writer's thread wait");
	while (answer_one())
		continue;
	ok(heard.count == 3 && heard.last == PAVANE_YES,
	    "what was too late for a wait is answered by its callback");
	close_box();
}

struct sender {
	pthread_t thread;
	unsigned right;
	enum pavane_answer answer;
	struct heard heard;
};

static void *send_many(void *ctx)
{
	struct sender *sender = ctx;
	for (uint32_t i = 0; i < COMMANDS; i++) {
		struct pavane_reply reply = {.word = ""};
		enum pavane_answer answer =
		    send(make(i, NULL), WAIT_MS, &reply);
		sender->right += answer == PAVANE_YES &&
				 (uint32_t)strtoul(reply.word, NULL, 10) == i &&
				 strcmp(reply.sentence, "done") == 0;
	}
	return NULL;
}

static void test_threads(void)
{
	struct sender senders[THREADS] = {{.right = 0}};
	unsigned answered = 0, right = 0;
	open_box();
	for (size_t i = 0; i < THREADS; i++)
		pthread_create(
		    &senders[i].thread, NULL, send_many, &senders[i]);
	while (answered < THREADS * COMMANDS) {
		bell_wait(&bell);
		while (answer_one())
			answered++;
	}
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(senders[i].thread, NULL);
		right += senders[i].right;
	}
	ok(right == THREADS * COMMANDS,
	    "each of several threads gets the answers to its own (%u)", right);
	close_box();
}

static void *send_one(void *ctx)
{
	struct sender *sender = ctx;
	sender->answer = send(make(7, &sender->heard), -1, NULL);
	return NULL;
}

static void wait_until_waited_for(void)
{
	size_t waiting = 0;
	while (!waiting) {
		pthread_mutex_lock(&mailbox.mutex);
		waiting = mailbox.waiting;
		pthread_mutex_unlock(&mailbox.mutex);
		sched_yield();
	}
}

static void test_waiting_for_room(void)
{
	struct sender sender = {.right = 0};
	open_box();
	for (uint32_t i = 0; i < PV_MAILBOX_MAX; i++)
		send(make(i, NULL), 0, NULL);
	pthread_create(&sender.thread, NULL, send_one, &sender);
	wait_until_waited_for();
	for (uint32_t i = 0; i < PV_MAILBOX_MAX; i++)
		answer_one();
	while (!answer_one())
		sched_yield();
	pthread_join(sender.thread, NULL);
	ok(sender.answer == PAVANE_YES && !sender.heard.count,
	    "who may wait is held back until there is room");
	close_box();
}

static void test_leaving(void)
{
	struct sender waiting = {.right = 0}, taken = {.right = 0};
	open_box();
	pthread_create(&taken.thread, NULL, send_one, &taken);
	bell_wait(&bell);
	struct pv_command *command = pv_mailbox_take(&mailbox);
	pthread_create(&waiting.thread, NULL, send_one, &waiting);
	bell_wait(&bell);
	pv_mailbox_abandon(&mailbox, "it is left");
	pthread_join(waiting.thread, NULL);
	ok(waiting.answer == PAVANE_OVER && !waiting.heard.count,
	    "who waits when a crawl is closed goes on with an answer");
	pthread_join(taken.thread, NULL);
	ok(taken.answer == PAVANE_LATE && !taken.heard.count,
	    "who waits for what was taken goes on without one");
	pv_command_say(command, PAVANE_OVER, "", "not any more");
	pv_mailbox_answer(&mailbox, command);
	ok(taken.heard.count == 1 && taken.heard.last == PAVANE_OVER,
	    "and is answered by the callback");
	close_box();
}

static void test_long_words(void)
{
	struct pv_command *command = make(1, NULL);
	char text[2000];
	memset(text, 'a', sizeof(text));
	memcpy(text + sizeof(command->reply.sentence) - 2, "\xc3\xa4", 2);
	text[sizeof(text) - 1] = '\0';
	pv_command_say(command, PAVANE_NO, text, text);
	ok(strlen(command->reply.word) == sizeof(command->reply.word) - 1,
	    "a word that is too long is cut");
	ok(strlen(command->reply.sentence) ==
		sizeof(command->reply.sentence) - 2,
	    "and a sentence between two characters");
	pv_command_destroy(command);
	pv_command_destroy(NULL);
}

int main(void)
{
	test_order();
	test_room();
	test_bytes();
	test_closed();
	test_own_threads();
	test_threads();
	test_waiting_for_room();
	test_leaving();
	test_long_words();
	return tap_done();
}
