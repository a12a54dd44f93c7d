/**
 * Gives the compiled `toolcrib/langgraph` its door for ES modules: a module that re-exports the CommonJS one,
 * and declarations that resolve LangChain's types as an ES module application does.
 * Invariant: there is one implementation; the door adds no code of its own. Usage: node esm-door.js [DIST].
 */
const { readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const folder = resolve(process.argv[2] ?? 'dist', 'langgraph');

/** Files of the folder have a declaration for ES modules; those outside of it have the one there is. */
function toModuleSpecifier(specifier) {
  return specifier.startsWith('./') ? `${specifier}.mjs` : `${specifier}.js`;
}

for (const file of readdirSync(folder).filter((name) => name.endsWith('.d.ts'))) {
  const text = readFileSync(join(folder, file), 'utf8')
    .replace(
      /(\bfrom\s*|\bimport\()(["'])(\.\.?\/[^"']+)\2/g,
      (_, keyword, quote, specifier) => `${keyword}${quote}${toModuleSpecifier(specifier)}${quote}`,
    )
    .replace(/^\/\/# sourceMappingURL=.*$\n?/m, '');
  writeFileSync(join(folder, file.replace(/\.d\.ts$/, '.d.mts')), text);
}

const names = Object.keys(require(join(folder, 'index.js')));
writeFileSync(join(folder, 'index.mjs'), `export { ${names.join(', ')} } from './index.js';\n`);
