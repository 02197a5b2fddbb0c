import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { readN8nError } from '../../../nodes/EventPlatform/n8n/thrownError';
import { emptyNode as node } from '../../support/n8n/emptyWorkflow';

const root = 'https://platform.example/v1';

/** An error as axios makes it and n8n wraps it. */
function wrapped(fields: object, message = 'failed'): NodeApiError {
	const inner = Object.assign(new Error(message), { config: { url: `${root}/events` }, ...fields });
	return new NodeApiError(node, inner as never);
}

const elsewhere = { url: 'https://login.example/oauth/token' };
const cutOff = { status: 200, headers: {}, data: undefined };

test.each([
	['ECONNREFUSED', { syscall: 'connect' }, false],
	['ENOTFOUND', { syscall: 'getaddrinfo' }, false],
	['EAI_AGAIN', {}, false],
	['EPERM', { syscall: 'connect' }, false],
	['ETIMEDOUT', { syscall: 'connect' }, false],
	['CERT_HAS_EXPIRED', {}, false],
	['ECONNRESET', { syscall: 'read' }, true],
	['ECONNABORTED', {}, true],
	['ERR_BAD_RESPONSE', { response: cutOff }, true],
	// The token server is away.
	['ECONNRESET', { config: elsewhere }, false],
])('a connection was lost by %s (%j): was anything sent? %j', (code, fields, isSent) => {
	expect(readN8nError(wrapped({ code, ...fields }), root)).toEqual({ networkError: code, isSent });
});

test('n8n’s protection of private networks lets nothing be sent', () => {
	const refusal = Object.assign(new Error('Restricted'), { name: 'SsrfBlockedHostnameError' });
	expect(readN8nError(new NodeApiError(node, refusal as never), root)).toEqual({
		networkError: 'SsrfBlockedHostnameError',
		isSent: false,
	});
});

test('a message with EPERM in it does not hide what happened', () => {
	const thrown = wrapped({ code: 'ECONNRESET' }, 'socket hang up after EPERM');
	expect(thrown.message).not.toContain('socket hang up');
	expect(readN8nError(thrown, root)).toEqual({ networkError: 'ECONNRESET', isSent: true });
});

test('an answer of the platform about some connection is no lost grant', () => {
	const response = { status: 400, headers: {}, data: '{"message":"The room is not connected"}' };
	const thrown = wrapped({ code: 'ERR_BAD_REQUEST', response }, 'The room is not connected');
	expect(readN8nError(thrown, root)).toEqual({ response });
});

const grant = {
	code: 'EAUTH',
	body: { error: 'invalid_grant', error_description: 'The refresh token is unknown' },
};

test.each([
	[new NodeOperationError(node, 'The credential "X" needs to be reconnected.'), 'reconnected'],
	[Object.assign(new Error('No'), grant), 'invalid_grant: The refresh token is unknown'],
	[new Error('OAuth credentials not connected'), 'not connected'],
	[new Error('no refresh token is available'), 'no refresh token'],
])('a credential has to be connected again: %s', (error, said) => {
	expect(readN8nError(new NodeApiError(node, error as never), root)).toEqual({
		grant: expect.stringContaining(said) as unknown,
	});
});

test('what did not happen on the network is handed on', () => {
	const error = new NodeOperationError(node, 'Node does not have any credentials set');
	expect(readN8nError(error, root)).toBeUndefined();
	const circle: { cause?: unknown } = {};
	circle.cause = circle;
	expect(readN8nError(circle, root)).toBeUndefined();
});
