#include "serve/jobs/job_places.h"

#include "tap.h"

int main(void)
{
	ok(pv_job_places(8, 1024) == 8,
	    "jobs.running holds where there are files enough");
	ok(pv_job_places(100, 1024) == 12,
	    "where there are not, fewer run: of 1024 files 12 jobs");
	ok(pv_job_places(1000, 65536) == 1000,
	    "as many as may be asked for need no more than 65536");
	ok(pv_job_places(8, 100) == 1 && pv_job_places(8, 0) == 1,
	    "one always may");
	ok(pv_job_places(1000, UINT64_MAX) == 1000,
	    "a machine without such a limit holds none back");
	ok(pv_job_requests(1024) == 256 && pv_job_requests(65536) == 16384,
	    "all jobs together have a quarter of them as requests in flight");
	ok(pv_job_requests(0) == 1 && pv_job_requests(UINT64_MAX) == 100000,
	    "one at least, and no more than a processor bears");
	return tap_done();
}
