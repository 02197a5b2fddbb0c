import {
	emailUseOfForm,
	isGeneratedAddress,
	type EmailUse,
} from '../../../nodes/EventPlatform/core/dialect/publicEvents';
import type { Json } from '../../../nodes/EventPlatform/core/values/json';

const form = (...ids: Json[]): Json => ids.map((id) => ({ id, type: 'text', required: true }));

test.each<[string, Json | undefined, EmailUse]>([
	['asks for it', form('first_name', 'email'), 'kept'],
	['writes it otherwise', form(' Email'), 'kept'],
	['asks for another email only', form('first_name', 'custom_email'), 'replaced'],
	['has a question without an ID', form('first_name', null), 'unknown'],
	['has a question that is no object', ['first_name'], 'unknown'],
	['is empty', [], 'unknown'],
	['is not shown', undefined, 'unknown'],
	['is no list', { id: 'first_name' }, 'unknown'],
])('what an event does with the email whose form %s', (_, fields, use) => {
	expect(emailUseOfForm(fields)).toBe(use);
});

const generated = '1720628126+528d3ec6-b983-4353-bcbf-eddb1566d013@unknown.livestorm.co';
test.each([generated, generated.toUpperCase()])('the platform has made up %s', (address) => {
	expect(isGeneratedAddress(address)).toBe(true);
});

test.each([
	'ada@unknown.livestorm.co',
	generated.replace('1720628126', 'ada'),
	generated.replace('@unknown.', '@'),
	`${generated}.example.com`,
	`x${generated}`,
])('the platform has not made up %s', (address) => {
	expect(isGeneratedAddress(address)).toBe(false);
});
