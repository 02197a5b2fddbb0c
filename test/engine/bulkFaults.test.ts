import '../support/time/fasterClock';
import type { IncomingMessage } from 'node:http';
import type { Deed } from '../../sandbox/faults/faults';
import { bulkRegister, numberedPeople, emailsOf, statusesOf } from '../support/runs/bulkScene';
import { registered } from '../support/platform/registrants';
import { credentials } from '../support/n8n/engineCredentials';
import { startTestServer } from '../support/platform/testServer';
import { byId } from '../support/n8n/locators';
import { sandboxForTests } from '../support/platform/sandbox';
import { connectThroughConsent, tokenCredential } from '../support/n8n/engineConsent';

const bulk = '/v1/sessions/:id/people/bulk';
const people = numberedPeople(120);
/** Three to send them, three to read the results. */
const requests = 6;

const deeds = '429 500 html-502 reset-before reset-after truncate expire-token'.split(
	' ',
) as Deed[];
const places = { first: 0, last: requests - 1 };

/** Each at one of the two places: how a run goes on at each place is tested in test/unit/registration. */
const cases = deeds.map((deed, at) => {
	const place = at % 2 === 0 ? 'first' : 'last';
	return [deed, place, places[place]] as const;
});

test.concurrent.each(cases)(
	'%s on the %s request: everyone is on the platform once, and told so',
	async (deed, _, after) => {
		const sandbox = await sandboxForTests({ rate: 1_000, rotateRefresh: true });
		const { credential } = await connectThroughConsent(sandbox);
		await sandbox.faults([{ match: { path: '/v1/*' }, after, do: deed, retryAfter: 1 }]);
		const { records, error } = await bulkRegister(sandbox, people, { credential });
		expect(error).toBeUndefined();
		expect(await registered(sandbox)).toEqual(emailsOf(people));
		// Also those whose first request was answered to nobody: the record shows that it was this run.
		expect(statusesOf(records)).toEqual({ registered: people.length });
	},
);

test.concurrent(
	'a 403 that speaks of no session is tried on hardly more than one more of forty',
	async () => {
		const { baseUrl, seen } = await startTestServer((response) => {
			response.statusCode = 403;
			const detail = 'Your plan prevents access to the API';
			response.end(JSON.stringify({ errors: [{ title: 'Forbidden', detail }] }));
		});
		const list = numberedPeople(40).map((person, at) => ({ ...person, session: `s${at}` }));
		const { records } = await bulkRegister({ baseUrl, apiToken: 'token' }, list, {
			parameters: { sessionId: byId('={{ $json.session }}') },
			settings: { onError: 'continueRegularOutput' },
		});
		expect(statusesOf(records)).toEqual({ failed: 40 });
		// Four leave before the platform has responded.
		expect(seen.length).toBeLessThan(10);
	},
);

test.concurrent(
	'of a session that is deleted meanwhile the hint names the reason with its count',
	async () => {
		let posts = 0;
		const { baseUrl } = await startTestServer((response, { method }) => {
			posts += method === 'POST' ? 1 : 0;
			const isGone = method === 'POST' && posts > 1;
			response.statusCode = isGone ? 404 : 200;
			const job = { id: 'job-1', attributes: { status: 'ended' } };
			const results = { data: Array(50).fill({ status: 'succeeded' }) };
			response.end(JSON.stringify(isGone ? {} : method === 'POST' ? job : results));
		});
		const platform = { baseUrl, apiToken: 'token' };
		const { records, hints } = await bulkRegister(platform, numberedPeople(117), {
			settings: { onError: 'continueRegularOutput' },
		});
		expect(statusesOf(records).failed).toBe(67);
		const reason =
			/The most frequent reason, of 67 people: Not sent\. The platform cannot find the session/;
		expect(hints).toContainEqual(expect.stringMatching(reason));
	},
);

