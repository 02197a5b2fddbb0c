import { parseArgs } from 'node:util';
import { UserError } from './userError';

export interface StartOptions {
	/** Verify and exit instead of staying up. */
	check: boolean;
	/** Begin with an empty n8n and an empty platform. */
	fresh: boolean;
	/** Register the sample list and show what became of it, without n8n. */
	noEditor: boolean;
	/** Undefined: the usual one, or any free one for a check. */
	port?: number;
	sandboxPort?: number;
	help: boolean;
}

export const usage = `npm start -- [options]

  --port N          where n8n listens (5678)
  --sandbox-port N  where the sandbox platform listens (4010)
  --fresh           begin with an empty n8n and an empty platform; otherwise both are kept from the last time
  --check           prepare and verify everything in a folder of its own, on free ports, then exit
  --no-editor       only register a sample list and show the outcome: no n8n, no download
  --help            this text`;

export function readOptions(args: string[]): StartOptions {
	const { values } = parse(args);
	return {
		check: values.check,
		fresh: values.fresh,
		help: values.help,
		noEditor: values['no-editor'],
		...(values.port !== undefined && { port: portNumber('--port', values.port) }),
		...(values['sandbox-port'] !== undefined && {
			sandboxPort: portNumber('--sandbox-port', values['sandbox-port']),
		}),
	};
}

function parse(args: string[]) {
	try {
		return parseArgs({
			args,
			options: {
				check: { type: 'boolean', default: false },
				fresh: { type: 'boolean', default: false },
				help: { type: 'boolean', default: false },
				'no-editor': { type: 'boolean', default: false },
				port: { type: 'string' },
				'sandbox-port': { type: 'string' },
			},
		});
	} catch (error) {
		throw new UserError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
	}
}

function portNumber(option: string, text: string) {
	const port = Number(text);
	if (!Number.isInteger(port) || port < 1 || port > 65_535) {
		throw new UserError(`${option} needs a port number between 1 and 65535, not "${text}".`);
	}
	return port;
}
