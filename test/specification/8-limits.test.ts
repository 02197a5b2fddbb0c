import { EventPlatform } from '../../nodes/EventPlatform/EventPlatform.node';
import { runWorkflow } from '../support/n8n/engine';
import { credentials } from '../support/n8n/engineCredentials';
import { operate } from '../support/n8n/operation';
import type { TestSandbox } from '../support/platform/sandbox';
import {
	answering,
	connectedApp,
	exactPlatform,
	registerInBulk,
	tasksSent,
	type ConnectedApp,
} from './scene';

// Nothing here makes time pass faster: the limit is one of real seconds.

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await exactPlatform();
});

/* The limits of a job, of a page and of an access token are proven in 4.3, 4.2 and 3.2, what an app has to hand in in 5.2. */
describe('8 Limits', () => {
	let connected: ConnectedApp;
	beforeAll(async () => {
		connected = await connectedApp({ rate: 5 });
	});

	test('An OAuth app may send five requests a second for each access token of a user', async () => {
		const { credential, seen } = await answering(({ query }) => {
			const current_page = Number(query.get('page[number]'));
			const next_page = current_page < 10 ? current_page + 1 : null;
			const meta = { current_page, next_page, page_count: 11, record_count: 11 };
			return { body: { data: [{ id: `e${current_page}`, type: 'events' }], meta } };
		});
		const asked = { returnAll: true };
		const began = Date.now();
		const { records } = await operate(sandbox, 'event.getAll', asked, { credential });
		expect(records).toHaveLength(11);
		expect(seen).toHaveLength(11);
		// Five leave in each second, so the last one leaves after two seconds. At six a second it would be one.
		expect(Date.now() - began).toBeGreaterThan(1_900);
	});

	test('It is one limit for all that use the token: runs share it', async () => {
		const credential = credentials.add(connected.credential);
		const node = new EventPlatform();
		const parameters = { resource: 'event', operation: 'getAll', limit: 1 };
		const runs = await Promise.all(
			Array.from({ length: 15 }, () => runWorkflow({ node, credential, parameters })),
		);
		expect(runs.map(({ error }) => error)).toEqual(Array(15).fill(undefined));
		const requests = await connected.sandbox.requests();
		const refused = requests.filter(({ status }) => status === 429);
		// A busy machine may deliver requests closer together than they left. Limits of their own would have ten refused at once.
		expect(refused.length).toBeLessThan(10);
	});

	// Until an answer says otherwise, the connector keeps to five requests a second.
	test.each([2, 20])(
		'The limits of API tokens are not specified: a 429 is waited for, whatever the limit is (%j)',
		async (rate) => {
			const limited = await exactPlatform({ rate, seedEvents: 201 });
			const { records, error } = await operate(limited, 'event.getAll', { returnAll: true });
			expect(error).toBeUndefined();
			expect(records).toHaveLength(201);
		},
	);

	test.each([1, 300, 5_000])(
		'How long a value may be is not specified: it is sent as it is (%j)',
		async (length) => {
			const value = 'x'.repeat(length);
			const people = [{ email: `long-${length}@example.org`, company: value }];
			const options = { waitForCompletion: false };
			const { requests } = await registerInBulk(sandbox, people, { options });
			expect(tasksSent(requests)).toMatchObject([{ fields: [{}, { id: 'company', value }] }]);
		},
	);
});
