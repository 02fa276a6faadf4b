#include "cli/service/systemd.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "scratch.h"
#include "tap.h"

/* What systemd says in the environment, and what it hears at its socket. */

static void test_watchdog(void)
{
	static const struct {
		const char *limit_us;
		const char *process; /* NULL: none; "": this one */
		int64_t half_ms;
		const char *claim;
	} cases[] = {
	    {NULL, NULL, 0, "nobody asks whether it is alive"},
	    {"30000000", NULL, 15000, "it is told at half the time"},
	    {"30000000", "", 15000, "also when our process is meant"},
	    {"30000000", "1", 0, "and not when another one is"},
	    {"30000000", "x", 0, "or nobody knows which"},
	    {"1000", NULL, 1, "a short time is not none"},
	    {"0", NULL, 0, "none is none"},
	    {"-5", NULL, 0, "as is less"},
	    {"5s", NULL, 0, "what is no number counts for nothing"},
	    {"", NULL, 0, "nor does nothing"},
	    {"99999999999999999999999", NULL, 0, "nor what is too large"},
	};
	char own[32];
	snprintf(own, sizeof(own), "%d", (int)getpid());
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const char *process = cases[i].process;
		unsetenv("WATCHDOG_USEC");
		unsetenv("WATCHDOG_PID");
		if (cases[i].limit_us)
			setenv("WATCHDOG_USEC", cases[i].limit_us, 1);
		if (process)
			setenv("WATCHDOG_PID", *process ? process : own, 1);
		ok(pv_systemd_watchdog_ms() == cases[i].half_ms, "%s",
		    cases[i].claim);
	}
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
}

static void test_credentials(void)
{
	unsetenv("CREDENTIALS_DIRECTORY");
	ok(!pv_systemd_credentials(), "there may be no credentials");
	setenv("CREDENTIALS_DIRECTORY", "/run/credentials/x", 1);
	is_text(pv_str_of(pv_systemd_credentials()), "/run/credentials/x",
	    "or a directory of them");
	setenv("CREDENTIALS_DIRECTORY", "here", 1);
	ok(!pv_systemd_credentials(), "which is named from the root");
	unsetenv("CREDENTIALS_DIRECTORY");
}

/* A socket of the file system, or of no file where its name begins with "@". */
static int listen_at(const char *name)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct timeval patience = {.tv_sec = 30};
	int file = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	size_t len = strlen(name);
	memcpy(address.sun_path, name, len);
	if (name[0] == '@')
		address.sun_path[0] = '\0';
	setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	if (bind(file, (struct sockaddr *)&address,
		(socklen_t)(offsetof(struct sockaddr_un, sun_path) + len)) != 0)
		abort();
	setenv("NOTIFY_SOCKET", name, 1);
	return file;
}

static void hear(int file, char text[200])
{
	ssize_t len = recv(file, text, 199, 0);
	text[len < 0 ? 0 : len] = '\0';
}

static void test_notify(void)
{
	struct scratch scratch;
	char text[200], name[100];
	scratch_make(&scratch);
	int file = listen_at(scratch_file(&scratch, "notify"));
	pv_systemd_notify("READY=1");
	hear(file, text);
	is_text(pv_str_of(text), "READY=1", "it is told by a socket");
	pv_systemd_notify_reloading(7);
	hear(file, text);
	is_text(pv_str_of(text), "RELOADING=1\nMONOTONIC_USEC=8000",
	    "reading anew is told with its time, which has not gone by");
	close(file);
	snprintf(name, sizeof(name), "@pavane-test-%d", (int)getpid());
	file = listen_at(name);
	pv_systemd_notify("STOPPING=1");
	hear(file, text);
	is_text(
	    pv_str_of(text), "STOPPING=1", "a name without a file is one, too");
	close(file);
	unsetenv("NOTIFY_SOCKET");
	pv_systemd_notify("READY=1");
	ok(true, "where it does not ask, nobody is told");
	scratch_remove(&scratch);
}

static void test_socket(void)
{
	char own[32];
	unsetenv("LISTEN_PID");
	setenv("LISTEN_FDS", "1", 1);
	ok(pv_systemd_socket() < 0, "a socket is for a process");
	setenv("LISTEN_PID", "1", 1);
	ok(pv_systemd_socket() < 0, "and not for another one");
	snprintf(own, sizeof(own), "%d", (int)getpid());
	setenv("LISTEN_PID", own, 1);
	ok(pv_systemd_socket() == 3, "for this one it is the first");
	setenv("LISTEN_FDS", "0", 1);
	ok(pv_systemd_socket() < 0, "of which there may be none");
	unsetenv("LISTEN_PID");
	unsetenv("LISTEN_FDS");
}

int main(void)
{
	test_watchdog();
	test_credentials();
	test_notify();
	test_socket();
	return tap_done();
}
