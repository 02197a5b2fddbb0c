#!/bin/sh
# Runs in the service `build` of try.yaml: from the clone at /source to the files at /made, and the package into n8n's volume.
set -eu
[ -e /made/ready ] && exit 0

# A container that could not finish is started again with the files that it has.
rm -rf /tmp/clone
mkdir /tmp/clone
# The packages of the machine may be for another system than that of the container.
tar -C /source --exclude=./node_modules --exclude=./dist --exclude=./reports --exclude=./.git -cf - . | tar -C /tmp/clone -xf -
cd /tmp/clone
npm run build
npm run sandbox:file -- /made/sandbox.cjs
node --import tsx host/tryFiles.ts /made http://127.0.0.1:4010
npm pack --ignore-scripts --pack-destination /tmp
npm install --prefix /home/node/.n8n/nodes --omit=peer --legacy-peer-deps --ignore-scripts /tmp/n8n-nodes-event-platform-*.tgz
# n8n runs as this user.
chown -R 1000:1000 /home/node/.n8n
touch /made/ready
