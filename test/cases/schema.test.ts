/**
 * The cases of schemas: failures that people met with systems like this one, by their ids.
 * Invariant: what the model is shown and what the runtime takes are the same in each.
 */
import 'reflect-metadata';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsDate,
  IsDefined,
  IsEmail,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  IsUrl,
  IsUUID,
  Matches,
  Min,
  ValidateNested,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { type Class, type DialectName, describe, inputContract, schemaInputContract } from 'toolcrib';
import { codesOf, problemsOf } from '../fixtures/declaration-problems';
import { makeSpec } from '../fixtures/hand-made-spec';
import { compileStrictly, expectSound } from '../fixtures/strict-schema';
import { accepts, parsedValue, refusalOf } from '../fixtures/verdicts';

it('SCH-03: a discriminated union shows every DTO, each with its own tag', () => {
  class Channel {
    @IsIn(['email', 'sms']) kind!: string;
  }
  class EmailChannel extends Channel {
    @IsEmail() to!: string;
  }
  class SmsChannel extends Channel {
    @IsString() phone!: string;
  }
  class NotifyInput {
    @IsDefined()
    @ValidateNested()
    @Type(() => Channel, {
      keepDiscriminatorProperty: true,
      discriminator: {
        property: 'kind',
        subTypes: [
          { name: 'email', value: EmailChannel },
          { name: 'sms', value: SmsChannel },
        ],
      },
    })
    channel!: EmailChannel | SmsChannel;
  }
  const { schema } = inputContract(NotifyInput);
  expectSound(schema);
  const admits = compileStrictly(schema);
  expect(admits({ channel: { kind: 'email', to: 'ann@example.org' } })).toBe(true);
  expect(admits({ channel: { kind: 'sms', to: 'ann@example.org' } })).toBe(false);
  expect(admits({ channel: { kind: 'email' } })).toBe(false);
});

it('SCH-07: an array of arrays is refused at the start, for nothing would check its cells', () => {
  class WriteCellsInput {
    @IsArray() @IsArray({ each: true }) rows!: number[][];
  }
  expect(problemsOf(() => inputContract(WriteCellsInput))).toMatchObject([
    { code: 'unsupported_rule', place: { class: 'WriteCellsInput', member: 'rows' } },
  ]);
});

it('SCH-09: a DTO that refers to itself is a reference, not a copy', async () => {
  class Folder {
    @IsString() name!: string;
    @IsOptional() @ValidateNested({ each: true }) @Type(() => Folder) children?: Folder[];
  }
  class ImportTreeInput {
    @IsDefined() @ValidateNested() @Type(() => Folder) root!: Folder;
  }
  for (const { schema } of [inputContract(ImportTreeInput), inputContract(Folder)]) {
    expectSound(schema);
    expect(JSON.stringify(schema).length).toBeLessThan(2_000);
  }
  const root = { name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] };
  expect(await accepts(ImportTreeInput, { root })).toBe(true);
});

it('SCH-12: an initialiser is a default, and the property may be left out', async () => {
  class PageInput {
    @IsInt() @Min(1) size = 20;
    @IsBoolean() dryRun = true;
  }
  const { schema } = inputContract(PageInput);
  expect(schema.required).toBeUndefined();
  expect(schema.properties).toMatchObject({ size: { default: 20 }, dryRun: { default: true } });
  expect(await parsedValue(PageInput, {})).toEqual({ size: 20, dryRun: true });
});

it('SCH-19: flags and harmless escapes keep their meaning', async () => {
  class Coded {
    @Matches(/^[a-z]+$/i) code!: string;
  }
  class Login {
    @Matches(/^[\w\-.]+@corp$/) login!: string;
  }
  expect(await accepts(Coded, { code: 'ABC' })).toBe(true);
  expect(await accepts(Coded, { code: 'AB1' })).toBe(false);
  expect(await accepts(Login, { login: 'jo@corp' })).toBe(true);
  expect(compileStrictly(inputContract(Coded).schema)({ code: 'ABC' })).toBe(true);
  expect(compileStrictly(inputContract(Login).schema)({ login: 'jo@corp' })).toBe(true);
});

it('SCH-21: a Date is one date-time text', async () => {
  class RemindInput {
    @IsDate() @Type(() => Date) at!: Date;
  }
  expect(inputContract(RemindInput).schema.properties).toMatchObject({
    at: { type: 'string', format: 'date-time' },
  });
  const { at } = await parsedValue(RemindInput, { at: '2024-05-01T09:00:00Z' });
  expect(at).toEqual(new Date('2024-05-01T09:00:00Z'));
});

