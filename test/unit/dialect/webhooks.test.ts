import {
	isDisabled,
	parseSignature,
	statedEventType,
} from '../../../nodes/EventPlatform/core/dialect/webhooks';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';

const meta = (event: unknown) => ({ webhook: { event } });

test.each<[string, unknown]>([
	['beside the record', { data: { id: '1' }, meta: meta('job.ended') }],
	['in the record', { data: { id: '1', meta: meta('job.ended') } }],
	['in a flat record', { id: '1', meta: meta('job.ended') }],
	['in the record first', { data: { meta: meta('job.ended') }, meta: meta('other') }],
])('a delivery states its event type %s', (_, body) => {
	expect(statedEventType(body)).toBe('job.ended');
});

test.each<[unknown]>([['text'], [{}], [{ meta: {} }], [{ meta: meta('') }], [{ meta: meta(7) }]])(
	'%j states no event type',
	(body) => expect(statedEventType(body)).toBeUndefined(),
);

const [time, digest] = ['1700000000', 'a'.repeat(64)];
test.each([`${time},${digest}`, `${digest}, ${time}`])('a signature is read: %s', (header) => {
	expect(parseSignature(header)).toEqual({ time, digest });
});

test.each([
	undefined,
	'',
	time,
	`${time},${digest},${digest}`,
	`${time},${digest}0`,
	`1,${digest}`,
])('%p is no signature', (header) => expect(parseSignature(header)).toBeUndefined());

test.each<JsonObject>([
	{ disabled: true },
	{ status: 'disabled' },
	{ disabled_at: 1_700_000_000 },
	{ enabled: false },
	{ active: false },
])('a webhook is disabled that says %j', (webhook) => {
	expect(isDisabled(webhook)).toBe(true);
});

test.each<JsonObject>([
	{},
	{ disabled: false, disabled_at: 0, enabled: true, active: true, status: 'active' },
])('a webhook is in use that says %j', (webhook) => expect(isDisabled(webhook)).toBe(false));
