import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { apiRoot, InvalidBaseUrl } from '../nodes/EventPlatform/core/client/baseUrl';
import { thousands } from '../nodes/EventPlatform/core/values/text';
import { redact } from '../nodes/EventPlatform/core/values/secrets';
import { certify, clean, mostFor, type RunParts } from './certify';
import { clock } from './clock';
import { adopt, changesSince, readObserved } from './adopt';
import { contractFile, platformOrigin } from './contract';
import { help, readOptions, type Options, WrongUse } from './options';
import { asMarkdown, asText, countsOf, type Report } from './report';
import { Listener } from './listen';
import type { Need } from './row';
import { createSend } from './send';
import { askHidden, askYes, clearProgress, isTerminal, showProgress } from './terminal';

/** `npm run certify`. Ends with 0: nothing differs; 1: something does; 2: wrong use; 3: no clear result, or something is left. */
async function main(): Promise<number> {
	const options = readOptions(process.argv.slice(2));
	if (options.help) {
		console.log(help);
		return 0;
	}
	if (options.adopt !== undefined) return adoptFile(options.adopt);
	const root = apiRoot(options.baseUrl ?? platformOrigin);
	const token = await readToken();
	const signal = stopOnSignal();
	const parts = {
		root,
		token,
		isOAuth: options.oauth,
		journals: options.journals,
		send: createSend(root),
		clock,
		signal,
		say: (sentence: string) => console.error(sentence),
		onRequest: showProgress,
	};
	// Whatever goes wrong, the token is in none of its words.
	try {
		return options.clean ? await cleanUp(parts, options) : await run(parts, options);
	} catch (error) {
		console.error(redact(sentenceOf(error), [token]));
		return 3;
	}
}

type Parts = Omit<RunParts, 'wants' | 'mayTakeMore'>;

async function cleanUp(parts: Parts, { yes }: Options): Promise<number> {
	const { removed, left, elsewhere, inUse, suspectFiles } = await clean({
		...parts,
		mayRemove(things) {
			console.error(`At ${new URL(parts.root).host} this would be removed, if it is still there:`);
			for (const { kind, mark } of things) console.error(`  ${kind}: ${mark}`);
			return yes ? Promise.resolve(true) : askYes('Remove it?');
		},
	});
	clearProgress();
	console.error(`${removed} runs are cleaned up, of ${left} something is left.`);
	if (elsewhere > 0) console.error(`${elsewhere} runs were of another address: clean those there.`);
	if (inUse > 0) console.error(`${inUse} runs still go on, and remove what they made themselves.`);
	for (const suspect of suspectFiles) {
		const subject =
			suspect.kind === 'no journal' ? 'The file' : `${suspect.refusedLines} lines of the file`;
		console.error(
			`${subject} ${suspect.file} cannot be read, or this program has not written them. Nothing was done about them. Look at the file, then delete it.`,
		);
	}
	return left > 0 || inUse > 0 || suspectFiles.length > 0 ? 3 : 0;
}

async function run(parts: Parts, options: Options): Promise<number> {
	const wants = new Set<Need>(['read', ...options.wants]);
	console.error(announcement(parts.root, options, mostFor(wants)));
	if (!options.yes && !(await askYes('Shall it start?'))) return 2;
	const listener = await listenerFor(options);
	const { report, isClean, ended } = await certify({
		...parts,
		...(listener && { listener }),
		wants,
		...(options.mailbox !== undefined && { mailbox: options.mailbox }),
		mayTakeMore(requests, left) {
			clearProgress();
			const sentence = `This may take ${requests} of the ${thousands(left)} requests that the month has left.`;
			console.error(sentence);
			if (options.spendMore) return Promise.resolve(true);
			if (isTerminal()) return askYes('Shall it go on?');
			console.error('Without a terminal, --spend-more agrees to that.');
			return Promise.resolve(false);
		},
	});
	listener?.end();
	clearProgress();
	write(`${options.report}.json`, `${JSON.stringify(report, null, '\t')}\n`);
	write(`${options.report}.md`, asMarkdown(report));
	const before = options.since === undefined ? undefined : readObserved(options.since);
	const changes = before ? changesSince(report, before) : [];
	if (changes.length > 0) {
		const lines = changes.map((line) => `- ${line}`);
		write(
			`${options.report}.changes.md`,
			['These statements changed:', '', ...lines, ''].join('\n'),
		);
	}
	console.log(asText(report));
	console.error(`The report: ${options.report}.md and ${options.report}.json`);
	if (ended !== undefined) console.error(`It ended early: ${ended}.`);
	if (!isClean) {
		console.error('Something that it made is still there. Remove it: npm run certify -- --clean');
	}
	if (ended !== undefined || !isClean) return 3;
	return countsOf(report).differs > 0 ? 1 : 0;
}

async function listenerFor({ listen, listenPort }: Options): Promise<Listener | undefined> {
	if (listen === undefined) return undefined;
	const secret = process.env['EVENT_PLATFORM_WEBHOOK_SECRET'];
	return Listener.begin(listen, listenPort, () => clock.now(), secret);
}

function announcement(root: string, { wants, mailbox }: Options, mostRequests: number): string {
	return [
		`This asks ${new URL(root).host} at most ${mostRequests} requests, at the pace of the connector.`,
		wants.includes('write')
			? `It creates one draft event with one session far ahead, registers at most six people under ${mailbox}, and removes all of it. The platform may write to these addresses, count them as active contacts, and keep them as contacts: there is no request that removes a contact.`
			: 'It only reads: nothing in the account changes.',
		...(wants.includes('limits')
			? ['It sends too many requests on purpose: a few are refused (429).']
			: []),
		'The report holds no value of the account.',
	].join('\n');
}

async function readToken(): Promise<string> {
	const token = process.env['EVENT_PLATFORM_TOKEN'] ?? (await askHidden('Token (not shown): '));
	delete process.env['EVENT_PLATFORM_TOKEN'];
	if (token.trim() === '') throw new WrongUse('There is no token: set EVENT_PLATFORM_TOKEN.');
	return token.trim();
}

/** The first Ctrl-C ends the run and removes what it made; npm passes it on a second time, which is ignored. */
function stopOnSignal(): AbortSignal {
	const stop = new AbortController();
	let stoppedAt = 0;
	const onSignal = () => {
		if (stoppedAt === 0) {
			stoppedAt = Date.now();
			stop.abort();
		} else if (Date.now() - stoppedAt > 2_000) {
			console.error('Ended at once. What is left: npm run certify -- --clean');
			process.exit(3);
		}
	};
	process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
	return stop.signal;
}

function write(file: string, text: string): void {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, text);
}

function adoptFile(file: string): number {
	const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
	if (report.platform !== 'the real platform') {
		throw new WrongUse(
			'Only a report of the real platform is evidence; this one is of another server.',
		);
	}
	const changes = adopt(report, dirname(contractFile));
	console.log(`The evidence of ${report.date} stands in contract/openapi.yaml.`);
	if (changes.length > 0)
		console.log(`To change:\n${changes.map((line) => `- ${line}`).join('\n')}`);
	return 0;
}

function sentenceOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

main().then(
	(code) => process.exit(code),
	(error: unknown) => {
		console.error(sentenceOf(error));
		process.exit(error instanceof WrongUse || error instanceof InvalidBaseUrl ? 2 : 3);
	},
);
