// What was seen of each job since the page was opened: for queue growth and
// rates. Nothing of it is stored.

const samples_max = 600;
const growth_ms = 60000;
const growth_least_ms = 6000;

const series = new Map();

export const all_jobs = "";

export function remember(id, progress, now) {
	const samples = series.get(id) || [];
	const last = samples[samples.length - 1];
	if (last && now - last.time < 500)
		samples.pop();
	samples.push({
		time: now,
		left: progress.pending || 0,
		rate: progress.pages_per_second || 0,
	});
	if (samples.length > samples_max)
		samples.shift();
	series.set(id, samples);
}

export function forget_others(ids) {
	for (const id of series.keys())
		if (id !== all_jobs && !ids.has(id))
			series.delete(id);
}

export function samples_of(id) {
	return series.get(id) || [];
}

// By how many addresses a minute the queue has grown of late; null where too
// little was seen.
export function growth_of(id) {
	const samples = samples_of(id);
	const last = samples[samples.length - 1];
	const first = samples.find((sample) => last.time - sample.time <= growth_ms);
	if (!first || last.time - first.time < growth_least_ms)
		return null;
	return (last.left - first.left) * 60000 / (last.time - first.time);
}

export function growth_words(id) {
	const growth = growth_of(id);
	if (growth === null)
		return "";
	const amount = Math.round(Math.abs(growth));
	if (!amount)
		return "steady";
	return (growth > 0 ? "grows by " : "shrinks by ") +
		amount.toLocaleString("en") + " a minute";
}
