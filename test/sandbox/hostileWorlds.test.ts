import fc from 'fast-check';
import { bulkOf, type JobAnswer, jobIn } from '../support/sandbox';
import { type Traits, traitsDrawn } from './traits';
import {
	type One,
	openSandbox,
	type Page,
	registration,
	type TaskResult,
	type Visitor,
} from './visitor';

// Each run is a conversation of a dozen requests, on a machine that may be busy.
jest.setTimeout(60_000);

let visitor: Visitor;
beforeAll(async () => {
	visitor = await openSandbox();
});

const later = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** One conversation with a platform of these traits; the visitor checks every answer against the contract. */
async function converse(traits: Traits): Promise<void> {
	const { api, sandbox } = visitor;
	await sandbox.reset();
	const sessionId = await visitor.sessionId();
	expect((await visitor.control('world', traits)).status).toBe(200);
	const people = `/v1/sessions/${sessionId}/people`;
	const emails = Array.from({ length: 7 }, (_, index) => `guest-${index}@example.org`);

	const { data: accepted, status } = await api.post<JobAnswer>(`${people}/bulk`, bulkOf(emails));
	expect(status).toBe(202);
	const { id } = jobIn(accepted);
	await sandbox.jobEnd(id);
	await later(traits.resultsLagMs);
	const results = (await api.get<{ data: TaskResult[] }>(`/v1/jobs/${id}/tasks`)).data.data;
	const told = results.map(({ data }) => data?.attributes['email']);
	expect(told.toSorted()).toEqual(emails);

	// Whoever is registered already is told so, in whatever words.
	const again = await api.post<unknown>(people, registration({ email: emails[0] }));
	expect([409, 422]).toContain(again.status);
	expect(JSON.stringify(again.data)).toMatch(/already/);

	const person = results[0]?.data?.id ?? '';
	const change = registration({ first_name: 'Changed' });
	const patched = await api.patch<unknown>(`${people}/${person}`, change);
	expect(patched.status).toBe(traits.patchAnswer === '502' ? 502 : 200);
	const read = await api.get<One>(`${people}/${person}`);
	expect(read.data.data.attributes['first_name']).toBe('Changed');

	const list = await api.get<Page>(people, { params: { 'page[size]': 100 } });
	expect(list.data.meta).toMatchObject({ record_count: 7, items_per_page: 50 });
	for (const path of ['/v1/events?include=sessions,tags', '/v1/sessions?include=event,people']) {
		expect((await api.get(path)).status).toBe(200);
	}
	for (const path of ['/v1/events/none', '/v1/jobs/none']) {
		expect((await api.get(path)).status).toBe(404);
	}
}

test('a conversation with any platform keeps to the contract, and loses nobody', async () => {
	const traits = traitsDrawn().map((drawn): Traits => ({ ...drawn, listChanges: 'none' }));
	// An answer that never comes costs its time-out, so it has a test of its own.
	const answered = traits.filter(({ patchAnswer }) => patchAnswer !== 'never');
	await fc.assert(fc.asyncProperty(answered, converse), { numRuns: 25 });
});