describe('something in front of the platform', () => {
	const why = /Something other than the API of the platform refused the request \(40[03]\)/;
	const settings = { onError: 'continueRegularOutput' } as const;

	/** The sandbox behind a firewall, which refuses what has one of these words with a web page. */
	async function behindFirewall(words: readonly string[], status = 403) {
		const sandbox = await sandboxForTests({ rate: 1_000 });
		const passOn = async ({ method, url, headers }: IncomingMessage, body: string) =>
			await sandbox.web.request<string>({
				method,
				url,
				headers: {
					Authorization: headers.authorization,
					...(body !== '' && { 'Content-Type': headers['content-type'] }),
				},
				data: body === '' ? undefined : body,
				responseType: 'text',
			});
		const { baseUrl } = await startTestServer((response, request, body) => {
			if (words.some((word) => body.includes(word))) {
				response.statusCode = status;
				response.setHeader('Content-Type', 'text/html');
				return void response.end('<html><h1>Request blocked</h1></html>');
			}
			void passOn(request, body).then((answer) => {
				response.statusCode = answer.status;
				response.end(answer.data);
			});
		});
		return { sandbox, platform: { baseUrl, apiToken: sandbox.apiToken } };
	}

	test.concurrent.each([
		[40, [3]],
		[120, [77]],
		[1_200, [7]],
		[1_200, [60, 610]],
	])(
		'that refuses what one person has written keeps none of the others back: of %d people these, %j',
		async (count, bad) => {
			const rows = numberedPeople(count);
			for (const nth of bad) Object.assign(rows[nth] ?? {}, { first_name: '<script>' });
			const { sandbox, platform } = await behindFirewall(['<script>']);
			const { records, hints } = await bulkRegister(platform, rows, { settings });
			const failed = records.filter(({ status }) => status === 'failed');
			expect(failed.map(({ email }) => email)).toEqual(bad.map((nth) => rows[nth]?.email));
			for (const { reason } of failed) expect(reason).toMatch(why);
			expect(await registered(sandbox)).toHaveLength(rows.length - bad.length);
			expect(hints.join()).not.toMatch(/ended early/);
		},
	);

	test.concurrent('that refuses everything ends the run', async () => {
		const sandbox = await sandboxForTests({ rate: 1_000 });
		await sandbox.faults([{ match: { method: 'POST', path: bulk }, do: 'html-400', times: 999 }]);
		const { records, hints, writes } = await bulkRegister(sandbox, people, { settings });
		expect(statusesOf(records)).toEqual({ failed: people.length });
		for (const { reason } of records) expect(reason).toMatch(why);
		// Six in a row (test/unit/registration/bulkRun). Those that are under way together, as on a busy machine, count once.
		expect(writes.length).toBeLessThan(10);
		expect(hints).toContainEqual(expect.stringMatching(why));
		expect(hints.join()).toMatch(/ended early/);
	});

	test.concurrent(
		'that asks to wait for long ends the run at once, which says until when',
		async () => {
			const sandbox = await sandboxForTests({ rate: 1_000 });
			const fault = { match: { method: 'POST', path: bulk }, do: 'html-400' as const, times: 999 };
			await sandbox.faults([{ ...fault, after: 1, retryAfter: 600 }]);
			const { records, hints } = await bulkRegister(sandbox, people, { settings });
			expect(statusesOf(records)).toEqual({ registered: 50, failed: 70 });
			const until = /Try again after \d{4}-\d\d-\d\d at \d\d:\d\d UTC\. A proxy/;
			for (const { reason, status } of records) {
				if (status === 'failed') expect(reason).toMatch(until);
			}
			expect(hints).toContainEqual(expect.stringMatching(until));
		},
	);
});

