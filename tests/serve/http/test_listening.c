#include "serve/http/listening.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "scratch.h"
#include "serve/http/asking.h"
#include "tap.h"

/* Claims that it is refused, and that the sentence has the text. */
static void is_refused(const char *where, const char *text, const char *claim)
{
	struct pv_listening listening;
	struct pv_why why;
	pv_why_init(&why);
	bool is_open = pv_listening_open(&listening, where, &why);
	const char *said =
	    why.problems.kept_count ? why.problems.kept[0].text : "";
	if (!ok(!is_open && strstr(said, text), "%s", claim))
		printf("# %s\n", said);
	pv_why_finish(&why);
}

static bool opens(struct pv_listening *listening, const char *where)
{
	struct pv_why why;
	pv_why_init(&why);
	bool is_open = pv_listening_open(listening, where, &why);
	pv_why_finish(&why);
	return is_open;
}

static void test_tcp(void)
{
	struct pv_listening first;
	char where[64];
	char owner[256];
	ok(opens(&first, "127.0.0.1:0") && first.port,
	    "the system chooses a port");
	int fd = asking_connect(first.port);
	ok(fd >= 0, "at which connections come");
	close(fd);
	snprintf(where, sizeof(where), "127.0.0.1:%u", first.port);
	snprintf(
	    owner, sizeof(owner), " (pid %ld) listens there", (long)getpid());
	is_refused(where, owner, "a port in use is told, with its owner");
	pv_listening_close(&first);
	ok(opens(&first, where), "it is free when listening ends");
	pv_listening_close(&first);
	is_refused("127.0.0.1", "expected", "a port is needed");
	is_refused("localhost:80", "expected", "a name is no address");
	is_refused("::1:80", "expected", "IPv6 needs brackets");
	is_refused("[::1:80", "expected", "both of them");
	is_refused("[127.0.0.1]:80", "expected", "IPv4 has none");
	is_refused("127.0.0.1:65536", "expected", "a port has 16 bits");
	is_refused("127.0.0.1:80x", "expected", "nothing follows it");
	is_refused("192.0.2.1:0", "cannot listen on 192.0.2.1:0: ",
	    "an address of another machine is refused");
}

static void test_six(void)
{
	struct pv_listening listening;
	int fd = socket(AF_INET6, SOCK_STREAM, 0);
	struct sockaddr_in6 end = {
	    .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	bool has_six = bind(fd, (struct sockaddr *)&end, sizeof(end)) == 0;
	close(fd);
	if (!has_six) {
		tap_skip("IPv6 is listened on", "there is none");
		return;
	}
	ok(opens(&listening, "[::1]:0") && listening.port,
	    "IPv6 is listened on");
	pv_listening_close(&listening);
}

static void test_unix(void)
{
	struct scratch scratch;
	struct pv_listening listening;
	struct pv_listening second;
	struct stat status;
	char where[300];
	scratch_make(&scratch);
	snprintf(
	    where, sizeof(where), "unix:%s", scratch_file(&scratch, "socket"));
	const char *path = where + 5;
	ok(opens(&listening, where) && listening.port == 0,
	    "a socket in the file system is listened on");
	ok(stat(path, &status) == 0 && (status.st_mode & 0777) == 0660,
	    "with mode 0660");
	is_refused(where, "listens there", "one in use stays");
	/* What a service leaves that was killed. */
	close(listening.socket);
	listening.socket = -1;
	ok(opens(&second, where), "one that nobody listens on is replaced");
	pv_listening_close(&second);
	ok(stat(path, &status) != 0, "it goes when listening ends");
	pv_listening_close(&listening);
	close(open(path, O_CREAT | O_WRONLY, 0600));
	is_refused(where, "no socket", "another file stays");
	is_refused("unix:", "107", "an empty path is refused");
	is_refused("unix:/nowhere/socket", "No such file",
	    "and so is one that leads nowhere");
	memset(where + 5, 'x', 150);
	where[155] = '\0';
	is_refused(where, "107", "and one that is too long");
	scratch_remove(&scratch);
}

static void test_given(void)
{
	struct pv_listening opened;
	struct pv_listening taken;
	struct pv_why why;
	pv_why_init(&why);
	opens(&opened, "127.0.0.1:0");
	ok(pv_listening_take(&taken, opened.socket, &why) &&
		taken.port == opened.port,
	    "a socket that listens already is taken");
	pv_listening_close(&taken);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	ok(!pv_listening_take(&taken, fd, &why) && why.problems.count == 1,
	    "another one is refused");
	close(fd);
	pv_why_finish(&why);
}

int main(void)
{
	test_tcp();
	test_six();
	test_unix();
	test_given();
	return tap_done();
}
