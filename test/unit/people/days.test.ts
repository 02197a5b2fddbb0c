import { daysIn } from '../../../nodes/EventPlatform/core/people/days';

test.each([
	['that could be either month', '03/04/2026', ['2026-04-03', '2026-03-04']],
	['whose two numbers are the same', '04/04/2026', ['2026-04-04']],
	['with the month in front', '04/13/2026', ['2026-04-13']],
	['with the day in front', '13-04-2026', ['2026-04-13']],
	['with dots', '13.4.2026', ['2026-04-13']],
	['with the year in front', '2026-04-03', ['2026-04-03']],
	['with a month in words behind the day', '4. May 2026', ['2026-05-04']],
	['with a month of three letters', '4 DEC. 2026', ['2026-12-04']],
	['with a month in words before the day', 'January 4th, 2026', ['2026-01-04']],
	['of a leap year', '29/02/2028', ['2028-02-29']],
])('a text %s means each day that it may mean: %s', (_, text, days) => {
	expect(daysIn(text)).toEqual(days);
});

test.each([
	['with a day that does not exist', '31/04/2026'],
	['with a leap day in another year', '29/02/2026'],
	['with a month that does not exist', '2026-13-03'],
	['with the day zero', '00/04/2026'],
	['with the month zero', '2026-00-03'],
	['of a year of long ago', '0026-04-03'],
	['with two marks', '03/04-2026'],
	['with a word that begins like a month', '4 Mayor 2026'],
	['with the beginning of a month', '4 Janu 2026'],
	['with a time behind it', '2026-04-03 10:00'],
	['with words before it', 'on 2026-04-03'],
	['with a year of two digits', '03/04/26'],
	['without any number', 'soon'],
	['without anything', ''],
])('a text %s means no day: "%s"', (_, text) => {
	expect(daysIn(text)).toEqual([]);
});
