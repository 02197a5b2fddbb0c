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

test('a failed task has errors with code and message, and no record', async () => {
	const people = crowd(1, 'twice');
	await resultsOf(people);
	const [result] = await resultsOf(people);
	expect(Object.keys(result ?? {}).sort()).toEqual(['errors', 'status']);
	expect(result?.status).toBe('failed');
	expect(result?.errors[0]?.code).toBe('already_registered');
	expect(result?.errors[0]?.message).not.toBe('');
});
