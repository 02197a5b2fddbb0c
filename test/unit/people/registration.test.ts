import {
	emailAndAddressOf,
	asTask,
	type Registration,
} from '../../../nodes/EventPlatform/core/people/registration';

test.each([
	['Ada@Example.com', 'ada@example.com'],
	['Ada <ADA@example.com>', 'ada@example.com'],
	['ada@münchen.example', 'ada@xn--mnchen-3ya.example'],
	// A text that is no address is compared as well, so that it is found on the list whatever it means.
	['Nobody At All', 'nobody at all'],
	['', ''],
])('the email %j stays as it was written, and is compared as %j', (email, address) => {
	expect(emailAndAddressOf(email)).toEqual({ email, address });
});

test('no email is an empty one', () => {
	expect(emailAndAddressOf(undefined)).toEqual({ email: '', address: '' });
});

const registration: Registration = {
	fields: [
		{ id: 'email', value: 'ada@example.com' },
		{ id: 'topics', value: ['a', 'b'] },
	],
	tracking: { referrer: 'bob@example.com' },
};

test('a task has the fields, and beside them where the person came from', () => {
	const { fields, tracking } = registration;
	expect(asTask(registration)).toEqual({ fields, ...tracking });
});
