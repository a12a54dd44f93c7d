/**
 * Several rules on one property.
 * Invariant: no rule is lost by another, whichever comes first, and null changes only what `@IsOptional()` says.
 */
import {
  Allow,
  ArrayContains,
  IsDefined,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
} from 'class-validator';
import { type InputContract, inputContract, isDeclarationError, type JsonValue } from 'toolcrib';
import { type Decorators, dtoWith } from '../fixtures/dto-with';
import { JSON_POOL, RULE_FORMS } from '../fixtures/rule-forms';
import { expectSound, propertyNode } from '../fixtures/strict-schema';
import { accepts, parsedValue, refusalOf } from '../fixtures/verdicts';

const FORMS = [...RULE_FORMS].map(([id, { decorate }]) => ({ id, decorate }));

/** The contract of stacked rules; undefined when they are refused as contradicting each other. */
function contractOf(decorators: Decorators): InputContract | undefined {
  try {
    return inputContract(dtoWith(...decorators));
  } catch (error) {
    if (isDeclarationError(error)) return undefined;
    throw error;
  }
}

async function accepted(contract: InputContract): Promise<ReadonlySet<JsonValue>> {
  const verdicts = await Promise.all(JSON_POOL.map(async (v) => (await contract.parse({ v })).ok));
  return new Set(JSON_POOL.filter((_, at) => verdicts[at]));
}

describe('two rules on one property', () => {
  const alone = new Map<string, ReadonlySet<JsonValue>>();
  beforeAll(async () => {
    for (const { id, decorate } of FORMS) alone.set(id, await accepted(inputContract(dtoWith(decorate()))));
  });

  it.each(FORMS)('$id: accept, in either order, what both accept alone', async ({ id, decorate }) => {
    for (const other of FORMS) {
      const both = JSON_POOL.filter((v) => alone.get(id)?.has(v) && alone.get(other.id)?.has(v));
      const contract = contractOf([decorate(), other.decorate()]);
      if (contract === undefined) {
        expect({ with: other.id, both }).toEqual({ with: other.id, both: [] });
        continue;
      }
      expect({ with: other.id, both: [...(await accepted(contract))] }).toEqual({ with: other.id, both });
    }
  });
});

describe('rules that say the same keyword', () => {
  it('are both kept where one node cannot say them', async () => {
    const cls = dtoWith(Matches(/^a/u), Matches(/c$/u), MaxLength(3));
    const { schema } = inputContract(cls);
    expectSound(schema);
    expect(await accepts(cls, { v: 'abc' })).toBe(true);
    for (const v of ['ab', 'bc', 'abbc']) expect(await accepts(cls, { v })).toBe(false);
  });

  it('keep all of three lists', async () => {
    const cls = dtoWith(IsIn(['a', 'b', 'c']), IsIn(['b', 'c', 'd']), IsIn(['c', 'b', 'e']));
    for (const v of ['b', 'c']) expect(await accepts(cls, { v })).toBe(true);
    for (const v of ['a', 'd', 'e']) expect(await accepts(cls, { v })).toBe(false);
  });

  it('make an integer of a number and an integer', () => {
    const node = propertyNode(inputContract(dtoWith(IsNumber(), IsInt())).schema, 'v');
    expect(node.type).toBe('integer');
    expect(node).not.toHaveProperty('allOf');
  });
});

describe('IsOptional', () => {
  it('SCH-10: shows null, and null counts as absent', async () => {
    class Search {
      @IsString() q!: string;
      @IsOptional() @IsInt() limit?: number;
    }
    const { schema } = inputContract(Search);
    expectSound(schema);
    expect(propertyNode(schema, 'limit').type).toEqual(['integer', 'null']);
    expect(schema.required).toEqual(['q']);
    for (const raw of [{ q: 'cats' }, { q: 'cats', limit: null }]) {
      const value = await parsedValue(Search, raw);
      expect(value.q).toBe('cats');
      expect(value.limit).toBeUndefined();
    }
    expect(await accepts(Search, { q: 'cats', limit: '5' })).toBe(false);
  });

  it.each(FORMS)('$id: takes null beside what it takes alone', async ({ decorate }) => {
    const contract = inputContract(dtoWith(IsOptional(), decorate()));
    expectSound(contract.schema);
    const required = inputContract(dtoWith(decorate()));
    expect(await accepted(contract)).toEqual(new Set([null, ...(await accepted(required))]));
    expect((await contract.parse({})).ok).toBe(true);
  });

  it('takes null beside IsDefined, as class-validator does', async () => {
    for (const decorators of [
      [IsOptional(), IsDefined()],
      [IsDefined(), IsOptional(), IsString()],
    ]) {
      const cls = dtoWith(...decorators);
      expect(await accepts(cls, {})).toBe(true);
      expect(await accepts(cls, { v: null })).toBe(true);
    }
  });

  it('alone makes a property that takes anything', async () => {
    const cls = dtoWith(IsOptional());
    expectSound(inputContract(cls).schema);
    expect(await accepted(inputContract(cls))).toEqual(new Set(JSON_POOL));
  });

  it('stands beside Allow', async () => {
    const cls = dtoWith(IsOptional(), Allow(), IsObject());
    expect(await accepts(cls, { v: {} })).toBe(true);
    expect(await accepts(cls, { v: [] })).toBe(false);
  });
});

describe('a rule that takes several nodes to say', () => {
  it('refuses, by its own name, what breaks any of them', async () => {
    const cls = dtoWith(ArrayContains([1, 'a']));
    for (const v of [[1], ['a'], []]) expect(await refusalOf(cls, { v })).toEqual(['/v arrayContains']);
    expect(await accepts(cls, { v: ['a', 1] })).toBe(true);
  });
});
