#include "store/lock.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>

#include "scratch.h"
#include "tap.h"

static bool take(struct pv_lock *lock, const struct scratch *scratch)
{
	struct pv_why why;
	pv_why_init(&why);
	bool is_taken = pv_lock_take(lock, scratch->path, &why);
	pv_why_finish(&why);
	return is_taken;
}

static void test_nobody(void)
{
	struct scratch scratch;
	struct pv_lock lock;
	scratch_make(&scratch);
	ok(pv_lock_holder("/nowhere/at/all") == 0,
	    "nobody holds a directory that is not there");
	ok(pv_lock_holder(scratch.path) == 0, "nor one that was never held");
	ok(access(scratch_file(&scratch, "state.lock"), F_OK) != 0,
	    "and to ask makes nothing");
	take(&lock, &scratch);
	pv_lock_give(&lock);
	ok(pv_lock_holder(scratch.path) == 0,
	    "nor one that was given back, though its file tells who had it");
	ok(take(&lock, &scratch), "to have asked is no obstacle");
	pv_lock_give(&lock);
	scratch_remove(&scratch);
}

static void test_us(void)
{
	struct scratch scratch;
	struct pv_lock lock, other;
	scratch_make(&scratch);
	take(&lock, &scratch);
	ok(pv_lock_holder(scratch.path) == getpid(), "we hold it");
	ok(pv_lock_holder(scratch.path) == getpid() && !take(&other, &scratch),
	    "still after somebody has asked");
	pv_lock_give(&lock);
	scratch_remove(&scratch);
}

/* Somebody has put a link where the lock is to be. */
static void test_link(void)
{
	struct scratch scratch;
	struct pv_lock lock;
	char target[200], word[8] = "";
	scratch_make(&scratch);
	snprintf(target, sizeof(target), "%s/precious", scratch.path);
	FILE *file = fopen(target, "w");
	fputs("mine", file);
	fclose(file);
	(void)!symlink("precious", scratch_file(&scratch, "state.lock"));
	bool is_taken = take(&lock, &scratch);
	file = fopen(target, "r");
	ok(!is_taken && fgets(word, sizeof(word), file) &&
		strcmp(word, "mine") == 0,
	    "P5: a link is no lock, and what it leads to is not written to");
	fclose(file);
	if (is_taken)
		pv_lock_give(&lock);
	scratch_remove(&scratch);
}

/* The lowest number that is free. */
static int next_file(void)
{
	int file = open("/", O_RDONLY | O_CLOEXEC);
	close(file);
	return file;
}

static void test_descriptors(void)
{
	struct scratch scratch;
	struct pv_lock lock, other;
	scratch_make(&scratch);
	int before = next_file();
	take(&lock, &scratch);
	int held = next_file();
	ok(!take(&other, &scratch) && next_file() == held,
	    "P5: who does not get the lock keeps no descriptor");
	ok(pv_lock_holder(scratch.path) == getpid() && next_file() == held,
	    "nor does who asks for its holder");
	pv_lock_give(&lock);
	ok(next_file() == before, "nor who has given it back");
	scratch_remove(&scratch);
}

/* A process that takes the lock and stays, until it is killed. */
static pid_t start_other(const struct scratch *scratch)
{
	int ends[2];
	char byte = 'n';
	if (pipe(ends) != 0)
		return -1;
	pid_t child = fork();
	if (child == 0) {
		struct pv_lock lock;
		(void)!write(ends[1], take(&lock, scratch) ? "y" : "n", 1);
		for (;;)
			pause();
	}
	close(ends[1]);
	(void)!read(ends[0], &byte, 1);
	close(ends[0]);
	return byte == 'y' ? child : -1;
}

static void test_other(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	pid_t other = start_other(&scratch);
	ok(other > 0 && pv_lock_holder(scratch.path) == other,
	    "another process that holds it is told by its number");
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	ok(pv_lock_holder(scratch.path) == 0,
	    "P3: a process that was killed holds nothing");
	scratch_remove(&scratch);
}

static void test_unsigned(const char *text, const char *claim)
{
	struct scratch scratch;
	scratch_make(&scratch);
	int file =
	    open(scratch_file(&scratch, "state.lock"), O_RDWR | O_CREAT, 0666);
	(void)!write(file, text, strlen(text));
	flock(file, LOCK_EX);
	ok(pv_lock_holder(scratch.path) == -1, "%s", claim);
	close(file);
	scratch_remove(&scratch);
}

int main(void)
{
	test_nobody();
	test_us();
	test_link();
	test_descriptors();
	test_other();
	test_unsigned("", "who has not said who he is holds it all the same");
	test_unsigned("no number\n", "whatever the file says instead");
	return tap_done();
}
