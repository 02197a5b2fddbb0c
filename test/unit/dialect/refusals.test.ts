import {
	mayMeanNoSuchPage,
	namesScope,
	saysBlocked,
} from '../../../nodes/EventPlatform/core/dialect/refusals';

const said = (detail: string) => [{ code: '400', detail }];

test.each(['Page does not exist', 'page[number] is out of range', 'Beyond the last page', 'Page'])(
	'"%s" may mean that there is no such page',
	(words) => expect(mayMeanNoSuchPage(said(words))).toBe(true),
);

test('a refusal without a word may mean that there is no such page', () => {
	expect(mayMeanNoSuchPage([])).toBe(true);
});

test.each([
	'page[size] is too large',
	'Unknown parameter page[number]',
	'page[number] is not supported',
	'The filter is not allowed',
])('"%s" does not mean that there is no such page', (words) => {
	expect(mayMeanNoSuchPage(said(words))).toBe(false);
});

test('a scope and a block are found in any part of an error, in capitals too', () => {
	expect(namesScope([{ code: 'MISSING_SCOPE' }])).toBe(true);
	expect(namesScope(said('No'))).toBe(false);
	for (const words of ['Blocked', 'The workspace is suspended']) {
		expect(saysBlocked(said(words))).toBe(true);
	}
	expect(saysBlocked(said('Not allowed'))).toBe(false);
});
