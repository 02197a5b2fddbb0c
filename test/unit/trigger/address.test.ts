import { isOutOfReach, unreachable } from '../../../nodes/EventPlatform/trigger/hooks';

test.each([
	'http://localhost:5678/webhook/1',
	'https://n8n.localhost/webhook/1',
	'http://127.0.0.1:5678/webhook/1',
	'https://10.1.2.3/webhook/1',
	'https://[::1]/webhook/1',
	'https://n8n/webhook/1',
	'https://n8n.local/webhook/1',
])('%s is known to be out of the reach of the platform', (url) =>
	expect(unreachable(url)).toContain('its own network'),
);

test('plain HTTP is told apart', () =>
	expect(unreachable('http://n8n.example.org/webhook/1')).toContain('HTTPS'));

test('half an address is told apart', () =>
	expect(unreachable('/webhook/1')).toContain('not a complete address'));

test.each(['https://n8n.example.org/webhook/1', 'https://172.32.0.1/webhook/1'])(
	'nothing is said against %s',
	(url) => expect(unreachable(url)).toBeUndefined(),
);

test.each([
	['http://localhost:5678/webhook/1', 'https://api.example.org/v1', true],
	['http://localhost:5678/webhook/1', 'http://127.0.0.1:4010/v1', false],
	['https://n8n.example.org/webhook/1', 'https://api.example.org/v1', false],
	// The platform says itself whether it delivers to plain HTTP.
	['http://n8n.example.org/webhook/1', 'https://api.example.org/v1', false],
])('%s is out of reach of %s: %s', (url, apiRoot, isOut) =>
	expect(isOutOfReach(url, apiRoot)).toBe(isOut),
);
