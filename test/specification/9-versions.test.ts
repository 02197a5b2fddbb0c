import '../support/time/fasterClock';
import type { INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import { EventPlatformTrigger } from '../../nodes/EventPlatform/EventPlatformTrigger.node';
import { operate } from '../support/n8n/operation';
import { bulkOf, personOf, type TestSandbox } from '../support/platform/sandbox';
import {
	answering,
	exactPlatform,
	heldSession,
	postBulk,
	registerInBulk,
	wholePlatform,
} from './scene';
import { forEach, statement } from './statement';
import { upcomingSession } from '../support/platform/seededIds';

let sandbox: TestSandbox;
let whole: TestSandbox;
beforeAll(async () => {
	[sandbox, whole] = await Promise.all([exactPlatform(), wholePlatform()]);
});

const isThere = async (path: string) => (await whole.api.get(path)).status;

/** The additions, and a request for each that tells whether a platform has it. */
const additions: Record<string, () => Promise<number>> = {
	'bulk registration': async () => (await postBulk(whole, bulkOf(['a@example.org']))).status,
	'email as the only field that is needed': async () =>
		(await whole.api.post(`/sessions/${upcomingSession}/people`, personOf('only@example.org')))
			.status,
	'questions of a session': () => isThere(`/sessions/${heldSession}/questions`),
	'recordings of a session': () => isThere(`/sessions/${heldSession}/recordings`),
	'chat messages of a session': () => isThere(`/sessions/${heldSession}/chat_messages`),
	'attributes of people': () => isThere('/people_attributes'),
	'people.watched_replay': () => isThere('/webhooks?filter[event]=people.watched_replay'),
	'name of a session': async () => {
		const body = { data: { type: 'sessions', attributes: { name: 'Morning' } } };
		return (await whole.api.patch(`/sessions/${upcomingSession}`, body)).status;
	},
	'dates as filters': () => isThere('/people?filter[created_since]=2001-01-01T00:00:00Z'),
	'tags of events': () => isThere('/events?filter[tag]=spring'),
};

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
	statement('Changes have been additions: what is new does not break a client', {
		client: forEach(['a job', 'a result', 'a page', 'a record'], async (where) => {
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
		}),
	});

	statement(
		'Added over time: bulk registration, the email as the only field that is needed, questions, recordings and chat messages of sessions, attributes of people, `people.watched_replay`, the name of a session, dates as filters, tags of events',
		{
			platform: forEach(Object.keys(additions), async (addition) => {
				const status = await additions[addition]?.();
				expect(status).toBeLessThan(300);
			}),
			client() {
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
				expect(fields).toEqual(
					expect.arrayContaining(['name', 'createdSince', 'updatedUntil', 'tag']),
				);
				const events = new EventPlatformTrigger().description.properties.find(
					({ name }) => name === 'events',
				);
				expect(events?.options).toContainEqual(
					expect.objectContaining({ value: 'people.watched_replay' }),
				);
			},
		},
	);

	statement(
		'A policy of deprecation is not specified: the connector asks for the first version alone',
		{
			async client() {
				const { credential, seen } = await answering(() => ({ status: 410, body: '' }));
				const { error } = await operate(sandbox, 'event.getAll', {}, { credential });
				expect(error?.message).toMatch(/\(410\)/);
				expect(seen.map(({ url }) => url?.split('?')[0])).toEqual(['/v1/events']);
			},
		},
	);
});
