export * from '../../support/n8n/operation';
