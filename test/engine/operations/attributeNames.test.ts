import '../../support/time/fasterClock';
import type { IDataObject } from 'n8n-workflow';
import { text } from '../../../nodes/EventPlatform/core/values/text';
import { byId } from '../../support/n8n/locators';
import { mapped, operate } from '../../support/n8n/operation';
import { fresh, makeEvent, makeSession } from '../../support/platform/platformRecords';
import { sandboxOfFile } from '../../support/platform/sandbox';

/** The form shows the IDs of its questions alone, and the items have the names of attributes for columns. */

const sandbox = sandboxOfFile({ rate: 0 });
let sessionId: string;

beforeEach(async () => {
	await sandbox.reset();
	const fields = [
		{ id: 'email', type: 'text', required: true },
		{ id: 'consent', type: 'text', required: false },
	];
	sessionId = await makeSession(sandbox, await makeEvent(sandbox, { fields }));
});

const path = '/v1/people_attributes';
const attemptsOfReading = 4;
const failNext = (times: number) =>
	sandbox.faults([{ match: { method: 'GET', path }, do: 'html-502', times }]);

function register(count: number, operation: string) {
	const items: IDataObject[] = Array.from({ length: count }, () => ({
		email: `${fresh('row')}@example.com`,
		'I agree to be contacted': 'ja',
	}));
	const parameters = { sessionId: byId(sessionId), fields: mapped(null) };
	return operate(sandbox, `registration.${operation}`, parameters, { items });
}

async function consents(): Promise<string[]> {
	const of = { sessionId: byId(sessionId), returnAll: true };
	const { records } = await operate(sandbox, 'session.getPeople', of);
	return records.map(({ consent }) => text(consent)).sort();
}

describe.each(['register', 'bulkRegister'])('%s, where the names cannot be read,', (operation) => {
	test('sends nobody, because the ignored column may be a question', async () => {
		await failNext(1_000);
		const { error, sent } = await register(3, operation);
		expect(error?.message).toContain('server error (502)');
		expect(sent.filter((request) => request.includes('people_attributes'))).toHaveLength(
			attemptsOfReading,
		);
		expect(await consents()).toEqual([]);
	});

	test('sends everybody where an attempt succeeds', async () => {
		await failNext(attemptsOfReading - 1);
		await register(3, operation);
		expect(await consents()).toEqual(['ja', 'ja', 'ja']);
	});
});
