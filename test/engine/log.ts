import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';

/** The warnings of n8n's log from now on, which stay silent until the test ends. */
export function warningsOfLog(): () => string[] {
	const warn = jest.spyOn(Container.get(Logger), 'warn').mockImplementation(() => {});
	return () => warn.mock.calls.map(([line]) => line);
}
