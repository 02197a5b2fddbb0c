import fc from 'fast-check';
import { hasErrors, readErrors } from '../../../nodes/EventPlatform/core/dialect/errors';

const errorsOf = (error: object) => ({ errors: [error] });

test.each([
	[errorsOf({ code: 'c', title: 't', detail: 'd' }), [{ code: 'c', title: 't', detail: 'd' }]],
	[errorsOf({ code: 'taken', message: 'm' }), [{ code: 'taken', detail: 'm' }]],
	// Code and status swapped; a name without a code; a code that is a status, or has one in it.
	[errorsOf({ code: '422', status: 'taken' }), [{ code: 'taken' }]],
	[errorsOf({ status: 'unauthorized', detail: 'd' }), [{ code: 'unauthorized', detail: 'd' }]],
	[errorsOf({ code: null, status: 'taken' }), [{ code: 'taken' }]],
	[errorsOf({ code: '422', status: '422' }), [{ code: '422' }]],
	[errorsOf({ status: '422', detail: 'd' }), [{ detail: 'd' }]],
	[errorsOf({ code: 'e422', status: 'unauthorized' }), [{ code: 'e422' }]],
	[{ errors: ['first', 'second'] }, [{ detail: 'first' }, { detail: 'second' }]],
	[{ errors: { email: ['taken'] } }, [{ detail: '{"email":["taken"]}' }]],
	// The platform before a proxy; an OAuth error; the words of proxies.
	[{ errors: ['d'], error: 'e', message: 'm' }, [{ detail: 'd' }]],
	[{ errors: [''], message: 'm' }, [{ detail: 'm' }]],
	[
		{ error: 'invalid_grant', error_description: 'gone' },
		[{ code: 'invalid_grant', detail: 'gone' }],
	],
	[{ message: 'Bad gateway' }, [{ detail: 'Bad gateway' }]],
	[{ error: { message: 'm' } }, [{ detail: 'm' }]],
	[{}, []],
	[{ errors: ['', null, { code: '' }] }, []],
	// Other envelopes: a sentence is no code; several without a name; RFC 9457; no envelope at all.
	[{ error: 'The session is full' }, [{ title: 'The session is full' }]],
	[{ error: 'Not Found', message: 'm' }, [{ title: 'Not Found', detail: 'm' }]],
	[{ type: 'about:blank', title: 't', detail: 'd' }, [{ title: 't', detail: 'd' }]],
	[' The session is full\n', [{ detail: 'The session is full' }]],
	['<html>', []],
	['Bad <b>gateway</b>', []],
	['{"errors":[{"detail', []],
	[' \n', []],
])('of %j the errors are %j', (body, errors) => {
	// JSON leaves out the fields that are undefined.
	expect(JSON.parse(JSON.stringify(readErrors(body)))).toEqual(errors);
});

test('whatever the platform sends, its errors stay few and short', () => {
	fc.assert(
		fc.property(fc.jsonValue(), (body) => {
			expect(JSON.stringify(readErrors(body)).length).toBeLessThan(30_000);
		}),
	);
	const flood = { errors: Array.from({ length: 5_000 }, () => ({ detail: 'x'.repeat(10_000) })) };
	expect(JSON.stringify(readErrors(flood)).length).toBeLessThan(6_000);
});

test.each([{ errors: [{ code: 'x' }] }, { error: 'no_seats' }, { error: { message: 'No' } }])(
	'%j names an error',
	(body) => expect(hasErrors(body)).toBe(true),
);

test.each([
	undefined,
	'No',
	[],
	{},
	{ errors: [] },
	{ errors: null, error: null },
	{ error: false },
])('%j names no error', (body) => expect(hasErrors(body)).toBe(false));
