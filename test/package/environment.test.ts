import { spawnSync } from 'node:child_process';
import {
	chmodSync,
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { npm } from '../../host/npm';
import { root } from './built';

/** What somebody may have in their terminal, and what npm needs where a registry asks for it. */
const given = {
	EVENT_PLATFORM_TOKEN: 'of-the-platform',
	EVENT_PLATFORM_WEBHOOK_SECRET: 'of-deliveries',
	ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-signer',
	DATABASE_PASSWORD: 'of-a-database',
	NODE_AUTH_TOKEN: 'of-the-registry',
	LANG: 'C',
};

/** Writes its environment to a file, as a script of a package could. */
const recorder = (file: string) => `#!/bin/sh\nenv >> '${file}'\n`;

const folder = mkdtempSync(join(tmpdir(), 'event-platform-environment-'));
const bin = join(folder, 'bin');
const recorded = { npm: join(folder, 'npm.txt'), node: join(folder, 'node.txt') };
const path = [bin, process.env.PATH].join(delimiter);

function writeProgram(file: string, text: string): void {
	writeFileSync(file, text);
	chmodSync(file, 0o755);
}

/** The names of those variables that a program got. */
function namesIn(text: string): string[] {
	return Object.keys(given).filter((name) => new RegExp(`^${name}=`, 'm').test(text));
}

beforeAll(() => {
	mkdirSync(bin);
	writeProgram(join(bin, 'npm'), `${recorder(recorded.npm)}env\n`);
});

afterAll(() => rmSync(folder, { recursive: true }));

describe('the command of a checkout where nothing is installed', () => {
	const checkout = join(folder, 'checkout');
	const pinned = join(checkout, 'node_modules/node/bin');

	beforeEach(() => {
		rmSync(checkout, { recursive: true, force: true });
		for (const file of Object.values(recorded)) writeFileSync(file, '');
		cpSync(join(root, 'scripts'), join(checkout, 'scripts'), { recursive: true });
		writeFileSync(join(checkout, 'package-lock.json'), '{}');
		mkdirSync(pinned, { recursive: true });
		writeProgram(join(pinned, 'node'), recorder(recorded.node));
	});

	test.each([
		['types', ['NODE_AUTH_TOKEN', 'LANG']],
		['start', ['NODE_AUTH_TOKEN', 'LANG']],
		['certify', Object.keys(given)],
	])(
		'%s installs without what gives access, and has it only to check the platform',
		(task, has) => {
			const { status } = spawnSync(process.execPath, ['scripts/run.mjs', task], {
				cwd: checkout,
				env: { ...process.env, ...given, PATH: path },
			});
			expect(status).toBe(0);
			expect(namesIn(readFileSync(recorded.npm, 'utf8'))).toEqual(['NODE_AUTH_TOKEN', 'LANG']);
			expect(namesIn(readFileSync(recorded.node, 'utf8'))).toEqual(has);
		},
	);
});

test('the npm that installs n8n does not get the token of the platform, whoever started it', async () => {
	const before = { ...process.env };
	Object.assign(process.env, given, { PATH: path });
	try {
		const printed = await npm(folder, ['rebuild'], 'Trying it');
		expect(printed).toMatch(/^PATH=/m);
		expect(printed).not.toContain('EVENT_PLATFORM_');
	} finally {
		process.env = before;
	}
});
