import type { IDataObject } from 'n8n-workflow';
import { operate } from '../support/n8n/operation';
import { partnerApp } from '../support/platform/partnerApp';
import { bearer, detailOf, getAs, type Page } from '../support/platform/requests';
import { bulkOf, guestAddresses, type TestSandbox } from '../support/platform/sandbox';
import { page } from './pages';
import {
	connectedApp,
	exactPlatform,
	postBulk,
	registerInBulk,
	tasksSent,
	type ConnectedApp,
} from './scene';
import { forEach, statement } from './statement';

// Nothing here makes time pass faster: the limit is one of real seconds.

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await exactPlatform({ seedEvents: 51 });
});

describe('8 Limits', () => {
	statement('Bulk registration takes 50 tasks in a request at most', {
		platform: forEach([50, 51], async (count) => {
			const { status } = await postBulk(sandbox, bulkOf(guestAddresses(count, `some-${count}`)));
			expect(status).toBe(count === 50 ? 202 : 400);
		}),
		client: forEach([50, 51], async (count) => {
			const people = guestAddresses(count, `limit-${count}`).map((email): IDataObject => ({
				email,
			}));
			const options = { waitForCompletion: false };
			const { requests } = await registerInBulk(sandbox, people, { options });
			const sizes = requests.map((request) => tasksSent([request]).length);
			expect(sizes.sort()).toEqual(count === 50 ? [50] : [1, 50]);
		}),
	});

	statement('`page[size]` is 20 unless given, and 50 at most, in every list', {
		async platform() {
			for (const path of ['/events', '/people_attributes']) {
				const { data } = await sandbox.api.get<Page>(path);
				expect(data.meta).toMatchObject({ items_per_page: 20 });
				expect((await sandbox.api.get(`${path}?page[size]=50`)).status).toBe(200);
				expect((await sandbox.api.get(`${path}?page[size]=51`)).status).toBe(400);
			}
		},
		async client() {
			const { records, sent } = await operate(sandbox, 'event.getAll', { limit: 51 });
			expect(records).toHaveLength(51);
			expect(sent.sort()).toEqual(
				[0, 1].map((number) => `GET /events?page[number]=${number}&page[size]=50`),
			);
		},
	});

	statement('`page[number]` is 0 unless given', {
		async platform() {
			const { data } = await sandbox.api.get<Page>('/events');
			expect(data.meta).toMatchObject({ current_page: 0, previous_page: null });
		},
	});

	statement('An OAuth access token lives for 7,200 seconds', {
		async platform() {
			const app = partnerApp(sandbox);
			const { data } = await app.exchange(await app.code());
			expect(data.expires_in).toBe(7200);
		},
	});

	let connected: ConnectedApp;
	beforeAll(async () => {
		connected = await connectedApp({ rate: 5, seedEvents: 700 });
	});

	statement('An OAuth app may send five requests a second for each access token of a user', {
		async platform() {
			const limited = await exactPlatform({ rate: 5 });
			const [token, otherToken] = [await bearer(limited), await bearer(limited)];
			const begun = Date.now();
			const now = jest.spyOn(limited.platform, 'now').mockReturnValue(begun);
			for (let nth = 0; nth < 5; nth++) expect((await getAs(limited, token)).status).toBe(200);
			const refused = await getAs(limited, token);
			expect(refused.status).toBe(429);
			expect(refused.headers['retry-after']).toBe('1');
			expect(detailOf(refused)).toMatch(/5 requests/);
			expect((await getAs(limited, otherToken)).status).toBe(200);
			now.mockReturnValue(begun + 1000);
			expect((await getAs(limited, token)).status).toBe(200);
		},
		async client() {
			const { credential } = connected;
			const asked = { returnAll: true };
			const { records, requests } = await operate(connected.sandbox, 'event.getAll', asked, {
				credential,
			});
			expect(records).toHaveLength(700);
			// A busy machine may deliver two requests closer together than they left.
			expect(requests.filter(({ status }) => status === 429).length).toBeLessThanOrEqual(2);
		},
	});

	statement('It is a single burst limit: five at once are taken', {
		async platform() {
			const limited = await exactPlatform({ rate: 5 });
			const token = await bearer(limited);
			const answers = await Promise.all([1, 2, 3, 4, 5].map(() => getAs(limited, token)));
			expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
		},
	});

	statement('The logo of an app is square, of at least 500 by 500 pixels, and transparent', {
		people() {
			expect(page('oauth2.md')).toMatch(/square logo.*500 × 500.*transparent background/);
		},
	});

	statement(
		'The limits of API tokens are not specified: a 429 is waited for, whatever the limit is',
		{
			client: forEach([2, 20], async (rate) => {
				const limited = await exactPlatform({ rate, seedEvents: 201 });
				const { records, error } = await operate(limited, 'event.getAll', { returnAll: true });
				expect(error).toBeUndefined();
				expect(records).toHaveLength(201);
			}),
		},
		{ note: 'Until an answer says otherwise, the connector keeps to five requests a second.' },
	);

	statement('How long a value may be is not specified: it is sent as it is', {
		client: forEach([1, 300, 5_000], async (length) => {
			const value = 'x'.repeat(length);
			const people = [{ email: `long-${length}@example.org`, company: value }];
			const options = { waitForCompletion: false };
			const { requests } = await registerInBulk(sandbox, people, { options });
			expect(tasksSent(requests)).toMatchObject([{ fields: [{}, { id: 'company', value }] }]);
		}),
	});
});
