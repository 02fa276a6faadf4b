#ifndef PAVANE_PAVANE_H
#define PAVANE_PAVANE_H

/* Pavane, a polite web crawler, as a library.
 *
 * What the program `pavane` does, it does with the functions of these headers and
 * nothing else. Texts that are given out belong to the object that gave them and
 * live as long as it does. */

#include "pavane/command.h"
#include "pavane/core.h"
#include "pavane/crawl.h"
#include "pavane/events.h"
#include "pavane/fleet.h"
#include "pavane/look.h"
#include "pavane/merge.h"
#include "pavane/mirror.h"
#include "pavane/order.h"
#include "pavane/page.h"
#include "pavane/policy.h"
#include "pavane/progress.h"
#include "pavane/rows.h"
#include "pavane/runtime.h"
#include "pavane/sink.h"

#endif
