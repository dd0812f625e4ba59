#!/usr/bin/env node
// Plain JavaScript without anything new in it: an old Node must be able to read this file to say
// that it is too old. Everything else is TypeScript, which Node before 22 cannot even parse.
const NODE_MIN = 24;

if (Number(process.versions.node.split('.')[0]) < NODE_MIN) {
  process.stderr.write(
    `reach: needs Node ${NODE_MIN} or newer, this is ${process.version}: in a checkout run it through npm ` +
      '(`npm start`, `npx reach`), which brings its own Node; elsewhere install a newer one.\n',
  );
  process.exitCode = 1;
} else {
  void start();
}

async function start() {
  const { enableCompileCache } = await import('node:module');
  // Halves the start of every command but the first.
  enableCompileCache();
  const { bin } = await import('../src/bin.ts');
  await bin();
}