it('SCH-22: a schema names its dialect and uses the words of that dialect alone', () => {
  class Line {
    @IsString() sku!: string;
  }
  class In {
    @ValidateNested({ each: true }) @Type(() => Line) lines!: Line[];
  }
  const { schema } = inputContract(In);
  expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  expect(schema).toHaveProperty('$defs.Line');
  expect(schema).not.toHaveProperty('definitions');
});

it('SCH-24: the words of a nested DTO reach the model beside the reference', async () => {
  class Money {
    @IsInt() cents!: number;
  }
  class PayInput {
    @IsDefined()
    @ValidateNested()
    @Type(() => Money)
    @JSONSchema({ description: 'Gross amount', title: 'Amount', examples: [{ cents: 5 }] })
    amount!: Money;
  }
  const { schema } = inputContract(PayInput);
  expect(schema.properties).toMatchObject({ amount: { description: 'Gross amount', title: 'Amount' } });
  expect(await refusalOf(PayInput, { amount: { cents: 'x' } })).toEqual(['/amount/cents isInt']);
});

/** What a provider's model is shown of a DTO. */
function shown(cls: Class<object>, dialect: DialectName) {
  return describe(makeSpec('case.one', '1.0.0', { input: inputContract(cls) }), { dialect });
}

it('SCH-14: the root is an object without combinators, and a union of roots is refused', () => {
  const union = schemaInputContract({
    type: 'object',
    anyOf: [{ required: ['id'] }, { required: ['email'] }],
    properties: { id: { type: 'string' }, email: { type: 'string' } },
  });
  const spec = makeSpec('user.find', '1.0.0', { input: union });
  const { inputSchema } = describe(spec, { dialect: 'anthropic' }).definition;
  expect(inputSchema.type).toBe('object');
  for (const keyword of ['anyOf', 'oneOf', 'allOf', 'not', 'enum'])
    expect(inputSchema).not.toHaveProperty(keyword);
  const text = schemaInputContract({ anyOf: [{ type: 'object' }, { type: 'object', minProperties: 1 }] });
  const problems = problemsOf(() =>
    describe(makeSpec('user.look', '1.0.0', { input: text }), { dialect: 'openai-strict' }),
  );
  expect(codesOf(problems)).toContain('outside_dialect');
});

it('SCH-16: strict mode closes every object and requires every key, and null means absent', () => {
  class Opt {
    @IsOptional() @IsString() note?: string;
  }
  class StrictInput {
    @IsString() id!: string;
    @IsDefined() @ValidateNested() @Type(() => Opt) opt!: Opt;
  }
  const { definition, restore } = shown(StrictInput, 'openai-strict');
  expect(definition.inputSchema).toMatchObject({ required: ['id', 'opt'], additionalProperties: false });
  expect(definition.inputSchema).toHaveProperty('$defs.Opt.required', ['note']);
  expect(definition.inputSchema).toHaveProperty('$defs.Opt.additionalProperties', false);
  expect(definition.inputSchema).toHaveProperty('$defs.Opt.properties.note.type', ['string', 'null']);
  expect(restore({ id: 'a', opt: { note: null } })).toEqual({ id: 'a', opt: { note: null } });
  class Free {
    @IsObject() map!: object;
  }
  expect(codesOf(problemsOf(() => shown(Free, 'openai-strict')))).toEqual(['outside_dialect']);
});

it('SCH-17: a provider is sent no format that it does not take, and the rule still holds', async () => {
  class FetchInput {
    @IsUrl() url!: string;
    @IsEmail() notify!: string;
    @IsUUID() jobId!: string;
    @IsDate() @Type(() => Date) at!: Date;
  }
  const { properties } = shown(FetchInput, 'gemini').definition.inputSchema;
  const formats = JSON.stringify(properties).match(/"format":"[^"]*"/g);
  expect(formats ?? []).toEqual(['"format":"date-time"']);
  expect(JSON.stringify(properties)).toContain('notify must be an email');
  const raw = { url: 'x', notify: 'a@b', jobId: '1', at: '2026-01-31T09:30:00Z' };
  expect(await accepts(FetchInput, raw)).toBe(false);
});

it('SCH-18: a pattern with lookaround stands in words for strict mode, and is named', async () => {
  class SetPinInput {
    @Matches(/^(?=.*\d)(?=.*[a-z])[a-z\d]{6,}$/) pin!: string;
  }
  const { definition, changes } = shown(SetPinInput, 'openai-strict');
  expect(definition.inputSchema.properties).not.toHaveProperty('pin.pattern');
  expect(changes).toContainEqual(
    expect.objectContaining({
      pointer: '/properties/pin',
      keyword: 'pattern',
      change: 'moved_to_description',
    }),
  );
  expect(await refusalOf(SetPinInput, { pin: 'abcdef' })).toEqual(['/pin matches']);
});
