#ifndef PAVANE_TESTS_RANDOM_H
#define PAVANE_TESTS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* Chance for tests: the same numbers for the same seed, everywhere
 * (SplitMix64, by Steele, Lea and Flood). */
struct random {
	uint64_t state;
};

static inline struct random random_of(uint64_t seed)
{
	return (struct random){seed};
}

static inline uint64_t random_next(struct random *random)
{
	uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static inline size_t random_below(struct random *random, size_t limit)
{
	return (size_t)(random_next(random) % limit);
}

#endif
