import type { NodeHint } from 'n8n-workflow';

/** As n8n's editor evaluates it: how often a month the chosen times come; of a cron expression nobody knows. */
const checks = `(($parameter.pollTimes || {}).item || []).reduce((sum, { mode, unit, value }) => sum + ({
	everyMinute: 43200, everyHour: 720, everyDay: 30, everyWeek: 4, everyMonth: 1,
	everyX: Math.round((unit === 'minutes' ? 43200 : 720) / (value || 1)),
}[mode] || 0), 0)`;

/** The requests of a check that finds nothing new, with up to fifty sessions in view. */
const perCheck = `((events) => Number(events.some((one) => /^(session|people)\\./.test(one)))
	+ Number(events.some((one) => one.startsWith('event.')))
	+ (events.includes('job.ended') ? String(($parameter.options || {}).jobIds || '').split(/[\\s,;]+/).filter(Boolean).length : 0)
)($parameter.events || [])`;

/** Requests a month, for the interval and the events that are chosen. */
export const monthlyRequests = `(${checks}) * (${perCheck})`;

/** Below the node on the canvas, which cuts off what is long. */
export const subtitle = `={{ ((cost) => cost > 0 ? String(cost).replace(/(\\d)(?=(\\d{3})+$)/g, '$1,') + ' requests a month · ' : '')(${monthlyRequests}) + $parameter.events.join(', ') }}`;

/** What the platform gives a workspace each month. */
const monthly = 10_000;

export const hints: NodeHint[] = [
	{
		type: 'warning',
		location: 'ndv',
		whenToDisplay: 'always',
		message:
			'At these poll times the checks alone need more than the 10,000 requests that the platform usually gives in a month. Choose every 5 minutes or more.',
		displayCondition: `={{ ${monthlyRequests} > ${monthly} }}`,
	},
];
