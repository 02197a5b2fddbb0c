import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Platform } from '../platform';
import { chunksOf } from './content';

interface FileRequest {
	Params: { id: string };
	Querystring: { expires?: string; signature?: string };
}

/** The link to the file of a recording, good until `expires` (Unix seconds) for anybody who has it. */
export function fileLink(root: string, id: string, expires: number): string {
	return `${root}/files/${id}?expires=${expires}&signature=${signature(id, String(expires))}`;
}

/** A file host as recordings have it: links that expire, ranges, and no token. */
export function addFileRoutes(app: FastifyInstance, platform: Platform): void {
	app.get<FileRequest>('/files/:id', (request, reply) => {
		const { id } = request.params;
		const { expires = '', signature: sentSignature } = request.query;
		const isOver = Number(expires) * 1000 < platform.now();
		if (sentSignature !== signature(id, expires) || isOver || request.fault?.do === 'expire-link') {
			return refuse(reply, 403, 'AccessDenied');
		}
		const row = platform.store.get('SELECT * FROM recordings WHERE id = ?', id);
		if (!row) return refuse(reply, 404, 'NoSuchKey');
		const size = Number(row['file_size']);
		const range = rangeOf(request, size);
		const { start, end } = range ?? { start: 0, end: size };
		if (start >= end) return refuse(reply, 416, 'InvalidRange');
		reply
			.code(range ? 206 : 200)
			.type(String(row['file_name']).endsWith('.mp3') ? 'audio/mpeg' : 'video/mp4')
			.header('Accept-Ranges', 'bytes')
			.header('ETag', `"${id}-${size}"`)
			.header('Content-Length', end - start);
		if (range) void reply.header('Content-Range', `bytes ${start}-${end - 1}/${size}`);
		if (request.fault?.do !== 'truncate') return reply.send(Readable.from(chunksOf(start, end)));
		return breakOff(request, reply, start, end);
	});
}

/** Half of what is left, under the length of the whole. */
function breakOff(request: FastifyRequest, reply: FastifyReply, start: number, end: number) {
	void reply.hijack();
	for (const [name, value] of Object.entries(reply.getHeaders())) {
		if (value !== undefined) reply.raw.setHeader(name, value);
	}
	reply.raw.writeHead(reply.statusCode);
	const half = start + Math.ceil((end - start) / 2);
	const body = Readable.from(chunksOf(start, half));
	body.pipe(reply.raw, { end: false });
	body.once('end', () => setTimeout(() => request.raw.socket.destroy(), 50));
	return reply;
}

/** Reads the range of `bytes=500-` or `bytes=500-999`. A request that asks otherwise gets the whole. */
function rangeOf({ headers }: FastifyRequest, size: number) {
	const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
	return first === undefined
		? undefined
		: { start: Number(first), end: Math.min(size, last ? Number(last) + 1 : size) };
}

/** Refuses in XML, as object storage does. */
function refuse(reply: FastifyReply, status: number, code: string): FastifyReply {
	return reply
		.code(status)
		.type('application/xml')
		.send(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
}

function signature(id: string, expires: string): string {
	return createHash('sha256').update(`${id} ${expires}`).digest('hex').slice(0, 32);
}
