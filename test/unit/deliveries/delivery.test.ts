import * as fc from 'fast-check';
import { readDelivery } from '../../../nodes/EventPlatform/core/deliveries/delivery';

const job = { type: 'jobs', id: 'j-1', attributes: { status: 'ended', total_items: 2 } };
const meta = (event: string) => ({ webhook: { event, organization_id: 'o-1' } });
const person = { type: 'people', id: 'p-1' };
const poll = { type: 'polls', id: 'p-1', meta: meta('poll.closed') };
const replay = 'people.watched_replay';

test('the form of the specification is read: the job as GET /jobs/:id shows it', () => {
	expect(readDelivery(job, ['job.ended'])).toEqual({
		kind: 'job.ended',
		record: { ...job, relationships: {} },
	});
});

test.each([
	['a job in data', { data: job }, ['job.ended'], 'job.ended'],
	['meta inside data', { data: { ...job, meta: meta('job.ended') } }, [], 'job.ended'],
	['a kind without a name', { data: { ...job, meta: meta('') } }, [], 'job.ended'],
	['meta in a flat record', { ...job, meta: meta('job.ended') }, [], 'job.ended'],
	['a kind that nobody knows yet', { data: poll }, ['poll.closed'], 'poll.closed'],
	['no kind, where one can be meant', { data: person }, ['job.ended', replay], replay],
])('read: %s', (_, body, kinds, kind) => expect(readDelivery(body, kinds)?.kind).toBe(kind));

test.each([
	['a list', [job]],
	['no id', { ...job, id: undefined }],
	['an id that climbs out of the path', { ...job, id: '../webhooks' }],
	['an id of dots', { ...job, id: '..' }],
	['an id with a line break', { ...job, id: 'j-1\n' }],
	['an endless id', { ...job, id: 'j'.repeat(129) }],
	['no type', { id: 'j-1', attributes: {} }],
	['no kind, where two can be meant', { data: person }],
	['a type that every object has', { data: { type: 'constructor', id: 'p-1' } }],
	['a kind that is no text', { data: { ...person, meta: { webhook: { event: 1 } } } }],
])('not read as an event: %s', (_, body) =>
	expect(readDelivery(body, ['people.registered', 'people.attended'])).toBeUndefined(),
);

test('a number is an id as well', () => {
	expect(readDelivery({ ...job, id: 12 }, [])?.record.id).toBe('12');
});

test('nothing makes the reader throw, and what it reads has an id that is safe in a path', () => {
	const almost = fc.record(
		{ type: fc.anything(), id: fc.anything(), attributes: fc.anything(), meta: fc.anything() },
		{ requiredKeys: [] },
	);
	const wrapped = fc.record({ data: fc.oneof(almost, fc.anything()) });
	const bodies = fc.oneof(fc.anything(), almost, wrapped);
	fc.assert(
		fc.property(bodies, (body) => {
			const delivery = readDelivery(body, ['people.registered']);
			return delivery === undefined || /^[\w-]{1,128}$/.test(delivery.record.id);
		}),
		{ numRuns: 2_000 },
	);
});
