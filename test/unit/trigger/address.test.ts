import { isOutOfReach, unreachable } from '../../../nodes/EventPlatform/trigger/subscription';

test.each([
	['http://localhost:5678/webhook/1', 'its own network'],
	['https://10.1.2.3/webhook/1', 'its own network'],
	['http://n8n.example.org/webhook/1', 'HTTPS'],
	['/webhook/1', 'not a complete address'],
	['https://n8n.example.org/webhook/1', 'undefined'],
])('what speaks against %s: %s', (url, why) => expect(String(unreachable(url))).toContain(why));

test.each([
	['http://localhost:5678/webhook/1', 'https://api.example.org/v1', true],
	['http://localhost:5678/webhook/1', 'http://127.0.0.1:4010/v1', false],
	['https://n8n.example.org/webhook/1', 'https://api.example.org/v1', false],
	// The platform says itself whether it delivers to plain HTTP.
	['http://n8n.example.org/webhook/1', 'https://api.example.org/v1', false],
])('%s is out of reach of %s: %s', (url, apiRoot, isOut) =>
	expect(isOutOfReach(url, apiRoot)).toBe(isOut),
);
