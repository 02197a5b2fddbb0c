import { hintsOfStandings } from '../../../nodes/EventPlatform/core/report/standings';

const times = (count: number, standing: string) => Array<string>(count).fill(standing);

test.each([
	[
		'team members',
		[...times(2, 'team'), ...times(58, 'registrant')],
		'60 people, 2 are team members',
	],
	['a guest', ['guest', 'registrant'], '2 people, 1 is a guest speaker'],
	[
		'both, in thousands',
		[...times(1_200, 'team'), 'guest', ...times(3_000, 'registrant')],
		'4,201 people, 1,200 are team members and 1 is a guest speaker',
	],
])('of a list with %s it is said how many they are', (_, standings, words) => {
	expect(hintsOfStandings(standings)).toEqual([
		`Of these ${words}. If you count who attended, leave them out, as 'Get Report' does.`,
	]);
});

test.each([[[]], [times(3, 'registrant')]])('of %j nothing is said', (standings) => {
	expect(hintsOfStandings(standings)).toEqual([]);
});
