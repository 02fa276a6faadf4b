#include "serve/jobs/job_places.h"

/* Connections of those who ask, jobs.db, and what else is open beside jobs: at most
 * so many, and no more than a part of all. */
#define OTHERS_MAX UINT64_C(320)
#define OTHERS_PART 4

/* Connections are kept for a while, and pages written meanwhile. */
#define REQUESTS_PART 4
#define REQUESTS_MAX 100000

int64_t pv_job_places(int64_t running, uint64_t descriptors)
{
	uint64_t part = descriptors / OTHERS_PART;
	uint64_t others = part < OTHERS_MAX ? part : OTHERS_MAX;
	uint64_t places = (descriptors - others) / PV_JOB_DESCRIPTORS;
	if (places >= (uint64_t)running)
		return running;
	return places ? (int64_t)places : 1;
}

unsigned pv_job_requests(uint64_t descriptors)
{
	uint64_t requests = descriptors / REQUESTS_PART;
	if (requests >= REQUESTS_MAX)
		return REQUESTS_MAX;
	return requests ? (unsigned)requests : 1;
}
