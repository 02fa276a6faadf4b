#include "parse/tdm.h"

#define POLICY_MAX 1024

void pv_tdm_init(struct pv_tdm *tdm)
{
	*tdm = (struct pv_tdm){.has_reservation = false};
	pv_buf_init(&tdm->policy, POLICY_MAX);
}

void pv_tdm_finish(struct pv_tdm *tdm)
{
	pv_buf_finish(&tdm->policy);
}

void pv_tdm_clear(struct pv_tdm *tdm)
{
	tdm->has_reservation = false;
	tdm->is_reserved = false;
	pv_buf_clear(&tdm->policy);
}

void pv_tdm_read_reservation(struct pv_tdm *tdm, struct pv_str text)
{
	struct pv_str number = pv_str_trim(text);
	bool is_reserved = pv_str_equal(number, PV_STR("1"));
	if (!is_reserved && !pv_str_equal(number, PV_STR("0")))
		return;
	tdm->has_reservation = true;
	tdm->is_reserved = tdm->is_reserved || is_reserved;
}

void pv_tdm_read_policy(struct pv_tdm *tdm, struct pv_str text)
{
	struct pv_str policy = pv_str_trim(text);
	size_t len = policy.len < POLICY_MAX ? policy.len : POLICY_MAX;
	if (!tdm->policy.len)
		pv_buf_append(&tdm->policy, pv_str_head(policy, len));
}
