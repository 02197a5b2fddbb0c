// The connector in a real n8n, with the sandbox platform, provisioned and signed in: `npm start`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withoutSecrets } from '../scripts/environment';
import { startSandbox, type Sandbox } from '../sandbox/server';
import { addConnector } from './connector';
import { bulkExample, Demonstration, outcomeTable, type Outcome } from './demonstration';
import { Editor } from './editor';
import { endings, leave, leaveOnSignals } from './ending';
import { filesFolder, keptHome, temporaryHome, type Home } from './home';
import { isPrepared, prepareN8n } from './installation';
import { startN8n } from './n8n';
import { readOptions, usage, type StartOptions } from './options';
import { heldSession, sampleSession } from './platform';
import { assertFree, freePort } from './ports';
import { progressOn } from './progress';
import { provision, readExample, verify, type Provisioned } from './provision';
import { UserError } from './userError';

const progress = progressOn(process.stdout);

async function main(options: StartOptions) {
	if (options.noEditor) {
		await firstLook();
		return progress.say(await whatNext());
	}
	const ports = await choosePorts(options);
	// n8n takes minutes to download: the product is seen at work before.
	if (!(await isPrepared(__dirname))) await firstLook();
	const installation = await prepareN8n(__dirname, progress);
	// Files that are written from here on, by n8n and the platform too, have tokens in them. Only their owner may read them.
	process.umask(0o077);
	const home = options.check ? await temporaryHome() : await keptHome(ports.n8n, options.fresh);
	endings.add(() => home.cleanUp());

	progress.say('Packing the connector and installing it into n8n …');
	await addConnector(home.folder);

	const sandbox = await startSandbox({
		port: ports.sandbox,
		redirectUri: `http://localhost:${ports.n8n}/rest/oauth2-credential/callback`,
		data: join(home.folder, 'platform.sqlite'),
	});
	endings.add(() => sandbox.close());

	const done = progress.during(`Starting the platform and n8n ${installation.version}`);
	const files = await filesFolder(home.folder);
	const n8n = await startN8n(installation, {
		userFolder: home.folder,
		port: ports.n8n,
		environment: { N8N_RESTRICT_FILE_ACCESS_TO: files },
	}).finally(done);
	endings.add(() => n8n.stop());

	progress.say('Connecting the credentials and importing the examples …');
	const editor = await signedIn(n8n.url, home);
	const session = await sampleSession(sandbox);
	const from = (await heldSession(sandbox)) ?? session;
	const provisioned = await provision(editor, sandbox, { session, from, folder: files });
	const example = await readExample(bulkExample.file);
	const saved = provisioned.workflows.find(({ name }) => name === example.name);

	progress.say(
		`Running a copy of the example "${example.name}" for the session "${session.name}", with the API token of the sandbox at ${sandbox.baseUrl} …\n`,
	);
	const { baseUrl, apiToken } = sandbox;
	const demonstration = new Demonstration(editor, { baseUrl, apiToken, session });
	endings.add(() => demonstration.remove());
	const outcome = await demonstration.run();
	await demonstration.remove();
	progress.say(`${outcomeTable(outcome)}\n`);

	if (options.check) return check(editor, provisioned, outcome);
	progress.say(`n8n        ${installation.version}, ${whyThisVersion}`);
	progress.say(whereToSignIn(`${n8n.url}/workflow/${saved?.id ?? ''}`, home, sandbox));
	await n8n.ended;
	throw new UserError(`n8n has ended by itself; its log is ${n8n.logFile}.`);
}

const whyThisVersion =
	'from npm, which has no later line: n8n 3 is published as a container image only (docs/docker.md).';

/** How somebody goes on who has seen the list. */
async function whatNext(): Promise<string> {
	const manifest = await readFile(join(__dirname, '../package.json'), 'utf8');
	const { homepage } = JSON.parse(manifest) as { homepage: string };
	const [home] = homepage.split('#');
	return [
		'What next',
		`  In the n8n that you have   ${home}/blob/main/docs/try-it.md`,
		'  In the editor of n8n       npm start (downloads n8n once; 2.7 GB on disk)',
	].join('\n');
}

async function firstLook(): Promise<void> {
	const program = [join(__dirname, 'firstLook.ts')];
	const child = spawn(process.execPath, ['--import', 'tsx', ...program], {
		stdio: 'inherit',
		env: withoutSecrets(process.env),
	});
	const [code] = (await once(child, 'exit')) as [number | null];
	if (code !== 0)
		throw new UserError('The sample list could not be registered; the cause is above.');
}

async function choosePorts({ check, port, sandboxPort }: StartOptions) {
	const ports = {
		n8n: port ?? (check ? await freePort() : 5678),
		sandbox: sandboxPort ?? (check ? await freePort() : 4010),
	};
	await assertFree(ports.n8n, 'n8n', '--port');
	await assertFree(ports.sandbox, 'the sandbox', '--sandbox-port');
	return ports;
}

async function signedIn(url: string, { login, folder }: Home): Promise<Editor> {
	const editor = new Editor(url);
	await editor.ensureOwner(login);
	await editor.signIn(login).catch(() => {
		throw new UserError(
			`n8n does not accept the password kept in ${folder} (was it changed?): start with --fresh to begin anew.`,
		);
	});
	return editor;
}

async function check(editor: Editor, provisioned: Provisioned, { total }: Outcome) {
	await verify(editor, provisioned);
	if (total === 0) throw new Error('The bulk registration example accounted for nobody.');
	const { workflows } = provisioned;
	progress.say(`Checked: both credentials work, ${workflows.length} examples are imported.`);
}

function whereToSignIn(workflowUrl: string, { login }: Home, sandbox: Sandbox) {
	return [
		`Editor     ${workflowUrl}`,
		`Sign in    ${login.email}`,
		`Password   ${login.password}`,
		`Platform   ${sandbox.baseUrl}`,
		`API token  ${sandbox.apiToken}`,
		`Client     ${sandbox.clientId}, secret ${sandbox.clientSecret}`,
		'',
		'Ctrl-C ends n8n and the platform. The next start finds everything as you left it.',
	].join('\n');
}

function printError(error: unknown) {
	const unexpected = error instanceof Error ? error.stack : String(error);
	process.stderr.write(`\n${error instanceof UserError ? error.message : unexpected}\n`);
}

leaveOnSignals(() => progress.say('\nEnding n8n and the platform …'));
void (async () => {
	try {
		const options = readOptions(process.argv.slice(2));
		if (options.help) progress.say(usage);
		else await main(options);
		await leave(0);
	} catch (error) {
		// Code that waits for something that is being ended fails. That is not worth a message.
		if (!endings.begun) printError(error);
		await leave(1);
	}
})();
