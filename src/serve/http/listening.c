#include "serve/http/listening.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/address.h"
#include "base/alloc.h"
#include "base/reader.h"
#include "serve/http/port_owner.h"

#define BACKLOG 256
#define OWNER_MAX 512

static bool refuse(struct pv_why *why, const char *where, const char *reason)
{
	pv_why_add(why, (struct pv_place){0}, (struct pv_str){0},
	    "cannot listen on %s: %s", where, reason);
	return false;
}

static bool refuse_as_used(struct pv_why *why, const char *where, uint16_t port)
{
	struct pv_buf owner;
	pv_buf_init(&owner, OWNER_MAX);
	if (port && pv_port_owner_find("/proc", port, &owner))
		pv_buf_append_text(&owner, " listens there");
	else
		pv_buf_append_text(&owner, "another process listens there");
	refuse(why, where, pv_buf_text(&owner));
	pv_buf_finish(&owner);
	return false;
}

/* An address of TCP as sockets have it. */
struct end {
	struct sockaddr_storage address;
	socklen_t size;
	uint16_t port;
};

static void fill_end(
    struct end *end, const struct pv_address *address, uint16_t port)
{
	struct sockaddr_in *four = (struct sockaddr_in *)&end->address;
	struct sockaddr_in6 *six = (struct sockaddr_in6 *)&end->address;
	*end = (struct end){.port = port};
	if (address->bits == 32) {
		four->sin_family = AF_INET;
		four->sin_port = htons(port);
		memcpy(&four->sin_addr, address->bytes, 4);
		end->size = sizeof(*four);
	} else {
		six->sin6_family = AF_INET6;
		six->sin6_port = htons(port);
		memcpy(&six->sin6_addr, address->bytes, 16);
		end->size = sizeof(*six);
	}
}

/* "127.0.0.1:7117" or "[::1]:7117". */
static bool read_end(struct pv_str where, struct end *end)
{
	struct pv_reader reader = pv_reader_of(where);
	struct pv_address address;
	bool is_bracketed = pv_reader_accept(&reader, '[');
	struct pv_str host =
	    pv_reader_take_until(&reader, is_bracketed ? ']' : ':');
	uint64_t port;
	if ((is_bracketed && !pv_reader_accept(&reader, ']')) ||
	    !pv_reader_accept(&reader, ':') ||
	    !pv_reader_take_number(&reader, UINT16_MAX, &port) ||
	    !pv_reader_is_end(&reader) || !pv_address_read(host, &address) ||
	    is_bracketed != (address.bits == 128))
		return false;
	fill_end(end, &address, (uint16_t)port);
	return true;
}

/* A service that starts again does not wait for what is left of connections. */
static bool bind_end(int fd, const struct end *end)
{
	int yes = 1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
	if (end->address.ss_family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof(yes));
	return bind(fd, (const struct sockaddr *)&end->address, end->size) ==
		   0 &&
	       listen(fd, BACKLOG) == 0;
}

static uint16_t port_of(int fd)
{
	struct sockaddr_storage address = {0};
	socklen_t size = sizeof(address);
	if (getsockname(fd, (struct sockaddr *)&address, &size) != 0)
		return 0;
	if (address.ss_family == AF_INET)
		return ntohs(((struct sockaddr_in *)&address)->sin_port);
	if (address.ss_family == AF_INET6)
		return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
	return 0;
}

