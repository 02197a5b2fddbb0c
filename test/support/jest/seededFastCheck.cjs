// Tests get this for `fast-check` (see jest.config.js). It draws the same values each time, and other values where TEST_SEED
// asks for them.
const fc = require('../../../node_modules/fast-check/lib/cjs/fast-check.js');

fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 1) });
module.exports = fc;
