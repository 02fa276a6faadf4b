#ifndef PAVANE_BASE_KEY_TABLE_H
#define PAVANE_BASE_KEY_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Keys of 64 bits that are hashes already, each with a number if one is wanted:
 * a set, or counts, of what is too much to be kept itself.
 *
 * It costs 8 bytes a place, or 12 with numbers, and grows by doubling up to a
 * ceiling; what comes then is turned away. Nothing is taken out again.
 */
struct pv_key_table {
	uint64_t *keys;
	uint32_t *numbers; /* NULL in a set */
	size_t count;
	size_t size; /* a power of two, or 0 */
	size_t ceiling;
	bool has_numbers;
};

void pv_key_table_init(
    struct pv_key_table *table, size_t ceiling, bool has_numbers);
void pv_key_table_finish(struct pv_key_table *table);

bool pv_key_table_has(const struct pv_key_table *table, uint64_t key);

/* The number of the key; 0 if it is not there. */
uint32_t pv_key_table_get(const struct pv_key_table *table, uint64_t key);

/* Whether one more would be taken. */
static inline bool pv_key_table_has_room(const struct pv_key_table *table)
{
	return table->count < table->ceiling;
}

/* Adds the key, with 0 where there are numbers, unless it is there; false if
 * the ceiling is in the way. */
bool pv_key_table_add(struct pv_key_table *table, uint64_t key);

/* Adds one to the key's number, which may be new; false as above. */
bool pv_key_table_count(struct pv_key_table *table, uint64_t key);

#endif