describe('a platform that is not there', () => {
	const nowhere = { baseUrl: 'http://127.0.0.1:1', apiToken: 'token' };
	const some = [...numberedPeople(3), { email: 'bad' }, { email: 'P0@example.com' }];
	const cause = "Nothing answers at the 'Base URL' of the credential";

	test.concurrent('makes the run an error that names the cause', async () => {
		const { error } = await bulkRegister(nowhere, some);
		expect(error?.message).toBe(cause);
		expect(error?.description).toContain("Check the 'Base URL' of the credential");
	});

	test.concurrent.each(['people', 'failed', 'summary'])(
		'has everybody leave by the error branch, with the output %s',
		async (output) => {
			const settings = { onError: 'continueErrorOutput' as const };
			const { outputs, error, hints } = await bulkRegister(nowhere, some, {
				settings,
				parameters: { output },
			});
			expect(error).toBeUndefined();
			expect(outputs[0]).toEqual([]);
			expect(outputs[1]?.map(({ pairedItem }) => pairedItem)).toEqual(
				some.map((_, item) => ({ item })),
			);
			const reached = outputs[1]?.slice(0, 3).map(({ json }) => JSON.stringify(json.error));
			for (const said of reached ?? []) expect(said).toContain(cause);
			expect(hints).toEqual([
				expect.stringMatching(
					`^3 failed, 1 invalid, 1 duplicate, .* The run ended early. ${cause}`,
				),
			]);
		},
	);
});

test.concurrent.each(Object.entries(places))(
	'the %s request never answered: time ends the run, nobody is lied about, and a second run completes it',
	async (_, after) => {
		const sandbox = await sandboxForTests({ rate: 1_000 });
		await sandbox.faults([{ match: { path: '/v1/*' }, after, do: 'hang' }]);
		const parameters = { options: { maxWaitSeconds: 80 } };
		const { records, hints } = await bulkRegister(sandbox, people, { parameters });
		expect(records).toHaveLength(people.length);
		const there = new Set<unknown>(await registered(sandbox));
		const isThere = { registered: true, already_registered: true, failed: false, invalid: false };
		for (const { email, status } of records) {
			const isRegistered = isThere[status as keyof typeof isThere] ?? there.has(email);
			expect([email, there.has(email)]).toEqual([email, isRegistered]);
		}
		expect(statusesOf(records).unknown).toBeGreaterThan(0);
		expect(hints.join()).toMatch(/ended early/);
		// On a busy machine the time may be over before the request that would hang.
		await sandbox.web.delete('/_sandbox/faults');
		const again = await bulkRegister(sandbox, people);
		expect(await registered(sandbox)).toEqual(emailsOf(people));
		expect(statusesOf(again.records).unknown).toBeUndefined();
	},
);

test.concurrent(
	'a month that cannot cover the plan stops it with the figures, before anything is sent',
	async () => {
		const sandbox = await sandboxForTests({ rate: 1_000, monthly: 10 });
		const scene = { credential: credentials.add(tokenCredential(sandbox)) };
		await bulkRegister(sandbox, numberedPeople(1), scene);
		const { error, sent } = await bulkRegister(sandbox, numberedPeople(300), scene);
		expect(error?.message).toBe(
			'This run needs at least 12 requests, but the platform has only 7 left for this month.',
		);
		expect(sent).toEqual(['GET /ping']);
	},
);

test.concurrent(
	'a month that has returned is noticed: a figure that is too low is asked for again',
	async () => {
		const sandbox = await sandboxForTests({ rate: 1_000, monthly: 8 });
		const scene = { credential: credentials.add(tokenCredential(sandbox)) };
		await bulkRegister(sandbox, numberedPeople(51), scene);
		await sandbox.reset();
		const { records, error } = await bulkRegister(sandbox, numberedPeople(150), scene);
		expect(error).toBeUndefined();
		expect(statusesOf(records)).toEqual({ registered: 150 });
	},
);

test.concurrent(
	'a platform that fails every request until the time is over is named in reason and hint',
	async () => {
		const sandbox = await sandboxForTests({ rate: 1_000 });
		await sandbox.faults([{ match: { path: '/v1/*' }, after: 2, do: '500', times: 10_000 }]);
		const options = { maxWaitSeconds: 120 };
		const { records, hints } = await bulkRegister(sandbox, people, { parameters: { options } });
		const told =
			/The time for this run ran out\. For the last \d+ s every request had failed\. .*\(500\)/;
		expect(hints[0]).toMatch(told);
		expect(records.map(({ reason }) => reason)).toContainEqual(expect.stringMatching(told));
	},
);
