import { saysAlreadyThere } from '../../../nodes/EventPlatform/core/http/alreadyThere';

test.each([
	'already_registered',
	'ALREADY-REGISTERED',
	'The person already exists',
	'Email has already been taken',
	'Already a participant',
	'already an invited person',
	'already has signed up',
	'already is in use',
	'was already subscribed',
	'already was added',
	'422 already__exists',
])('"%s" means that somebody is there', (said) => {
	expect(saysAlreadyThere(said)).toBe(true);
});

test.each([
	'',
	'The session has already ended',
	'alreadyregistered',
	'already not registered',
	'It was already over: register elsewhere',
	'registered',
	'already been has taken',
])('"%s" does not', (said) => {
	expect(saysAlreadyThere(said)).toBe(false);
});
