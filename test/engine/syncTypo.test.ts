import '../support/time/fasterClock';
import type { IDataObject } from 'n8n-workflow';
import type { OperationRun } from '../support/n8n/operation';
import { emailsOf, numberedPeople, sync } from '../support/runs/bulkScene';
import { registerPeople } from '../support/platform/platformRecords';
import { registered } from '../support/platform/registrants';
import { sandboxOfFile } from '../support/platform/sandbox';

/* An address of the list that differs by one typo from that of somebody who is to be removed. */

const right = { email: 'n28@firma.example' };
const mistyped = { email: 'n28@frima.example' };
const others = numberedPeople(10);
const leaves = { email: 'leaves@example.com' };
const removing = { removeOthers: true, mostRemovals: 5 };

const sandbox = sandboxOfFile({ rate: 1_000 });
beforeEach(() => sandbox.reset());

const told = ({ records }: OperationRun, ...people: IDataObject[]) =>
	people.map(({ email }) => records.find((record) => record.email === email));

test('neither is the mistyped address added nor the registered person removed, each night, and both are told', async () => {
	await registerPeople(sandbox, [...others, right, leaves]);
	const before = await registered(sandbox);
	for (let night = 1; night <= 3; night += 1) {
		for (const dryRun of [true, false]) {
			const run = await sync(sandbox, [...others, mistyped], { ...removing, dryRun });
			const [ofRow, ofPerson, ofOther] = told(run, mistyped, right, leaves);
			if (!dryRun)
				expect(run.hints[0]).toMatch(
					/Row 11 \(n28@frima\.example\) differs by one typo only from n28@firma/,
				);
			expect(ofRow).toMatchObject({ status: 'invalid', code: 'typing_mistake', row: 11 });
			expect(ofRow?.reason).toBe(
				"Not sent. Row 11 (n28@frima.example) differs by one typo only from n28@firma.example, who is registered: it may be the same person. Correct the list, or turn on 'Remove Despite Problems' to add the one and remove the other.",
			);
			for (const kept of [ofPerson, ofOther]) {
				expect(kept).toMatchObject({ status: 'kept' });
				expect(kept?.reason).toMatch(/^Not removed\. Row 11 \(n28@frima\.example\) differs by one/);
			}
		}
		expect(await registered(sandbox)).toEqual(before);
	}
	const corrected = await sync(sandbox, [...others, right], removing);
	expect(told(corrected, right, leaves)).toMatchObject([
		{ status: 'unchanged' },
		{ status: 'removed' },
	]);
});

test('where the mistyped address was registered before, the right one is kept alone, and the row is told', async () => {
	await registerPeople(sandbox, [...others, right, mistyped, leaves]);
	const list = [...others, { ...mistyped, first_name: 'Nora' }];
	const dry = await sync(sandbox, list, { ...removing, dryRun: true });
	const first = await sync(sandbox, list, removing);
	const second = await sync(sandbox, list, removing);
	const likeness =
		'Row 11 (n28@frima.example) differs by one typo only from n28@firma.example: both are registered, and may be the same person.';
	for (const [run, status] of [
		[dry, 'would_update'],
		[first, 'updated'],
		[second, 'unchanged'],
	] as const) {
		expect(told(run, mistyped, right)).toMatchObject([
			{ status, reason: likeness },
			{
				status: 'kept',
				reason: `Not removed. ${likeness} Correct the list, or turn on 'Remove Despite Problems'.`,
			},
		]);
	}
	expect(told(first, leaves)).toMatchObject([{ status: 'removed' }]);
	expect(await registered(sandbox)).toEqual(emailsOf([...others, right, mistyped]));
});

test('each of several people is kept whom an address of the list may mean, and each such address is held back', async () => {
	const similar = ['caroline', 'carolina', 'karoline'].map(addressOf);
	await registerPeople(sandbox, [...others, ...similar]);
	const typed = ['carolin', 'carolne', 'karolinee'].map(addressOf);
	const run = await sync(sandbox, [...others, ...typed], removing);
	expect(told(run, ...similar)).toMatchObject(similar.map(() => ({ status: 'kept' })));
	expect(told(run, ...typed)).toMatchObject(typed.map(() => ({ code: 'typing_mistake' })));
	expect(await registered(sandbox)).toEqual(emailsOf([...others, ...similar]));
});

test('where nobody is to be removed, a similar address is another person', async () => {
	await registerPeople(sandbox, [...others, right]);
	const run = await sync(sandbox, [...others, mistyped]);
	expect(told(run, mistyped)).toMatchObject([{ status: 'added', reason: null }]);
});

function addressOf(name: string) {
	return { email: `${name}@example.com` };
}
