#ifndef PAVANE_CLI_RUN_WEB_ADDRESS_H
#define PAVANE_CLI_RUN_WEB_ADDRESS_H

/* Addresses as people type them: docs.example.org means
 * https://docs.example.org; this machine, or a bare network address, seldom has
 * a certificate and means http. What has a scheme, or cannot be a host, stays
 * as it is, for the policy to judge. A new text, to be released with free. */
char *pv_web_address_of(const char *written);

#endif
