#ifndef PAVANE_CLI_TERMINAL_AMOUNTS_H
#define PAVANE_CLI_TERMINAL_AMOUNTS_H

#include <stdint.h>

/* Numbers as people read them: 1,234,567; 34.2 MiB; 1h 12m; 3.2 pages/min.
 *
 * Each is a value with its text inside, so that it can be named where it is
 * printed: printf("%s\n", pv_amount_of_count(n).text).
 */
struct pv_amount {
	char text[48];
};

/* With a comma before each three digits. */
struct pv_amount pv_amount_of_count(uint64_t count);

/* "1 page", "2 pages": the plural is the noun and s. */
struct pv_amount pv_amount_of_things(uint64_t count, const char *noun);

/* In units of 1024. */
struct pv_amount pv_amount_of_size(uint64_t bytes);

/* The two largest units that say something; less than nothing is nothing. */
struct pv_amount pv_amount_of_time(int64_t ms);

/* Each second, minute or hour, so that the number is not much below one. */
struct pv_amount pv_amount_of_rate(double per_second, const char *noun);

/* Of a measurement in milliseconds; "-" where it is negative: unknown. */
struct pv_amount pv_amount_of_ms(double ms);

#endif
