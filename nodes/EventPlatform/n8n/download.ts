import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { isPrivateHost } from '../core/client/privateHost';
import { Cancelled } from '../core/client/cancelled';
import { usualResponseMs } from './send';
import { transfer, type FileResponse, type FileToGet } from '../core/files/transfer';
import type { Connection } from './connect';

/** n8n's store wants a stream of Node, which a node may not import. But the class of an answer's body makes others. */
interface StreamClass {
	from(bytes: AsyncIterable<Uint8Array>, options: { objectMode: false }): Contents;
}

type Contents = Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0];

/** Gets a file into n8n's store of binary data, without a credential, and never holds it in memory as a whole. */
export async function storeFile(
	of: Pick<Connection, 'apiRoot' | 'clock' | 'signal'> & { n8n: IExecuteFunctions },
	file: FileToGet & { name: string; mimeType?: string },
): Promise<IBinaryData> {
	const { n8n, apiRoot, clock, signal } = of;
	const { httpRequest, prepareBinaryData } = n8n.helpers;

	// Recent versions of n8n say where a name leads. In others only the name itself tells.
	const egress = n8n.helpers.getSecureEgressFilter?.('enforced');
	async function isPrivate(url: URL): Promise<boolean> {
		if (isPrivateHost(url.hostname)) return true;
		const verdict = await egress?.validateUrl(url).catch(() => undefined);
		return verdict?.ok === false && verdict.error.name.startsWith('SsrfBlocked');
	}

	let streams: StreamClass | undefined;
	async function open(url: URL, asked: Record<string, string>): Promise<FileResponse> {
		const answer = (await httpRequest({
			method: 'GET',
			url: url.href,
			headers: asked,
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			// Each hop is checked before it is followed.
			disableFollowRedirect: true,
			timeout: usualResponseMs,
			abortSignal: signal,
		}).catch((error: unknown) => {
			throw signal?.aborted ? new Cancelled() : error;
		})) as FileResponse & { statusCode: number; body: { constructor: StreamClass } };
		streams = answer.body.constructor;
		return { ...answer, status: answer.statusCode };
	}

	const chunks = transfer(file, { open, clock, apiRoot, isPrivate, signal });
	// Read before anything is stored: until then it is open whether there is a file at all.
	const first = await chunks.next();
	if (streams === undefined) throw new Error('A transfer without an answer');
	const stream = streams.from(whole(first, chunks), { objectMode: false });
	return await prepareBinaryData(stream, file.name, file.mimeType);
}

async function* whole(first: IteratorResult<Uint8Array>, rest: AsyncGenerator<Uint8Array>) {
	try {
		if (!first.done) yield first.value;
		yield* rest;
	} finally {
		await rest.return(undefined);
	}
}
