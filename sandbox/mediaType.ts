export const jsonApi = 'application/vnd.api+json';
