// Loaded before everything else in the process that runs n8n's engine: a request for a module of n8n gets the one of
// the prepared n8n, so that its nodes, its engine and our node share one copy, as they do in a real n8n.
const Module = require('node:module');
const { join } = require('node:path');

const home = process.env.N8N_HOME_FOLDER;
const resolve = Module._resolveFilename;
Module._resolveFilename = function (request, ...rest) {
	if (/^(n8n-core|n8n-workflow|n8n-nodes-base|reflect-metadata)(\/|$)/.test(request)) {
		return resolve.call(this, join(home, 'node_modules', request), ...rest);
	}
	return resolve.call(this, request, ...rest);
};
