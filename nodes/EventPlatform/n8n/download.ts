import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { Cancelled } from '../core/client/clock';
import { usualResponseMs } from './send';
import { DownloadFailed } from '../core/files/downloadFailed';
import {
	transfer,
	type FileResponse,
	type FileToGet,
	type NoFileResponse,
} from '../core/files/transfer';
import type { Run } from '../core/client/run';
import { lastAddressOf, readN8nError, wordsOfProtection } from './thrownError';

/** The class of a stream of Node, which n8n's store wants and a node may not import. The body of a response has it. */
interface StreamClass {
	from(bytes: AsyncIterable<Uint8Array>, options: { objectMode: false }): StoredContents;
}

/** The content that n8n's store takes. Its type names a class of Node that a node may not import. */
type StoredContents = Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0];

interface StreamedResponse extends Omit<FileResponse, 'status'> {
	statusCode: number;
	body: FileResponse['body'] & { constructor: StreamClass };
}

/** Fetches a file into n8n's store of binary data, without a credential, and never holds it in memory as a whole. */
export async function storeFile(
	run: Pick<Run, 'clock' | 'signal'> & { n8n: IExecuteFunctions },
	file: FileToGet & { name: string; mimeType?: string },
): Promise<IBinaryData> {
	const { n8n, clock, signal } = run;
	const { httpRequest, prepareBinaryData } = n8n.helpers;

	let streamClass: StreamClass | undefined;
	async function open(
		url: URL,
		headers: Record<string, string>,
	): Promise<FileResponse | NoFileResponse> {
		const response = (await httpRequest({
			method: 'GET',
			url: url.href,
			headers,
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			timeout: usualResponseMs,
			abortSignal: signal,
		}).catch((error: unknown) => {
			if (signal?.aborted) throw new Cancelled();
			return readNoResponse(error, url);
		})) as StreamedResponse | NoFileResponse;
		if ('networkError' in response) return response;
		streamClass = response.body.constructor;
		return { ...response, status: response.statusCode };
	}

	const chunks = transfer(file, { open, clock, signal });
	// The first chunk is read before anything is stored, because only then it is certain that there is a file.
	const firstChunk = await chunks.next();
	if (streamClass === undefined) throw new Error('A transfer without an answer');
	const stream = streamClass.from(joinChunks(firstChunk, chunks), { objectMode: false });
	// Where the store has failed before it read anything, nothing else closes the connection.
	return await prepareBinaryData(stream, file.name, file.mimeType)
		.catch((error: unknown) => {
			throw errorOfStore(error);
		})
		.finally(() => chunks.return(undefined));
}

function readNoResponse(error: unknown, { origin }: URL): NoFileResponse {
	const said = wordsOfProtection(error);
	if (said !== undefined) {
		throw new DownloadFailed("n8n forbids connections to the file's host", `n8n said: ${said}`);
	}
	const thrown = readN8nError(error, origin);
	const noResponse =
		thrown && 'networkError' in thrown ? thrown : { networkError: 'no answer', isSent: false };
	return { ...noResponse, lastAddress: lastAddressOf(error) };
}

/** The stream hands its own errors to the store, which throws them again. */
function errorOfStore(error: unknown): Error {
	if (error instanceof DownloadFailed || error instanceof Cancelled) return error;
	const said = error instanceof Error ? error.message : String(error);
	return new DownloadFailed(
		'n8n could not store the file',
		`Its disk may be full. n8n said: ${said}`,
	);
}

async function* joinChunks(
	firstChunk: IteratorResult<Uint8Array>,
	furtherChunks: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
	if (!firstChunk.done) yield firstChunk.value;
	yield* furtherChunks;
}
