import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';

/** What is written to n8n's log from now on, which stays silent until the test ends. */
export function linesOfLog(level: 'info' | 'warn'): () => string[] {
	const write = jest.spyOn(Container.get(Logger), level).mockImplementation(() => {});
	return () => write.mock.calls.map(([line]) => line);
}
