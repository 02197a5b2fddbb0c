import { workflowZone } from '../../../nodes/EventPlatform/n8n/workflowZone';

const ofServer = Intl.DateTimeFormat().resolvedOptions().timeZone;

test.each([
	['DEFAULT', ofServer],
	['local', ofServer],
	['system', ofServer],
	['Europe/Paris', 'Europe/Paris'],
	['Middle/Earth', 'Middle/Earth'],
])('the time zone of a workflow with the setting %s is %s', (setting, zone) => {
	expect(workflowZone({ getTimezone: () => setting })).toBe(zone);
});
