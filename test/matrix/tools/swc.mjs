/**
 * Compiles a folder with swc, file by file: node swc.mjs <source> <output> <es6|commonjs> <legacy|standard> <define|assign>
 * Invariant: what is not named on the command line is what an application's .swcrc has.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformFileSync } from '@swc/core';

const [, , source, output, format, decorators, fields] = process.argv;
const isLegacy = decorators === 'legacy';

for (const file of readdirSync(source, { recursive: true }).filter((name) => name.endsWith('.ts'))) {
  const { code } = transformFileSync(join(source, file), {
    swcrc: false,
    module: { type: format },
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: {
        useDefineForClassFields: fields === 'define',
        ...(isLegacy ? { legacyDecorator: true, decoratorMetadata: true } : { decoratorVersion: '2022-03' }),
      },
    },
  });
  const target = join(output, file.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, code);
}
