import '../support/time/fasterClock';
import type { INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import { EventPlatformTrigger } from '../../nodes/EventPlatform/EventPlatformTrigger.node';
import { operate } from '../support/n8n/operation';
import { type TestSandbox } from '../support/platform/sandbox';
import { answering, exactPlatform, registerInBulk } from './scene';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await exactPlatform();
});

/** The values of all operations, and the names of all fields below an operation. */
function menu() {
	const { properties } = new EventPlatform().description;
	const named = (options: unknown[]): string[] =>
		(options as Array<INodePropertyOptions | INodePropertyCollection>).map((option) =>
			String('value' in option ? option.value : option.name),
		);
	const operations = properties.filter(({ name }) => name === 'operation');
	const collections = properties.filter(({ type }) => type === 'collection');
	return {
		operations: operations.flatMap(({ options = [] }) => named(options)),
		fields: collections.flatMap(({ options = [] }) => options.map(({ name }) => name)),
	};
}

describe('9 Versions', () => {
	test.each(['a job', 'a result', 'a page', 'a record'])(
		'Changes have been additions: what is new does not break a client (%j)',
		async (where) => {
			const more = (place: string) => (where === place ? { brand_new: { a: [1] } } : {});
			const attributes = { status: 'ended', total_items: 1, ...more('a job') };
			const person = {
				id: 'p1',
				type: 'people',
				...more('a record'),
				attributes: { email: 'new@example.org', ...more('a record') },
			};
			const result = { status: 'succeeded', errors: [], data: person, ...more('a result') };
			const meta = { current_page: 0, next_page: null, ...more('a page') };
			const { credential } = await answering(({ method, path }) => {
				const job = { type: 'jobs', id: 'j1', attributes, ...more('a job') };
				if (method === 'POST') return { status: 202, body: job };
				if (!path.endsWith('/tasks')) return { body: job };
				return { status: 207, body: { data: [result], meta, ...more('a page') } };
			});
			const people = [{ email: 'new@example.org' }];
			const { records } = await registerInBulk(sandbox, people, {}, { credential });
			expect(records).toMatchObject([{ status: 'registered', person_id: 'p1', job_id: 'j1' }]);
		},
	);

	test('Added over time: bulk registration, the email as the only field that is needed, questions, recordings and chat messages of sessions, attributes of people, `people.watched_replay`, the name of a session, dates as filters, tags of events', () => {
		const { operations, fields } = menu();
		expect(operations).toEqual(
			expect.arrayContaining([
				'bulkRegister',
				'getQuestions',
				'getRecordings',
				'getChatMessages',
				'addTag',
				'removeTag',
			]),
		);
		expect(fields).toEqual(expect.arrayContaining(['name', 'createdSince', 'updatedUntil', 'tag']));
		const events = new EventPlatformTrigger().description.properties.find(
			({ name }) => name === 'events',
		);
		expect(events?.options).toContainEqual(
			expect.objectContaining({ value: 'people.watched_replay' }),
		);
	});

	test('A policy of deprecation is not specified: the connector asks for the first version alone', async () => {
		const { credential, seen } = await answering(() => ({ status: 410, body: '' }));
		const { error } = await operate(sandbox, 'event.getAll', {}, { credential });
		expect(error?.message).toMatch(/\(410\)/);
		expect(seen.map(({ url }) => url?.split('?')[0])).toEqual(['/v1/events']);
	});
});
