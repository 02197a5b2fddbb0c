import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namePlatform } from '../../nodes/EventPlatform/core/failures/platformName';
import { everyStatus } from '../../nodes/EventPlatform/core/people/outcome';
import { root } from './built';
import { errorCodes, errorTexts } from './errorTexts';

const page = readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8');
/** An entry begins with the messages that it is about, each a heading, so that people can link to it. What takes a line is in a list. */
const entries = [...page.matchAll(/^(?:#### (.+)|- \*\*(.+?)\*\*.*)$/gm)].map(
	([, heading, inList]) => heading ?? inList ?? '',
);
const texts = errorTexts();
/** As somebody reads them whose credential leads to Livestorm. */
const shown = texts.map((text) => namePlatform(text, 'https://api.livestorm.co/v1'));

test('the texts of errors and hints are found wherever they stand in the sources', () => {
	expect(texts).toEqual(
		expect.arrayContaining([
			'The platform cannot find …', // a table of tuples
			'Nothing answers at …', // a function of several texts
			'No event is chosen', // what a function is called with
			"The 'Base URL' of the credential is not a URL", // an error of our own
			'There is no email', // pushed to a list
			'The job is over, but the platform gave no result for this person', // mapped from a list
			'Showing …', // what a hint is called with
			'… already registered with other answers', // returned by a function that describes notes
			'Answers left out, because the form does not offer them: …', // in a list that becomes hints
			'The platform shows no registration form', // the first of several sentences that are joined
			'Livestorm does not accept the token (401)', // a rule of a credential
		]),
	);
});

test('every error and hint that can be shown has its entry in the troubleshooting page', () => {
	expect(shown.filter((text) => !entries.includes(text))).toEqual([]);
});

test('the troubleshooting page has no entry for an error or a hint that is gone, and none twice', () => {
	expect(entries.filter((entry) => !shown.includes(entry))).toEqual([]);
	expect(entries.filter((entry, index) => entries.indexOf(entry) !== index)).toEqual([]);
});

test('the page lists every code that the nodes give a person, so that workflows can branch on it', () => {
	const codes = errorCodes();
	expect(codes).toEqual(expect.arrayContaining(['kept', 'too_many_removals', 'missing_scope']));
	const list = page.slice(page.indexOf('## Codes to branch on'));
	expect(codes.filter((code) => !list.includes(`\`${code}\``))).toEqual([]);
});

test('each code stands in the table with statuses of the node, but a code that is its status stands in no column', () => {
	const [, table = ''] = page.split('## Codes to branch on');
	const rows = [...table.matchAll(/^\| (`[^|]+?) +\| ([^|]+?) +\|/gm)].map(([, ...cells]) =>
		cells.map((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)),
	);
	expect(rows.length).toBeGreaterThan(15);
	for (const [codes = [], statuses = []] of rows.slice(1)) {
		expect(everyStatus).toEqual(expect.arrayContaining(statuses));
		expect(codes.filter((code) => statuses.includes(code))).toEqual([]);
	}
});
