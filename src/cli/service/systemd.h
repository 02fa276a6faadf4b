#ifndef PAVANE_CLI_SERVICE_SYSTEMD_H
#define PAVANE_CLI_SERVICE_SYSTEMD_H

#include <stdint.h>

/* What systemd says to a service that it starts, and hears from it
 * (sd_notify(3), sd_listen_fds(3)), without its library. */

/* A socket that it listens on for us; negative: none. */
int pv_systemd_socket(void);

/* Where it puts what is said in confidence; NULL: nowhere. */
const char *pv_systemd_credentials(void);

/* How often it is to be told "WATCHDOG=1", lest it think that we hang: half of
 * what it waits for, in milliseconds; 0: it does not ask. */
int64_t pv_systemd_watchdog_ms(void);

/* Tells it that the configuration is read again, and when, by CLOCK_MONOTONIC;
 * "READY=1" ends that. */
void pv_systemd_notify_reloading(int64_t now_ms);

/* Tells it "READY=1" and the like; nothing where it does not ask. */
void pv_systemd_notify(const char *state);

#endif
