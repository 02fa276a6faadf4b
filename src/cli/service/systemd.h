#ifndef PAVANE_CLI_SERVICE_SYSTEMD_H
#define PAVANE_CLI_SERVICE_SYSTEMD_H

/* What systemd says to a service that it starts, and hears from it
 * (sd_notify(3), sd_listen_fds(3)), without its library. */

/* A socket that it listens on for us; negative: none. */
int pv_systemd_socket(void);

/* Tells it "READY=1" and the like; nothing where it does not ask. */
void pv_systemd_notify(const char *state);

#endif
