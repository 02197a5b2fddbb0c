import { parseArgs } from 'node:util';
import type { Need } from './row';

/** A command that makes no sense, in one sentence. */
export class WrongUse extends Error {
	override readonly name = 'WrongUse';
}

export interface Options {
	help: boolean;
	baseUrl?: string;
	oauth: boolean;
	wants: Need[];
	mailbox?: string;
	clean: boolean;
	yes: boolean;
	spendMore: boolean;
	/** The path of the report without its ending. */
	report: string;
	journals: string;
	/** The address of a tunnel to `listenPort` of this machine. */
	listen?: string;
	listenPort: number;
	/** A report to adopt; nothing is asked. */
	adopt?: string;
	/** A folder with what was adopted, to compare with. */
	since?: string;
}

export const help = `npm run certify -- [options]

The token comes from EVENT_PLATFORM_TOKEN or a hidden prompt.

  --base-url URL        the API of the platform (https://api.livestorm.co)
  --oauth               the token is an access token of OAuth2, not an API token
  --write               also creates, changes and removes, only what it made itself
  --mailbox ADDRESS     with --write: people are registered under you+…@ of this address
  --limits              also sends too many requests, to see how the limit counts: a few are refused (429)
  --listen URL          with --write: also judges deliveries; the URL is that of a tunnel to this machine
  --listen-port PORT    where the tunnel leads to (4012); EVENT_PLATFORM_WEBHOOK_SECRET checks signatures
  --clean               lists what a run that was killed has left, and removes it if you agree
  --report FILE         where the report goes, without its ending (reports/certify)
  --journals FOLDER     where is written down what was made (.certify)
  --adopt FILE          writes what a report of the real platform saw into the contract; asks nothing
  --since FOLDER        also writes FILE.changes.md when a statement changed since what was adopted there (contract)
  --yes                 starts without a question
  --spend-more          agrees to more than a hundredth of what the month has left`;

const optionTypes = {
	help: { type: 'boolean' },
	'base-url': { type: 'string' },
	oauth: { type: 'boolean' },
	write: { type: 'boolean' },
	mailbox: { type: 'string' },
	limits: { type: 'boolean' },
	listen: { type: 'string' },
	'listen-port': { type: 'string' },
	clean: { type: 'boolean' },
	report: { type: 'string' },
	journals: { type: 'string' },
	adopt: { type: 'string' },
	since: { type: 'string' },
	yes: { type: 'boolean' },
	'spend-more': { type: 'boolean' },
} as const;

export function readOptions(args: readonly string[]): Options {
	const values = parse(args);
	const { write = false, mailbox } = values;
	if (write && mailbox === undefined) {
		throw new WrongUse('--write needs --mailbox: an address of yours to register people under.');
	}
	if (values.listen !== undefined && (!write || !URL.canParse(values.listen))) {
		throw new WrongUse('--listen needs --write, and the full URL of a tunnel to this machine.');
	}
	// A text that is no address could end up in the address of somebody else.
	if (mailbox !== undefined && !/^[\w.-]{1,64}@[\w-]+(?:\.[\w-]+)+$/.test(mailbox)) {
		throw new WrongUse('--mailbox takes an address such as you@example.com, without a plus.');
	}
	return {
		help: values.help ?? false,
		...(values['base-url'] !== undefined && { baseUrl: values['base-url'] }),
		oauth: values.oauth ?? false,
		wants: [
			...(write ? (['write'] as const) : []),
			...(values.listen !== undefined ? (['listen'] as const) : []),
			...(values.limits ? (['limits'] as const) : []),
		],
		...(write && mailbox !== undefined && { mailbox }),
		...(values.listen !== undefined && { listen: values.listen }),
		listenPort: Number(values['listen-port'] ?? 4012),
		clean: values.clean ?? false,
		yes: values.yes ?? false,
		spendMore: values['spend-more'] ?? false,
		report: values.report ?? 'reports/certify',
		journals: values.journals ?? '.certify',
		...(values.adopt !== undefined && { adopt: values.adopt }),
		...(values.since !== undefined && { since: values.since }),
	};
}

function parse(args: readonly string[]) {
	try {
		return parseArgs({ args: [...args], options: optionTypes }).values;
	} catch {
		// Its words would repeat what was entered, which may be a token.
		throw new WrongUse(
			'One of the options is not known or lacks its value. See --help. The token is never an option.',
		);
	}
}
