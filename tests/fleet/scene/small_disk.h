#ifndef PAVANE_TESTS_FLEET_SCENE_SMALL_DISK_H
#define PAVANE_TESTS_FLEET_SCENE_SMALL_DISK_H

#include <stdbool.h>

/* A worker's directory on a small disk, which can be filled: a file system in memory
 * that this process and those that it starts see alone. */
struct home;

/* NULL, or the word for tap_skip_all. */
const char *small_disk_enter(void);

/* False if there is none to be had. */
bool small_disk_mount(struct home *home, const char *directory);
void small_disk_unmount(struct home *home, const char *directory);

/* The policy, whose output is {}, asks for room on the disk: for more than is left once
 * it is filled. */
void small_disk_want_room(struct home *home);
bool small_disk_fill(struct home *home, const char *directory);

#endif
