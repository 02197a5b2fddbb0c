import type { SandboxOptions } from '../options';
import type { ApiRecord } from '../platform';

type Traits = Pick<SandboxOptions, 'jobShape' | 'jobCounters' | 'jobStatus'>;

const otherCounters: Readonly<Record<string, string>> = {
	total_items: 'total_tasks',
	total_processed_items: 'total_processed_tasks',
	total_success: 'total_succeeded',
	total_fail: 'total_failed',
};

/** A job as this platform shows it: section 2.1, unless a trait says otherwise. */
export function jobAnswer(traits: Traits, job: ApiRecord): unknown {
	const record = jobInWords(traits, job);
	return traits.jobShape === 'wrapped' ? { data: record } : record;
}

/** Its counters and its status, without the shape. */
function jobInWords({ jobCounters, jobStatus }: Traits, job: ApiRecord): ApiRecord {
	const entries = Object.entries(job.attributes).map(([name, value]): [string, unknown] => {
		if (name === 'status' && jobStatus === 'completed' && value !== 'processing') {
			return [name, 'completed'];
		}
		return [jobCounters === 'other' ? (otherCounters[name] ?? name) : name, value];
	});
	return { ...job, attributes: Object.fromEntries(entries) };
}
