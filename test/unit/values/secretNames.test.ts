import { isWithheld } from '../../../nodes/EventPlatform/core/values/secretNames';

test.each([
	'connection_link',
	'password_key',
	'connectionLink',
	'passwordKey',
	'Connection Link',
	'password-key',
	'PASSWORD_KEY',
])('a key to log in with is withheld: %s', (name) => {
	expect(isWithheld(name)).toBe(true);
});

test.each(['connection_links', 'my_password_key', 'password', 'link', 'connection', ''])(
	'another field is not withheld: "%s"',
	(name) => {
		expect(isWithheld(name)).toBe(false);
	},
);
