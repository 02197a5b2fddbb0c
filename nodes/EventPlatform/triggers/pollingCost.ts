import type { NodeHint } from 'n8n-workflow';
import { eventTypeTable, eventTypeOf, listed } from '../core/events/eventTypes';
import { shareOfMonth, usualMonth, usualPerDay } from '../core/polling/monthlyShare';

/** As n8n's editor evaluates it: how often a month the chosen times come; of a cron expression nobody knows. */
const checks = `(($parameter.pollTimes || {}).item || []).reduce((sum, { mode, unit, value }) => sum + ({
	everyMinute: 43200, everyHour: 720, everyDay: 30, everyWeek: 4, everyMonth: 1,
	everyX: Math.round((unit === 'minutes' ? 43200 : 720) / (value || 1)),
}[mode] || 0), 0)`;

const eventTypes = Object.keys(eventTypeTable);
const isAny = (names: string[]) => `events.some((one) => ${JSON.stringify(names)}.includes(one))`;

/** The requests of a check that finds nothing new, with up to fifty sessions in view. */
const perCheck = `((events) => Number(${isAny(listed(eventTypes, 'sessions', 'people'))})
	+ Number(${isAny(listed(eventTypes, 'events'))})
	+ (${isAny(eventTypes.filter((eventType) => eventTypeOf(eventType).isNamed))} ? String(($parameter.options || {}).jobIds || '').split(/[\\s,;]+/).filter(Boolean).length : 0)
)($parameter.events || [])`;

const monthlyRequests = `(${checks}) * (${perCheck})`;
const share = Math.floor(usualMonth * shareOfMonth);
const isLimited = '($parameter.options || {}).keepToShare !== false';
const withCommas = `.replace(/(\\d)(?=(\\d{3})+$)/g, '$1,')`;

const names = Object.fromEntries(
	eventTypes.map((eventType) => [eventType, eventTypeOf(eventType).name]),
);
export const eventNames = `[].concat($parameter.events || []).map((one) => (${JSON.stringify(names)})[one] || one).join(', ')`;

/** Below the node on the canvas, which cuts off what is long. */
export const pollingSubtitle = `={{ ((cost) => cost > 0 ? String(cost)${withCommas} + ' requests a month · ' : '')(${isLimited} ? Math.min(${share}, ${monthlyRequests}) : ${monthlyRequests}) + ${eventNames} }}`;

function hint(type: NodeHint['type'], message: string, condition: string): NodeHint {
	const displayCondition = `={{ ${condition} }}`;
	return { type, location: 'ndv', whenToDisplay: 'always', message, displayCondition };
}

const minutesPerRequest = Math.ceil((24 * 60) / usualPerDay);

/** n8n evaluates when a hint is shown, not what it says. */
const rarer = [1, 2, 3, 4].map((requests) => {
	const isIt = requests === 4 ? '>= 4' : `=== ${requests}`;
	const interval = requests === 4 ? 'hour' : `${requests * minutesPerRequest} minutes`;
	return hint(
		'info',
		`With 10,000 requests a month this node checks about every ${interval}, because it uses at most a third of them. Nothing is missed. To check more often, turn off 'Limit Monthly Requests'.`,
		`${isLimited} && ${monthlyRequests} > ${share} && (${perCheck}) ${isIt}`,
	);
});

export const hints: NodeHint[] = [
	...rarer,
	hint(
		'warning',
		'At these poll times the checks alone need more than the 10,000 requests that the platform usually gives in a month. Choose an interval of 5 minutes or more.',
		`!(${isLimited}) && ${monthlyRequests} > ${usualMonth}`,
	),
];
