import {
	crowd,
	finishedJob,
	type Fields,
	openSandbox,
	type Page,
	type TaskResult,
	type Visitor,
} from './visitor';

let visitor: Visitor;
let sessionId: string;
beforeAll(async () => {
	visitor = await openSandbox();
	sessionId = await visitor.sessionId();
});

async function resultsOf(people: Fields[]) {
	const { id } = await finishedJob(visitor.api, sessionId, people);
	const answer = await visitor.api.get<Page<TaskResult>>(`/v1/jobs/${id}/tasks`, {
		params: { 'page[size]': 50 },
	});
	return answer.data.data;
}

test('a succeeded task has no errors and the record of the person', async () => {
	const [result] = await resultsOf([{ email: 'Ada@example.org', first_name: 'Ada' }]);
	expect(result).toMatchObject({ status: 'succeeded', errors: [], data: { type: 'people' } });
	expect(result?.data?.attributes).toMatchObject({ email: 'Ada@example.org', first_name: 'Ada' });
});

test('the person in the result is the one that the session shows', async () => {
	const [result] = await resultsOf([{ email: 'grace@example.org' }]);
	const path = `/v1/sessions/${sessionId}/people/${result?.data?.id}`;
	const { data } = await visitor.api.get<{ data: unknown }>(path);
	expect(data.data).toEqual(result?.data);
});

test('a failed task has errors with code and message, and no record', async () => {
	const people = crowd(1, 'twice');
	await resultsOf(people);
	const [result] = await resultsOf(people);
	expect(Object.keys(result ?? {}).sort()).toEqual(['errors', 'status']);
	expect(result?.status).toBe('failed');
	expect(result?.errors[0]?.code).toBe('already_registered');
	expect(result?.errors[0]?.message).not.toBe('');
});

test('the results stand in the order of the tasks', async () => {
	const people = crowd(50, 'order');
	const results = await resultsOf(people);
	expect(results.map(({ data }) => data?.attributes['email'])).toEqual(
		people.map(({ email }) => email),
	);
});

test('bad rows among good ones fail alone', async () => {
	const results = await resultsOf([
		{ email: 'good-1@example.org' },
		{ email: 'no address' },
		{ first_name: 'Nobody' },
		{ email: 'good-2@example.org', nothing: 'x' },
		{ email: 'good-3@example.org' },
	]);
	expect(results.map(({ status }) => status)).toEqual([
		'succeeded',
		'failed',
		'failed',
		'failed',
		'succeeded',
	]);
});
