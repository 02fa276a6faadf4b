#ifndef PAVANE_FETCH_HOOKS_H
#define PAVANE_FETCH_HOOKS_H

#include <curl/curl.h>

/* What libcurl calls while a request is under way. Each notes what happens, in
 * the exchange that is its ctx, and calls nobody outside this room: libcurl may
 * not be asked for anything from within. */

struct pv_exchange;

/* Has libcurl call all of these for the exchange's easy handle. */
void pv_hooks_set(struct pv_exchange *exchange);

/* A line of the head came, or of the trailers. */
size_t pv_hook_line(char *line, size_t one, size_t len, void *ctx);

/* Bytes of the body came. */
size_t pv_hook_body(char *bytes, size_t one, size_t len, void *ctx);

/* There is a connection for the request, which goes out next. It may go out
 * only once: when a kept connection turns out to be closed, libcurl asks again
 * at once on another one, and so the server, which may well have seen the
 * first, would get two without a rest between them. */
int pv_hook_request(
    void *ctx, char *address, char *own_address, int port, int own_port);

/* A connection needs a socket: it goes to where the request is pinned. */
curl_socket_t pv_hook_open_socket(
    void *ctx, curlsocktype purpose, struct curl_sockaddr *socket);

/* The ctx is the lane. */
int pv_hook_close_socket(void *ctx, curl_socket_t fd);

/* TLS begins: whom is it to believe? */
CURLcode pv_hook_tls(CURL *easy, void *context, void *ctx);

#endif
