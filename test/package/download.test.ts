import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Prepared } from '../../host/installation';
import { reason } from '../../host/npm';
import { fakeNpm } from './fakeNpm';

/** What `npm start` does and says where n8n cannot be downloaded or prepared. */

describe('a failure of npm in one sentence', () => {
	const gyp = 'gyp info using node-gyp@12.1.0\ngyp ERR! stack Error: ';
	test.each([
		[
			'the headers of Node',
			`${gyp}getaddrinfo ENOTFOUND nodejs.org\ngyp ERR! This is most likely not a problem with node-gyp or the package itself and is related to network connectivity.`,
			/headers of Node cannot be fetched from nodejs\.org.*github\.com.*npm_config_nodedir.*kept\.$/,
		],
		['a compiler', `${gyp}not found: make`, /install python3, make and g\+\+.*kept\.$/],
		['a network', 'npm error code ENOTFOUND', /the npm registry cannot be reached/],
		['room', 'npm error ENOSPC: no space left on device', /the disk is full/],
		['anything else', 'npm error code EUSAGE', /^Preparing n8n failed: code EUSAGE\.$/],
	])('names %s that is missing', (_, printed, sentence) => {
		expect(reason('Preparing n8n', printed)).toMatch(sentence);
	});
});

describe('an n8n whose database driver cannot be compiled', () => {
	const fake = fakeNpm(
		(folder) =>
			`[ "$1" = rebuild ] && [ ! -e '${folder}/headers' ] && { echo 'gyp ERR! network' >&2; exit 1; }`,
	);
	const { folder } = fake;
	const recipe = join(folder, 'recipe');
	const before = { ...process.env };
	/** The command that npm was given each time, and the first word after it. */
	const npmCalls = () => fake.calls().map((words) => words.split(' ').slice(0, 2).join(' '));

	beforeAll(() => {
		mkdirSync(recipe);
		const packages = { '': {}, 'node_modules/n8n': { version: '2.0.0' } };
		writeFileSync(join(recipe, 'package.json'), '{}');
		writeFileSync(join(recipe, 'package-lock.json'), JSON.stringify({ packages }));
		process.env.EVENT_PLATFORM_CACHE = join(folder, 'cache');
		process.env.PATH = fake.path;
	});

	afterAll(() => {
		process.env = before;
	});

	/** The folder of the cache is read when the module is loaded. */
	async function prepare(): Promise<Prepared> {
		const { prepareLocked } = await import('../../host/installation');
		const program = { main: 'n8n', called: 'n8n', gigabytes: 0, rebuild: ['sqlite3'] };
		return prepareLocked(recipe, program, { say: () => {}, during: () => () => {} });
	}

	test('keeps what was downloaded, and the next start goes on from there', async () => {
		await expect(prepare()).rejects.toThrow(/nodejs\.org/);
		expect(npmCalls()).toEqual([
			'ping --fetch-retries=0',
			'ci --ignore-scripts',
			'rebuild sqlite3',
		]);
		fake.forget();
		writeFileSync(join(folder, 'headers'), '');
		const { home } = await prepare();
		expect(npmCalls()).toEqual(['rebuild sqlite3']);
		expect(existsSync(join(home, 'package-lock.json'))).toBe(true);
	});
});
