import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { Cancelled } from '../../../nodes/EventPlatform/core/client/clock';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import { toActivationError, toNodeError } from '../../../nodes/EventPlatform/n8n/nodeError';
import { emptyNode as node } from '../../support/n8n/emptyWorkflow';

const failure = new Failure('not_found', { method: 'GET', path: '/events/e1' }, { status: 404 });

test('a failure becomes an error of the API with its text, status and item', () => {
	const error = toNodeError(node, failure, { what: 'the event', itemIndex: 3 });
	expect(error).toBeInstanceOf(NodeApiError);
	expect(error).toMatchObject({
		message: 'The platform cannot find the event (404)',
		description: expect.stringMatching(/^Check the ID: /) as string,
		httpCode: '404',
		context: { itemIndex: 3 },
	});
});

test.each([
	['apiToken', 'the API token may be mistyped or deleted'],
	['oAuth2', 'may need to be connected again'],
])('the advice fits the credential of the node: %s', (authentication, advice) => {
	const refused = new Failure('unauthorized', { method: 'GET', path: '/events' }, { status: 401 });
	const { description } = toNodeError({ ...node, parameters: { authentication } }, refused);
	expect(description).toContain(advice);
	expect(description?.includes('OAuth2')).toBe(authentication === 'oAuth2');
});

test('a word like EPERM in a message does not make n8n replace it', () => {
	expect(toNodeError(node, new Error('EPERM is no answer')).message).toBe('EPERM is no answer');
});

test('an error of n8n is changed itself, and keeps its item', () => {
	const error = new NodeOperationError(node, 'Bad', { itemIndex: 1, description: 'Enter a date.' });
	const nodeError = toNodeError(node, error, { itemIndex: 2 });
	expect(nodeError).toBe(error);
	expect(nodeError).toMatchObject({ description: 'Enter a date.', context: { itemIndex: 1 } });
});

test.each([new Error('Bearer abcdefgh failed'), 'Bearer abcdefgh failed'])(
	'no secret stays in what is shown of %p',
	(thrown) => {
		const error = toNodeError(node, thrown);
		expect(error.message).toBe('Bearer … failed');
		expect(error.messages.join(' ')).not.toContain('abcdefgh');
	},
);

test('a cancel is thrown again', () => {
	const cancelled = new Cancelled();
	expect(() => toNodeError(node, cancelled)).toThrow(cancelled);
});

test('the message of an activation says as well what to do, once', () => {
	const error = toActivationError(node, failure, { what: 'the webhook' });
	expect(error.message).toMatch(/^The platform cannot find the webhook \(404\)\. Check the ID: /);
	expect(error.description).toBeUndefined();
	expect(toActivationError(node, new Error('Broken.')).message).toBe('Broken.');
});
