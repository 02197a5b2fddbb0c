// The connector in a real n8n, with the sandbox platform, provisioned and signed in: `npm start`.
import { join } from 'node:path';
import { startSandbox } from '../sandbox/server';
import { addConnector } from './connector';
import { bulkExample, demonstrate, outcomeTable } from './demonstration';
import { Editor } from './editor';
import { keptHome, passingHome, type Home } from './home';
import { prepareN8n } from './installation';
import { startN8n } from './n8n';
import { readOptions, usage, type StartOptions } from './options';
import { assertFree, freePort } from './ports';
import { progressOn } from './progress';
import { ensureWorkflow, prepared, provisionCredentials, readExamples, works } from './provision';
import { firstSession } from './platform';
import { Trouble } from './trouble';

const progress = progressOn(process.stdout);
const endings: Array<() => Promise<unknown>> = [];

async function main(options: StartOptions) {
	const port = options.port ?? (options.check ? await freePort() : 5678);
	const sandboxPort = options.sandboxPort ?? (options.check ? await freePort() : 4010);
	await assertFree(port, 'n8n', '--port');
	await assertFree(sandboxPort, 'the sandbox', '--sandbox-port');

	const installation = await prepareN8n(__dirname, progress);
	const home = options.check ? await passingHome() : await keptHome(port, options.fresh);
	endings.push(() => home.leave());

	progress.say('Packing the connector and installing it into n8n …');
	await addConnector(home.folder);

	progress.say('Starting the sandbox platform …');
	const sandbox = await startSandbox({
		port: sandboxPort,
		redirectUri: `http://localhost:${port}/rest/oauth2-credential/callback`,
		data: join(home.folder, 'platform.sqlite'),
	});
	endings.unshift(() => sandbox.close());

	const done = progress.during(`Starting n8n ${installation.version}`);
	const n8n = await startN8n(installation, { userFolder: home.folder, port }).finally(done);
	endings.unshift(() => n8n.stop());

	progress.say('Signing in, connecting the credentials and importing the examples …');
	const editor = new Editor(n8n.url);
	await editor.ensureOwner(home.login);
	await signIn(editor, home);
	const credentials = await provisionCredentials(editor, sandbox);
	const session = await firstSession(sandbox);
	const workflows = [];
	for (const example of await readExamples()) {
		const workflow = prepared(example, Object.values(credentials), session);
		workflows.push(await ensureWorkflow(editor, workflow));
	}

	const bulk = workflows.find(({ name }) => name === bulkExample.workflow);
	if (!bulk) throw new Error(`There is no example named "${bulkExample.workflow}".`);
	progress.say(`Running the example "${bulk.name}" …`);
	const outcome = await demonstrate(editor, bulk);
	progress.say(`\nBulk registration for "${session.name}":\n\n${outcomeTable(outcome)}\n`);

	if (options.check) {
		await verify(editor, Object.values(credentials), outcome.total);
		progress.say(
			`Checked: credentials connected, ${workflows.length} examples imported, everybody accounted for.`,
		);
		return;
	}
	progress.say(
		[
			`Editor     ${n8n.url}/workflow/${bulk.id ?? ''}`,
			`Sign in    ${home.login.email}  ${home.login.password}`,
			`Platform   ${sandbox.baseUrl}`,
			'',
			'Press Ctrl-C to end n8n and the platform; the next start finds everything as you left it.',
		].join('\n'),
	);
	await n8n.ended;
	if (!leaving) throw new Trouble(`n8n has ended by itself; its log is ${n8n.logFile}.`);
}

async function signIn(editor: Editor, home: Home) {
	await editor.signIn(home.login).catch(() => {
		throw new Trouble(
			`n8n does not accept the password kept in ${home.folder} (was it changed?): start with --fresh to begin anew.`,
		);
	});
}

async function verify(
	editor: Editor,
	credentials: Array<Parameters<typeof works>[1]>,
	people: number,
) {
	for (const credential of credentials) {
		if (!(await works(editor, credential))) throw new Error(`"${credential.name}" does not work.`);
	}
	if (people === 0) throw new Error('The bulk registration example registered nobody.');
}

let leaving = false;
/** Ctrl-C may reach us twice, from the terminal and from npm: the first one counts. */
async function leave(code: number) {
	if (leaving) return;
	leaving = true;
	for (const end of endings) await end().catch(() => undefined);
	process.exit(code);
}

function say(error: unknown) {
	const words =
		error instanceof Trouble ? error.message : error instanceof Error ? error.stack : String(error);
	process.stderr.write(`\n${words}\n`);
}

process.on('SIGINT', () => {
	if (!leaving) process.stdout.write('\nEnding n8n and the platform …\n');
	void leave(0);
});
process.on('SIGTERM', () => void leave(0));

try {
	const options = readOptions(process.argv.slice(2));
	if (options.help) process.stdout.write(`${usage}\n`);
	else
		main(options).then(
			() => leave(0),
			(error: unknown) => {
				if (!leaving) say(error);
				return leave(1);
			},
		);
} catch (error) {
	say(error);
	process.exitCode = 1;
}
