import './engineHome';
import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';

/** Binary data as files in this folder, as n8n keeps them. Resolves with what finds the file of an id. */
export async function storeFilesIn(folder: string): Promise<(id: string) => string> {
	const config = Container.get(BinaryDataConfig);
	config.mode = 'filesystem';
	config.localStoragePath = folder;
	const service = Container.get(BinaryDataService);
	await service.init();
	return (id) => service.getPath(id);
}
