const { dest, parallel, src } = require('gulp');

// The compiler only writes JavaScript; n8n also wants each icon, codex file and preview of an output beside its class.
const copy = (folder) => () =>
	src([`${folder}/**/*.{svg,node.json}`, `${folder}/**/__schema__/**/*.json`], {
		encoding: false,
	}).pipe(dest(`dist/${folder}`));

const copyNodeAssets = copy('nodes');
copyNodeAssets.displayName = 'copy node assets';
const copyCredentialAssets = copy('credentials');
copyCredentialAssets.displayName = 'copy credential assets';

exports.default = parallel(copyNodeAssets, copyCredentialAssets);
