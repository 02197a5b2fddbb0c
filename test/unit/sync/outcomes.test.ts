import type { Outcome } from '../../../nodes/EventPlatform/core/people/outcome';
import type { Entry, Intent } from '../../../nodes/EventPlatform/core/sync/intent';
import { Outcomes } from '../../../nodes/EventPlatform/core/sync/outcomes';

const mistake = { code: 'typing_mistake', message: 'It may be the same person.' };
const add: Intent = { kind: 'add', reasons: [mistake] };
const duplicate: Outcome = { status: 'duplicate', reasons: [] };

function entryWith(intent: Intent): Entry {
	const registration = { fields: [], tracking: {} };
	return { index: 0, sessionId: 's', address: '', registration, problems: [], intent };
}

test('what became of a row is open until it is recorded, unless nothing is to be sent for it', () => {
	const outcomes = new Outcomes();
	const row = entryWith(add);
	expect(outcomes.find(row)).toBeUndefined();
	expect(outcomes.find(entryWith({ kind: 'none', outcome: duplicate }))).toBe(duplicate);
	outcomes.record(row, { status: 'failed', reasons: [] });
	expect(outcomes.find(row)).toEqual({ status: 'failed', reasons: [] });
});

test('somebody who was added is told what the plan has told, and who was not is told why', () => {
	const outcomes = new Outcomes();
	const row = entryWith(add);
	outcomes.record(row, { status: 'added', jobId: 'j', reasons: [] });
	expect(outcomes.outcomeOf(row)).toEqual({ status: 'added', jobId: 'j', reasons: [mistake] });
	const refused: Outcome = { status: 'failed', reasons: [{ code: 'refused', message: 'No.' }] };
	outcomes.record(row, refused);
	expect(outcomes.outcomeOf(row)).toBe(refused);
});

test('the outcome is never a planned one', () => {
	const outcomes = new Outcomes();
	const kept = { code: 'kept', message: 'Not removed.' };
	expect(outcomes.outcomeOf(entryWith({ kind: 'keep', reason: kept }))).toEqual({
		status: 'kept',
		reasons: [kept],
	});
	expect(outcomes.outcomeOf(entryWith({ kind: 'none', outcome: duplicate }))).toBe(duplicate);
	for (const intent of [add, { kind: 'update', changes: [] }, { kind: 'remove' }] as Intent[]) {
		expect(outcomes.outcomeOf(entryWith(intent)).status).toBe('unknown');
	}
});
