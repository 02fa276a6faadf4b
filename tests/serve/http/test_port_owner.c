#include "serve/http/port_owner.h"

#include <arpa/inet.h>

#include "serve/http/asking.h"
#include "tap.h"

#define TABLE                                                                 \
	"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when " \
	"retrnsmt   uid  timeout inode\n"                                     \
	"   0: 0100007F:1BCD 0100007F:C001 01 00000000:00000000 00:00000000 " \
	"00000000     0        0 11 1 0000000000000000 20 4 30 10 -1\n"       \
	"   1: 0100007F:1BCD 00000000:0000 0A 00000000:00000000 00:00000000 " \
	"00000000     0        0 22 1 0000000000000000 100 0 0 10 0\n"

static int listen_anywhere(uint16_t *port)
{
	struct sockaddr_in end = {
	    .sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t size = sizeof(end);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(fd, (struct sockaddr *)&end, sizeof(end)) != 0 ||
	    listen(fd, 1) != 0 ||
	    getsockname(fd, (struct sockaddr *)&end, &size) != 0)
		return -1;
	*port = ntohs(end.sin_port);
	return fd;
}

int main(void)
{
	struct pv_buf owner;
	char pid[32];
	uint16_t port = 0;
	int fd = listen_anywhere(&port);
	pv_buf_init(&owner, 512);
	ok(pv_port_owner_inode(PV_STR(TABLE), 0x1bcd) == 22,
	    "the socket that listens is found");
	ok(pv_port_owner_inode(PV_STR(TABLE), 0xc001) == 0,
	    "and none where nobody listens");
	ok(pv_port_owner_inode(PV_STR("\n\n 1: :1BCD\n"), 0x1bcd) == 0,
	    "a line that ends early is none");
	snprintf(pid, sizeof(pid), " (pid %ld)", (long)getpid());
	ok(pv_port_owner_find("/proc", port, &owner) &&
		strstr(pv_buf_text(&owner), "test_port_owner") &&
		strstr(pv_buf_text(&owner), pid),
	    "a process is found by the port that it listens on");
	close(fd);
	pv_buf_clear(&owner);
	ok(!pv_port_owner_find("/proc", port, &owner),
	    "and no longer when it does not");
	ok(!pv_port_owner_find("/nowhere", port, &owner),
	    "without /proc nobody is");
	pv_buf_finish(&owner);
	return tap_done();
}