static bool open_tcp(
    struct pv_listening *listening, const char *where, struct pv_why *why)
{
	struct end end;
	if (!read_end(pv_str_of(where), &end))
		return refuse(why, where,
		    "expected ADDRESS:PORT, [ADDRESS]:PORT or unix:PATH");
	int fd = socket(end.address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return refuse(why, where, strerror(errno));
	if (!bind_end(fd, &end)) {
		int error = errno;
		close(fd);
		return error == EADDRINUSE
			   ? refuse_as_used(why, where, end.port)
			   : refuse(why, where, strerror(error));
	}
	*listening = (struct pv_listening){.socket = fd, .port = port_of(fd)};
	return true;
}

/* Whether a socket file may be replaced: nobody listens on it. */
static bool is_left_over(const struct sockaddr_un *address)
{
	struct stat status;
	if (lstat(address->sun_path, &status) != 0 || !S_ISSOCK(status.st_mode))
		return false;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return false;
	bool is_refused = connect(fd, (const struct sockaddr *)address,
			      sizeof(*address)) != 0 &&
			  errno == ECONNREFUSED;
	close(fd);
	return is_refused;
}

static bool bind_unix(int fd, const struct sockaddr_un *address)
{
	const struct sockaddr *any = (const struct sockaddr *)address;
	if (bind(fd, any, sizeof(*address)) == 0)
		return true;
	if (errno != EADDRINUSE)
		return false;
	if (!is_left_over(address)) {
		errno = EADDRINUSE;
		return false;
	}
	return unlink(address->sun_path) == 0 &&
	       bind(fd, any, sizeof(*address)) == 0;
}

/* Nobody can connect before listen, so that the mode holds from the first. */
static bool listen_unix(int fd, const struct sockaddr_un *address)
{
	if (!bind_unix(fd, address))
		return false;
	if (chmod(address->sun_path, 0660) == 0 && listen(fd, BACKLOG) == 0)
		return true;
	int error = errno;
	unlink(address->sun_path);
	errno = error;
	return false;
}

static bool refuse_unix(struct pv_why *why, const char *where,
    const struct sockaddr_un *address, int error)
{
	struct stat status;
	if (error != EADDRINUSE)
		return refuse(why, where, strerror(error));
	if (lstat(address->sun_path, &status) == 0 && !S_ISSOCK(status.st_mode))
		return refuse(why, where, "the file there is no socket");
	return refuse_as_used(why, where, 0);
}

static bool open_unix(struct pv_listening *listening, const char *where,
    const char *path, struct pv_why *why)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	size_t len = strlen(path);
	if (!len || len >= sizeof(address.sun_path))
		return refuse(
		    why, where, "the path of a socket has 1 to 107 bytes");
	memcpy(address.sun_path, path, len);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return refuse(why, where, strerror(errno));
	if (!listen_unix(fd, &address)) {
		int error = errno;
		close(fd);
		return refuse_unix(why, where, &address, error);
	}
	*listening = (struct pv_listening){.socket = fd};
	listening->path = memcpy(pv_alloc(len + 1), path, len);
	return true;
}

bool pv_listening_open(
    struct pv_listening *listening, const char *where, struct pv_why *why)
{
	struct pv_str unix_prefix = PV_STR("unix:");
	if (pv_str_starts(pv_str_of(where), unix_prefix))
		return open_unix(
		    listening, where, where + unix_prefix.len, why);
	return open_tcp(listening, where, why);
}

bool pv_listening_take(
    struct pv_listening *listening, int socket, struct pv_why *why)
{
	int is_listening = 0;
	socklen_t size = sizeof(is_listening);
	if (getsockopt(
		socket, SOL_SOCKET, SO_ACCEPTCONN, &is_listening, &size) != 0 ||
	    !is_listening) {
		pv_why_add(why, (struct pv_place){0}, (struct pv_str){0},
		    "descriptor %d was given and is no socket that listens",
		    socket);
		return false;
	}
	/* Given to this process, and to none that it starts. */
	fcntl(socket, F_SETFD, FD_CLOEXEC);
	*listening =
	    (struct pv_listening){.socket = socket, .port = port_of(socket)};
	return true;
}

bool pv_socket_is_open_to_others(int socket)
{
	union {
		struct sockaddr any;
		struct sockaddr_in four;
		struct sockaddr_in6 six;
		struct sockaddr_storage room;
	} end = {.any.sa_family = AF_UNSPEC};
	socklen_t size = sizeof(end);
	struct pv_address address = {.bits = 0};
	if (getsockname(socket, &end.any, &size) != 0)
		return true;
	if (end.any.sa_family == AF_INET) {
		address.bits = 32;
		memcpy(address.bytes, &end.four.sin_addr, 4);
	} else if (end.any.sa_family == AF_INET6) {
		address.bits = 128;
		memcpy(address.bytes, &end.six.sin6_addr, 16);
	}
	return address.bits && pv_address_kind(&address) != PV_ADDRESS_LOOPBACK;
}

void pv_listening_close(struct pv_listening *listening)
{
	if (listening->path)
		unlink(listening->path);
	if (listening->socket >= 0)
		close(listening->socket);
	free(listening->path);
	*listening = (struct pv_listening){.socket = -1};
}
