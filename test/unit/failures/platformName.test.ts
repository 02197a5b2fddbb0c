import { namePlatform } from '../../../nodes/EventPlatform/core/failures/platformName';

const livestorm = 'https://api.livestorm.co/v1';

test.each([
	['The platform refused access.', 'Livestorm refused access.'],
	["The platform's API cannot confirm it", "Livestorm's API cannot confirm it"],
	['This platform has no endpoint for it', 'Livestorm has no endpoint for it'],
	['Look for the person on the platform.', 'Look for the person in Livestorm.'],
	['Not sent. The platform says: this platform', 'Not sent. Livestorm says: Livestorm'],
	["'Platform' is a question", "'Platform' is a question"],
])('"%s" is "%s" where the credential leads to Livestorm', (message, expected) => {
	expect(namePlatform(message, livestorm)).toBe(expected);
});

test.each(['http://127.0.0.1:4010/v1', 'https://api.livestorm.co.example.com/v1', undefined])(
	'at %s the platform stays the platform',
	(root) => {
		expect(namePlatform('The platform refused access.', root)).toBe('The platform refused access.');
	},
);
