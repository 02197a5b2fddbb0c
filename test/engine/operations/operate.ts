export * from '../../support/operate';
