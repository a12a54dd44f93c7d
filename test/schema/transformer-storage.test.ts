/**
 * Which build of class-transformer is read.
 * Invariant: it is the one whose decorators the application uses; where there is none, no DTO is taken.
 */
import { join } from 'node:path';
import { problemsOf } from '../fixtures/declaration-problems';
import { makeCopies } from '../fixtures/installed-library';

const PUBLIC = 'class-transformer';
const MODULE = 'class-transformer/esm5/storage';

const copies = makeCopies();
const taken = copies.install('class-transformer', 'bundle');
afterAll(() => copies.remove());
afterEach(() => {
  jest.dontMock(PUBLIC);
  jest.dontMock(MODULE);
  jest.resetModules();
});

/** Loads everything anew, where `class-transformer` is another build than the CommonJS one. */
function loadInBundle(moduleStorage: () => unknown) {
  jest.resetModules();
  jest.doMock(PUBLIC, () => jest.requireActual(taken));
  jest.doMock(MODULE, moduleStorage);
  const toolcrib: typeof import('toolcrib') = require('toolcrib');
  const { Type }: typeof import('class-transformer') = require('class-transformer');
  const { IsInt, ValidateNested }: typeof import('class-validator') = require('class-validator');
  class Part {
    @IsInt() n!: number;
  }
  class Whole {
    @ValidateNested() @Type(() => Part) part!: Part;
  }
  return { contract: () => toolcrib.inputContract(Whole), Part };
}

describe('the storage of class-transformer', () => {
  it('is that of its module build, where a bundler took that one', async () => {
    const { contract, Part } = loadInBundle(() => jest.requireActual(join(taken, 'cjs/storage.js')));
    const outcome = await contract().parse({ part: { n: 1 } });
    expect(outcome.ok && outcome.value.part).toBeInstanceOf(Part);
    expect(contract().schema).toMatchObject({ properties: { part: { $ref: '#/$defs/Part' } } });
  });

  it('is refused with every DTO, where a bundler took a build that cannot be read', () => {
    const { contract } = loadInBundle(() => jest.requireActual('class-transformer/cjs/storage'));
    expect(problemsOf(contract)).toMatchObject([{ code: 'duplicate_dependency', place: { class: 'Whole' } }]);
  });
});
