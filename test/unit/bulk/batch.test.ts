import { divideIntoBatches } from '../../../nodes/EventPlatform/core/bulk/batch';
import type { Row } from '../../../nodes/EventPlatform/core/people/registration';

function rowOf(sessionId: string): Row {
	return { sessionId, address: '', registration: { fields: [], tracking: {} }, problems: [] };
}

test('a batch has up to fifty rows of one session, in the order of the list', () => {
	const rows = Array.from({ length: 104 }, (_, index) => rowOf(index % 2 === 0 ? 'a' : 'b'));
	const batches = divideIntoBatches(rows, [...rows.keys()]);
	expect(batches.map(({ sessionId, indexes }) => [sessionId, indexes.length])).toEqual([
		['a', 50],
		['a', 2],
		['b', 50],
		['b', 2],
	]);
	expect(batches[1]?.indexes).toEqual([100, 102]);
	expect(batches.flatMap(({ indexes }) => indexes).sort((a, b) => a - b)).toEqual([...rows.keys()]);
});

test('rows that are not to be sent are in no batch', () => {
	const rows = ['a', 'a', 'b'].map(rowOf);
	expect(divideIntoBatches(rows, [1])).toEqual([{ sessionId: 'a', indexes: [1] }]);
	expect(divideIntoBatches(rows, [])).toEqual([]);
});
