#ifndef PAVANE_POLICY_VALUES_VALUE_H
#define PAVANE_POLICY_VALUES_VALUE_H

/* What `none` reads as where a number could stand. */
#define PV_NONE INT64_C(-1)

#endif
