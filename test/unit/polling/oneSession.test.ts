import { daySeconds, hourSeconds, minuteSeconds } from '../../support/time/units';
import { PolledPlatform, peopleOfSession, start } from './polledPlatform';

type Fields = Record<string, unknown>;

// The same table stands in docs/internals/how-it-works.md.
test('the bookmark of the people of a session changes by the step of each moment', async () => {
	const platform = new PolledPlatform({
		eventTypes: ['people.registered', 'people.attended', 'people.not_attended'],
	});
	platform.plan('other', start + 90 * daySeconds);
	await platform.activate();
	const rows: string[] = [];
	const bookmark = (): Fields => ({ ...platform.cursor?.lists[peopleOfSession] });
	let before: Fields = {};
	const after = async (moment: string, seconds: number, happens = () => {}): Promise<void> => {
		platform.pass(seconds);
		happens();
		const told = await platform.poll();
		const next = JSON.parse(JSON.stringify(bookmark())) as Fields;
		const names = [...new Set([...Object.keys(before), ...Object.keys(next)])];
		const changed = names.filter((name) => before[name] !== next[name]).sort();
		before = next;
		rows.push(`${moment} | ${told.join(', ') || '-'} | ${changed.join(', ') || '-'}`);
	};
	const change = (more: Fields) => {
		platform.plan('s', start + 2 * hourSeconds, { created_at: start + minuteSeconds, ...more });
	};
	await after('created', 5 * minuteSeconds, () => change({}));
	await after('somebody registers', hourSeconds, () => {
		platform.add({ id: 'ann', session: 's' });
	});
	await after('ten minutes later', 10 * minuteSeconds);
	await after('nothing happens', 10 * minuteSeconds);
	await after('another one registers, the list fails', 10 * minuteSeconds, () => {
		platform.failing.add(peopleOfSession);
		platform.add({ id: 'ben', session: 's' });
	});
	await after('it can be read', 10 * minuteSeconds, () => platform.failing.clear());
	await after('ten minutes later', 10 * minuteSeconds);
	await after('ends', 2 * hourSeconds, () => {
		change({ status: 'past', ended_at: platform.nowSeconds });
		for (const person of platform.people) person.attended = person.id === 'ann';
	});
	await after('ten minutes later', 10 * minuteSeconds);
	await after('attendance settles', 50 * minuteSeconds);
	await after('a day later', daySeconds);
	await after('out of view', hourSeconds);
	await after('forgotten', daySeconds);
	expect(rows).toEqual([
		'created | - | isOldKnown, shown, sinceAt, timedKeys, untimedKeys',
		'somebody registers | registered ann | againAt, readAt, shown, sinceAt, timedKeys',
		'ten minutes later | - | againAt, readAt',
		'nothing happens | - | -',
		'another one registers, the list fails | - | trouble',
		'it can be read | registered ben | againAt, readAt, shown, sinceAt, timedKeys, trouble',
		'ten minutes later | - | againAt, readAt',
		'ends | attended ann | againAt, readAt, shown, untimedKeys',
		'ten minutes later | - | againAt, readAt',
		'attendance settles | not_attended ben | againAt, hasToldAbsent, readAt, untimedKeys',
		'a day later | - | readAt',
		'out of view | - | missedAt',
		'forgotten | - | hasToldAbsent, isOldKnown, missedAt, readAt, shown, sinceAt, timedKeys, untimedKeys',
	]);
});
