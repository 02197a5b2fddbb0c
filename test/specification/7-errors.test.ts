import '../support/time/fasterClock';
import { tokenCredential } from '../support/n8n/engineConsent';
import { operate } from '../support/n8n/operation';
import { personOf, type TestSandbox } from '../support/platform/sandbox';
import { byId } from '../support/n8n/locators';
import { answering, exactPlatform, registerInBulk, registerOne } from './scene';
import { upcomingSession, unknownId } from '../support/platform/seededIds';

let sandbox: TestSandbox;
beforeAll(async () => {
	sandbox = await exactPlatform();
});
afterEach(() => sandbox.reset());

const people = `/sessions/${upcomingSession}/people`;
const someone = 'someone@example.org';

/** Gives the words that people read where the platform answers like this when it is asked for a job. */
async function toldOf(status: number, body: unknown = '') {
	const { credential, seen } = await answering(() => ({ status, body }));
	const { error } = await operate(sandbox, 'job.get', { jobId: 'j1' }, { credential });
	return { words: `${error?.message} ${error?.description}`, requests: seen.length };
}

describe('7 Errors', () => {
	test('207 means that what became of each task stands in its own item', async () => {
		const some = [{ email: someone }, { email: 'refused@a_host.example' }];
		const { records, requests } = await registerInBulk(sandbox, some);
		expect(requests.map(({ status }) => status)).toContain(207);
		expect(records.map(({ status }) => status)).toEqual(['registered', 'failed']);
	});

	test('400 is a bad request', async () => {
		const { words, requests } = await toldOf(400, { errors: [{ detail: 'Not so' }] });
		expect(words).toMatch(/\(400\).*Not so/);
		expect(requests).toBe(1);
	});

	test('400 is also a page that does not exist', async () => {
		let reads = 0;
		const { credential } = await answering(({ query }) => {
			if (Number(query.get('page[number]')) > 0) return { status: 400, body: '' };
			const meta = { current_page: 0, next_page: reads++ === 0 ? 1 : null };
			return { body: { data: [{ id: 'e1', type: 'events' }], meta } };
		});
		const asked = { returnAll: true };
		const { records, error } = await operate(sandbox, 'event.getAll', asked, { credential });
		expect(error).toBeUndefined();
		expect(records).toHaveLength(1);
	});

	test('401 is an authentication that failed', async () => {
		const credential = tokenCredential({ ...sandbox, apiToken: 'a guess' });
		const { error, requests } = await operate(sandbox, 'event.getAll', {}, { credential });
		expect(error?.message).toBe('The platform did not accept the credential (401)');
		expect(error?.description).toContain('Test the credential');
		expect(requests).toHaveLength(1);
	});

	// Public pages answer 403 for other causes too: without a clear word all are named.
	test('403 is a blocked workspace', async () => {
		await sandbox.web.post('/_sandbox/workspace', { blocked: true });
		const { error, requests } = await operate(sandbox, 'event.getAll');
		expect(error?.message).toMatch(/workspace is blocked.*\(403\)/);
		expect(requests).toHaveLength(1);
	});

	test('404 is what cannot be found', async () => {
		const sessionId = byId(unknownId);
		const { error } = await registerOne(sandbox, { email: someone }, { sessionId });
		expect(error?.message).toBe('The platform cannot find the session (404)');
	});

	test('The code `already_registered` means that the person is registered for the session', async () => {
		await sandbox.jobEnd(await sandbox.startJob([someone]));
		const some = [{ email: someone }, { email: 'new@example.org' }];
		const { records } = await registerInBulk(sandbox, some);
		expect(records.map(({ status }) => status)).toEqual(['already_registered', 'registered']);
	});

	test.each(['409', '400', '422'] as const)(
		'The same code is understood where one person is registered, whatever the status is (%j)',
		async (registeredStatus) => {
			await sandbox.changeWorld({ registeredStatus });
			await sandbox.api.post(people, personOf(someone));
			const { records, error } = await registerOne(sandbox, { email: someone });
			expect(error).toBeUndefined();
			expect(records).toMatchObject([{ status: 'already_registered' }]);
		},
	);

	const shapes: Record<string, unknown> = {
		errors: { errors: [{ title: 'Bad', detail: 'Seats are sold out', code: 'sold_out' }] },
		message: { code: 'sold_out', message: 'Seats are sold out' },
		error: { error: 'Seats are sold out' },
		text: 'Seats are sold out',
		empty: '',
		list: [{ message: 'Seats are sold out' }],
		html: '<!doctype html><title>Bad Request</title>',
	};
	test.each(Object.keys(shapes))(
		'The body of other errors is not specified: a refusal is told whatever it has (%j)',
		async (shape) => {
			const { words, requests } = await toldOf(400, shapes[shape]);
			expect(words).toMatch(/\(400\)/);
			expect(requests).toBe(1);
		},
	);

	test.each(['errors', 'message', 'error', 'text'])(
		'Where the body has words, they are told (%j)',
		async (shape) => {
			expect((await toldOf(400, shapes[shape])).words).toContain('Seats are sold out');
		},
	);

	test.each(['session_full', '102', 'no such code', ''])(
		'Other codes are not specified: any other one is a failure, told in its own words (%j)',
		async (code) => {
			const { credential } = await answering(({ method }) => {
				if (method === 'POST') {
					const attributes = { status: 'failed', total_items: 1, total_processed_items: 1 };
					return { status: 202, body: { type: 'jobs', id: 'j1', attributes } };
				}
				const errors = [{ code, message: 'Seats are sold out' }];
				return { status: 207, body: { data: [{ status: 'failed', errors }], meta: {} } };
			});
			const settings = { onError: 'continueRegularOutput' } as const;
			const scene = { credential, settings };
			const { records } = await registerInBulk(sandbox, [{ email: someone }], {}, scene);
			expect(JSON.stringify(records)).toContain('Seats are sold out');
		},
	);
});
