const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/**
 * Where the tests run that need n8n. Jest gives each file a world with its own `Array` and `Error` and loads every
 * package anew in it, which takes two seconds for n8n. Here the files of a worker share the worker's own world, so n8n
 * can be loaded once for all of them (see loadOnce.ts), and its arrays and errors are those of the tests.
 */
module.exports = class SharedRealm extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		this.global = globalThis;
		// Jest keeps here whom it tells what tests do. Else those of all earlier files would hear of this one.
		delete globalThis[Symbol.for('EVENT_HANDLERS')];
		// Node itself loads a module that a test requires through this, and keeps it.
		globalThis.requireFromNode = require;
		globalThis.kept ??= {};
	}

	/** The runner restores before each test. What the last test of a file has spied on stays in this realm otherwise. */
	async teardown() {
		this.moduleMocker?.restoreAllMocks();
		await super.teardown();
	}

	getVmContext() {
		return workersOwn;
	}
};

/** Jest compiles a file for the context that its environment names. Node has no name for the worker's own. */
const workersOwn = {};
const compileFunction = vm.compileFunction;
vm.compileFunction = (code, parameters, { parsingContext, ...options }) =>
	compileFunction(code, parameters, {
		...options,
		...(parsingContext !== workersOwn && { parsingContext }),
	});
